// Runs tap over test files, prints how many tests passed and failed, and says whether all did.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './ensure.mjs'
import { linesOf, summaryOf } from './tap-failures.mjs'

const TAP = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

/** False when a test failed, or none ran. `options` are tap's own. */
export async function runTap(files, { options = [], env = process.env } = {}) {
  const output = join(root, 'node_modules', '.cache', 'sluice', 'test.tap')
  mkdirSync(dirname(output), { recursive: true })
  rmSync(output, { force: true })
  await ensureTapBuilt()
  // On a terminal tap's own choice; elsewhere failures alone.
  const reporter = process.stdout.isTTY ? [] : ['--reporter=terse']
  const args = [TAP, ...reporter, `--output-file=${output}`, ...options, ...files]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env })
  const stop = (signal) => child.kill(signal)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  process.off('SIGTERM', stop).off('SIGINT', stop)
  // Plain text for scripts that read it, whatever reporter tap has chosen, and last: a log's end is
  // what is looked at.
  const summary = summaryOf(existsSync(output) ? readFileSync(output, 'utf8') : '')
  for (const line of linesOf(summary)) process.stdout.write(`${line}\n`)
  // A run that passed nothing has tested nothing.
  return code === 0 && summary.passed > 0 && summary.failures.length === 0
}

/**
 * As installed, tap loads its TypeScript plugin, which `.taprc` leaves out, and the run that builds it
 * without that still loads it: many seconds for each file.
 */
async function ensureTapBuilt() {
  const built = ['@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js']
  const path = join(root, 'node_modules', ...built)
  if (existsSync(path) && !readFileSync(path, 'utf8').includes('@tapjs/typescript')) return
  await run([process.execPath, TAP, 'build'], 'tap could not be built')
}
