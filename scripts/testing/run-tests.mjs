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
import { isShared, weightOf } from './test-files.mjs'

const TAP = join(root, 'node_modules', '.cache', 'sluice', 'test.tap')
/** Seven times the longest file's time on two cores: a slow or busy machine is no failure. */
const FILE_LIMIT_S = 900
const GRACE_S = 15
/** Most files wait most of the time, so two run on each core. */
const CAPACITY = 4
/** Failed files up to which CI=true runs them once more. More failures have a common cause. */
const AGAIN_MAX = 2
/** Processes for all files of units and ports: beside other files, and when they run alone. */
const SHARED_PROCESSES = { beside: 2, alone: 3 }
/** As `bin/sluice` sets it; the library reads it when it loads. */
const ENV = { UWS_HTTP_MAX_HEADERS_SIZE: '16384' }

/** Runs tests, says how each file went, and prints what failed and how many passed. */
export async function runAndReport(files, options = {}) {
  const againMax = process.env.CI === 'true' ? AGAIN_MAX : 0
  const { passed, times, summary } = await runTests(files, { againMax, ...options })
  // Last, and on standard output: readers look at the end of a log.
  for (const line of linesOf(summary)) process.stdout.write(`${line}\n`)
  return { passed, times }
}

/**
 * @param files paths of test files.
 * @param checks what else must hold: `{ name, args }`, the arguments of Node. They run beside the tests.
 * @param limitS the time that a file has, unless it sets its own; `graceS` more until it is killed.
 * @param processes how many share the files of units and ports.
 * @param tapFile where the TAP of all goes; that of second runs goes to a file beside it.
 * @param againMax when no more files than these fail, and nothing else does, they are run once more,
 * with nothing beside them.
 * @param moduleOf the module that runs for a file.
 * @param tell takes a line for each file.
 * @returns `passed`: whether every test and every check did, false also when no test ran; `times`:
 * the seconds of each file; `summary`: what passed and what failed, `shaky` what failed in the first
 * run only.
 */
export async function runTests(files, options = {}) {
  const { limitS = FILE_LIMIT_S, env = process.env, checks = [], tapFile = TAP } = options
  const { moduleOf = builtPath, tell = tellOnError, graceS = GRACE_S, againMax = 0 } = options
  await buildTests()
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
  const shared = files.length > 1 ? files.filter(isShared) : []
  const alone = longestFirst(files.filter((file) => !shared.includes(file)))
  const jobs = [
    ...sharedJobs(shared, alone.length === 0, run, options.processes),
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
  report(run, { name: file, ok: run.log.addFile(file, lines, { ...ended, ms }), ms })
  if (ended.leftovers > 0) run.tell(`${file} left ${ended.leftovers} processes`)
}

/** Runs a check as a file without tests: its output is a comment. */
async function runCheck({ name, args }, run) {
  const startedAt = performance.now()
  const { code, output } = await runProgram(args)
  const ms = performance.now() - startedAt
  const lines = output.split('\n').map((line) => `# ${line}`)
  const text = [`# Subtest: ${name}`, ...lines.map((line) => `    ${line}`)]
  if (code !== 0) {
    text.push(`    not ok 1 - ended with ${code}`, '    1..1')
    process.stderr.write(output)
  }
  run.log.addText(text.join('\n'), { name, ok: code === 0, ms })
  report(run, { name, ok: code === 0, ms })
}

/** Each process takes the next unclaimed file. A file that none has finished fails. */
function sharedJobs(files, areAll, run, given) {
  if (files.length === 0) return []
  const list = join(run.folders.sharedFolder, 'files')
  mkdirSync(list)
  const entries = longestFirst(files).map((name) => ({ name, module: run.moduleOf(name) }))
  writeFileSync(join(list, 'list.json'), JSON.stringify(entries))
  const missing = new Set(files)
  const processes = given ?? SHARED_PROCESSES[areAll ? 'alone' : 'beside']
  let left = processes
  const job = async () => {
    const problem = await runShared(list, missing, run)
    left -= 1
    if (left > 0) return
    for (const name of missing) {
      const ok = run.log.addFile(name, [], { problem: problem ?? 'was not run', ms: 0 })
      report(run, { name, ok, ms: 0 })
    }
  }
  // One computing process is enough beside files that wait.
  const weight = areAll ? CAPACITY / processes : 1
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

function report(run, { name, ok, ms }) {
  run.times.push([name, ms / 1_000])
  if (!ok) run.failed.push(name)
  run.tell(`${ok ? 'ok' : 'NOT OK'} ${name} ${(ms / 1_000).toFixed(1)} s`)
}

function tellOnError(text) {
  process.stderr.write(`${text}\n`)
}
