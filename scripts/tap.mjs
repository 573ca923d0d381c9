// Runs tap over test files, prints how many tests passed and failed, and says whether all did.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './ensure.mjs'

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
  const { passed, failed } = existsSync(output) ? count(readFileSync(output, 'utf8')) : {}
  // Plain text for scripts that read it, whatever reporter tap has chosen.
  if (passed !== undefined) process.stdout.write(`${passed} passed, ${failed} failed\n`)
  // A run that passed nothing has tested nothing.
  return code === 0 && passed > 0 && failed === 0
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

/** Counts named tests, one level below files; a file that failed outside its tests counts too. */
function count(tap) {
  let passed = 0
  let failed = 0
  let failedInFile = 0
  for (const line of tap.split('\n')) {
    if (/^ {4}ok \d/.test(line)) passed += 1
    if (/^ {4}not ok \d/.test(line)) failedInFile += 1
    if (!/^(not )?ok \d/.test(line)) continue
    failed += line.startsWith('not') ? Math.max(failedInFile, 1) : failedInFile
    failedInFile = 0
  }
  return { passed, failed: failed + failedInFile }
}
