// `npm run test:stress [-- PATH ...]` runs tests where they are most likely to fail. The whole suite,
// or the paths, runs `--runs N` times (5) beside two busy processes, with answers to the console that
// come up to 400 ms later, then once with the clock at each of the moments below. `--load` and `--clock`
// select one of the two; `--at TIME` is a moment of yours, in the future. `shift-clock.c` shifts the time of day for the tests and all that they start,
// browsers too. NATS keeps the machine's time, as a server with a wrong clock would.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled, ensureNode, root, say } from './ensure.mjs'
import { ensureProgram } from './machine-programs.mjs'

const BUSY = 2
/** Delay of each answer to a page of the console. */
const DELAY_MS = 400
const DAY_MS = 86_400_000
const SOURCE = join(root, 'scripts', 'shift-clock.c')
/** Computes until its parent is gone, however that ended. */
const BUSY_PROGRAM = `
  const parent = process.ppid
  const compute = () => {
    for (const until = performance.now() + 50; performance.now() < until; );
    if (process.ppid === parent) setImmediate(compute)
  }
  compute()`
const MINUTE_MS = 60_000
/** Next moment after a given time; the files of a run begin minutes before a day or a year ends. */
const MOMENTS = {
  'the clock at 23:55 UTC': (now) => nextTimeOfDay(now, DAY_MS - 5 * MINUTE_MS),
  'the clock at 00:05 UTC': (now) => nextTimeOfDay(now, 5 * MINUTE_MS),
  'the last minutes of a year': (now) => {
    return Date.UTC(new Date(now).getUTCFullYear() + 1, 0, 1) - 3 * MINUTE_MS
  },
  'the first of March': (now) => Date.UTC(new Date(now).getUTCFullYear() + 1, 2, 1, 0, 5),
}

ensureNode()
const options = { runs: { type: 'string', default: '5' }, load: { type: 'boolean' } }
const { values, positionals } = parseArgs({
  options: { ...options, clock: { type: 'boolean' }, at: { type: 'string' } },
  allowPositionals: true,
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  say('--runs takes a whole number from 1')
  process.exit(1)
}
await ensureInstalled({ dev: true })
await ensureBuilt()
const at = values.at === undefined ? undefined : Date.parse(values.at)
if (at !== undefined && !(at > Date.now())) {
  say('--at takes a time in the future, such as 2030-12-31T23:59:30Z')
  process.exit(1)
}
const moments = at === undefined ? MOMENTS : { [`the clock at ${values.at}`]: () => at }
const wantsBoth = at === undefined && values.load === values.clock
const outcomes = []
let isStopped = false
if (wantsBoth || values.load) await runBesideLoad()
if (wantsBoth || values.clock || at !== undefined) await runAtMoments()
for (const { name, passed } of outcomes) say(`${passed ? 'passed' : 'FAILED'}: ${name}`)
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1

async function runBesideLoad() {
  const busy = Array.from({ length: BUSY }, () =>
    spawn(process.execPath, ['-e', BUSY_PROGRAM], { stdio: 'ignore' }),
  )
  const env = { CONSOLE_DELAY_MS: String(DELAY_MS) }
  for (let run = 1; run <= runs; run += 1) await runSuite(`run ${run} beside busy processes`, env)
  for (const child of busy) child.kill('SIGKILL')
}

async function runAtMoments() {
  // Not in the project: Postgres runs as another user, who may not read there.
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'))
  chmodSync(folder, 0o755)
  try {
    const library = buildLibrary(folder)
    for (const [name, momentAfter] of Object.entries(moments)) {
      const now = Date.now()
      // Forward, so that no existing data are in the future.
      const moment = momentAfter(now)
      const shiftS = Math.ceil((moment - now) / 1_000)
      const env = { LD_PRELOAD: library, CLOCK_SHIFT_S: String(shiftS) }
      checkShift(env, moment)
      await runSuite(name, env)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildLibrary(folder) {
  ensureProgram(['cc'], 'build-essential')
  const library = join(folder, 'shift-clock.so')
  const args = ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl']
  const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`shift-clock.c was not compiled: ${stderr}`)
  return library
}

/** A library that cannot be loaded is left out with a warning, and the clock is not shifted. */
function checkShift(env, moment) {
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (Math.abs(Number(stdout) - moment) < MINUTE_MS) return
  throw new Error(`the clock was not set to ${new Date(moment).toISOString()}: ${stdout}`)
}

function nextTimeOfDay(now, ofDayMs) {
  return now + ((ofDayMs - (now % DAY_MS) + DAY_MS) % DAY_MS)
}

async function runSuite(name, env) {
  if (isStopped) return
  say(name)
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), ...positionals], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const stop = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  process.off('SIGTERM', stop).off('SIGINT', stop)
  outcomes.push({ name, passed: code === 0 })
}
