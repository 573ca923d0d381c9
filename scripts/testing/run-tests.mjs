// Runs test files in concurrent processes and joins their TAP.
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../ensure.mjs'
import { longestFirst } from './costs.mjs'
import { endAllProcesses, runProcess, runProgram } from './file-process.mjs'
import { makeRunFolders } from './folders.mjs'
import { runJobs } from './schedule.mjs'
import { createTapLog, readSharedFiles } from './tap-log.mjs'
import { linesOf, summaryOf } from './tap-summary.mjs'
import { buildTests, builtPath, SHARED_FILES } from './test-build.mjs'
import { groupOf, weightOf } from './test-files.mjs'
import { timesTable } from './times-table.mjs'

const TAP = join(root, 'node_modules', '.cache', 'sluice', 'test.tap')
/** Seven times the longest file's time on two cores: a slow or busy machine is no failure. */
const FILE_LIMIT_S = 900
const GRACE_S = 15
/** Most files wait most of the time, so two run on each core. */
const CAPACITY = 4
/** Processes for the files of a group: beside others, and when no other files run. What takes longest begins first. */
const SHARED_PROCESSES = {
  browser: { beside: 1, alone: 2 },
  units: { beside: 2, alone: 3 },
  servers: { beside: 3, alone: 4 },
}
/** Failed files up to which CI=true runs them once more. More failures have a common cause. */
const AGAIN_MAX = 2
/** As `bin/sluice` sets it; the library reads it when it loads. */
const ENV = { UWS_HTTP_MAX_HEADERS_SIZE: '16384' }

/** Runs tests, says how each file went, and prints what failed and how many passed. */
export async function runAndReport(files, options = {}) {
  const againMax = process.env.CI === 'true' ? AGAIN_MAX : 0
  const { passed, times, summary } = await runTests(files, { againMax, ...options })
  if (options.isTimed) for (const line of timesTable(times)) process.stdout.write(`${line}\n`)
  // Last, and on standard output: readers look at the end of a log.
  for (const line of linesOf(summary)) process.stdout.write(`${line}\n`)
  return { passed, times }
}

/**
 * @param files paths of test files.
 * @param checks what else must hold: `{ name, args }`, the arguments of Node. They run beside the tests.
 * @param limitS the time that a file has, unless it sets its own; `graceS` more until it is killed.
 * @param processes how many share the files of a group.
 * @param tapFile where the TAP of all goes; that of second runs goes to a file beside it.
 * @param againMax when no more files than these fail, and nothing else does, they are run once more,
 * with nothing beside them.
 * @param moduleOf the module that runs for a file, when it is not to be built.
 * @param tell takes a line for each file.
 * @returns `passed`: whether every test and every check did, false also when no test ran; `times` of
 * each file and check: `{ name, seconds, processorS }`; `summary`: what passed and what failed, `shaky`
 * what failed in the first run only.
 */
