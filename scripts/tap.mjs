// Runs tap over test files, prints how many tests passed and failed, and says whether all did.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './ensure.mjs'
import { linesOf, summaryOf } from './testing/tap-summary.mjs'

const TAP = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
const LEFT_OUT = /@tapjs\/(typescript|mock)/
const FILE_TIMEOUT_S = 240

/** False when a test failed, or none ran. */
export async function runTap(files, { timeoutS = FILE_TIMEOUT_S, env = process.env } = {}) {
  const output = join(root, 'node_modules', '.cache', 'sluice', 'test.tap')
  mkdirSync(dirname(output), { recursive: true })
  await ensureTapBuilt()
  const args = [join(root, 'scripts', 'tap-run.mjs'), String(timeoutS), ...files]
  const file = openSync(output, 'w')
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', file, 2], env })
  closeSync(file)
  const stop = (signal) => child.kill(signal)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  process.off('SIGTERM', stop).off('SIGINT', stop)
  const summary = summaryOf(readFileSync(output, 'utf8'))
  // Last, and on standard output: a log's end is what is looked at.
  for (const line of linesOf(summary)) process.stdout.write(`${line}\n`)
  // A run that passed nothing has tested nothing.
  return code === 0 && summary.passed > 0 && summary.failures.length === 0
}

/** As installed, tap loads plugins that `.taprc` leaves out: many seconds for each file. */
async function ensureTapBuilt() {
  const built = ['@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js']
  const path = join(root, 'node_modules', ...built)
  if (existsSync(path) && !LEFT_OUT.test(readFileSync(path, 'utf8'))) return
  await run([process.execPath, TAP, 'build'], 'tap could not be built')
}