export async function runTests(files, options = {}) {
  const { limitS = FILE_LIMIT_S, env = process.env, checks = [], tapFile = TAP } = options
  const { moduleOf = builtPath, tell = tellOnError, graceS = GRACE_S, againMax = 0 } = options
  if (options.moduleOf === undefined) await buildTests()
  mkdirSync(dirname(tapFile), { recursive: true })
  const output = openSync(tapFile, 'w')
  const folders = makeRunFolders()
  const run = {
    limitS,
    graceS,
    folders,
    moduleOf,
    tell,
    times: [],
    failed: [],
    ok: true,
    env: { ...env, ...ENV, SLUICE_TEST_SHARED: folders.sharedFolder },
    log: createTapLog((text) => writeSync(output, text)),
  }
  const stop = (signal) => {
    endAllProcesses()
    folders.remove()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const groups = groupsOf(files)
  const alone = longestFirst(files.filter((file) => !groups.flat().includes(file)))
  const isOnly = groups.length === 1 && alone.length === 0
  const jobs = [
    ...groups.flatMap((shared) => {
      const usual = SHARED_PROCESSES[groupOf(shared[0])][isOnly ? 'alone' : 'beside']
      const processes = Math.min(options.processes ?? usual, shared.length)
      return sharedJobs(shared, { processes, isOnly }, run)
    }),
    ...alone.map((file) => ({ weight: weightOf(file), run: () => runFile(file, run) })),
    ...checks.map((check) => ({ weight: 1, run: () => runCheck(check, run) })),
  ]
  await runJobs(jobs, CAPACITY)
  const shaky = await runAgain(files, againMax, { ...run, tapFile: `${tapFile}.again` })
  process.off('SIGTERM', stop).off('SIGINT', stop)
  run.log.end()
  closeSync(output)
  folders.remove()
  const summary = summaryOf(readFileSync(tapFile, 'utf8'), shaky)
  const isWhole = run.ok && run.failed.every((name) => shaky.has(name))
  // A run without a passed test has tested nothing.
  const passed = isWhole && summary.passed > 0 && summary.failures.length === 0
  return { passed, times: run.times, summary }
}

/** @returns the files that failed and pass now. */
async function runAgain(files, againMax, run) {
  const failed = run.failed.filter((name) => files.includes(name))
  const isChance = run.ok && failed.length === run.failed.length && failed.length <= againMax
  if (!isChance || failed.length === 0) return new Set()
  run.tell('sluice: what failed is run once more')
  const output = openSync(run.tapFile, 'w')
  const log = createTapLog((text) => writeSync(output, text))
  const again = { ...run, log, failed: [] }
  for (const name of failed) await runFile(name, again)
  log.end()
  closeSync(output)
  return new Set(failed.filter((name) => !again.failed.includes(name)))
}

async function runFile(file, run) {
  const lines = []
  const startedAt = performance.now()
  const { folders, env } = settingsOfFile(run)
  const ended = await runProcess({
    module: run.moduleOf(file),
    limitS: run.limitS,
    graceS: run.graceS,
    folders,
    env,
    onLine: (line) => lines.push(line),
  })
  const ms = performance.now() - startedAt
  const { processorS } = ended
  report(run, { name: file, ok: run.log.addFile(file, lines, { ...ended, ms }), ms, processorS })
  if (ended.leftovers > 0) run.tell(`${file} left ${ended.leftovers} processes`)
}

/** Runs a check as a file without tests: its output is a comment. */
async function runCheck({ name, args }, run) {
  const startedAt = performance.now()
  const { code, output, processorS } = await runProgram(args)
  const ms = performance.now() - startedAt
  const lines = output.split('\n').map((line) => `# ${line}`)
  const text = [`# Subtest: ${name}`, ...lines.map((line) => `    ${line}`)]
  if (code !== 0) {
    text.push(`    not ok 1 - ended with ${code}`, '    1..1')
    process.stderr.write(output)
  }
  run.log.addText(text.join('\n'), { name, ok: code === 0, ms })
  report(run, { name, ok: code === 0, ms, processorS })
}

/** Files that share processes, one list for each group. A single file needs to share nothing. */
function groupsOf(files) {
  const names = new Set(files.map(groupOf))
  const groups = Object.keys(SHARED_PROCESSES)
    .filter((name) => names.has(name))
    .map((name) => files.filter((file) => groupOf(file) === name))
  return groups.filter((group) => group.length > 1)
}

/** Each process takes the next unclaimed file. A file that none has finished fails. */
function sharedJobs(files, { processes, isOnly }, run) {
  const list = join(run.folders.sharedFolder, groupOf(files[0]))
  mkdirSync(list)
  const entries = longestFirst(files).map((name) => ({ name, module: run.moduleOf(name) }))
  writeFileSync(join(list, 'list.json'), JSON.stringify(entries))
  const missing = new Set(files)
  let left = processes
  const job = async () => {
    const problem = await runShared(list, missing, run)
    left -= 1
    if (left > 0) return
    for (const [index, { name }] of entries.entries()) {
      const time = run.times.find((each) => each.name === name)
      if (time === undefined) continue
      time.processorS = Number(readFileSync(join(list, String(index)), 'utf8'))
    }
    for (const name of missing) {
      const ok = run.log.addFile(name, [], { problem: problem ?? 'was not run', ms: 0 })
      report(run, { name, ok, ms: 0 })
    }
  }
  // One computing process is enough beside files that wait.
  const weight = isOnly ? CAPACITY / processes : 1
  return Array.from({ length: processes }, () => ({ weight, run: job }))
}

async function runShared(list, missing, run) {
  const { folders, env } = settingsOfFile(run)
  const reader = readSharedFiles(({ name, text, ok, ms }) => {
    missing.delete(name)
    run.log.addText(text, { name, ok, ms })
    report(run, { name, ok, ms })
  })
  const shared = { SLUICE_TEST_LIST: list, SLUICE_TEST_FILE_MS: String(run.limitS * 1_000) }
  // Without a limit of its own, because each file has one.
  const limitS = run.limitS * 10
  const { problem, leftovers } = await runProcess({
    module: SHARED_FILES,
    limitS,
    graceS: run.graceS,
    folders,
    env: { ...env, ...shared },
    onLine: reader.onLine,
  })
  if (leftovers > 0) run.tell(`files that share a process left ${leftovers} processes`)
  if (problem !== undefined && reader.current() === undefined) run.ok = false
  return problem
}

function settingsOfFile({ folders, env }) {
  const own = folders.forFile()
  return {
    folders: own,
    env: { ...env, TMPDIR: own.temporary, SLUICE_TEST_DISK: own.disk },
  }
}

function report(run, { name, ok, ms, processorS = 0 }) {
  run.times.push({ name, seconds: ms / 1_000, processorS })
  if (!ok) run.failed.push(name)
  run.tell(`${ok ? 'ok' : 'NOT OK'} ${name} ${(ms / 1_000).toFixed(1)} s`)
}

function tellOnError(text) {
  process.stderr.write(`${text}\n`)
}
