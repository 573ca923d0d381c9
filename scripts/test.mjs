// `npm test`: lint, types and every test; `npm test -- FILE ...` runs those tests alone. In CI
// (CI=true) generated files that are stale fail as well; tests fail on services they cannot start.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureBuilt, ensureInstalled, ensureNode, root, say } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()

const files = process.argv.slice(2)
if (files.length === 0) {
  check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'])
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit'])
  const generator = 'scripts/gen.mjs'
  if (process.env.CI === 'true' && existsSync(join(root, generator))) {
    check('generated types', [generator, '--check'])
  }
}
await runTests()

function check(name, args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) return
  say(`${name}: failed`)
  process.exit(1)
}

async function runTests() {
  const output = join(root, 'node_modules', '.cache', 'sluice', 'test.tap')
  mkdirSync(dirname(output), { recursive: true })
  rmSync(output, { force: true })
  const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
  // On a terminal tap's own choice; elsewhere failures alone.
  const reporter = process.stdout.isTTY ? [] : ['--reporter=terse']
  const args = [tap, ...reporter, `--output-file=${output}`, ...files]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
  })
  const stop = (signal) => child.kill(signal)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  const { passed, failed } = existsSync(output) ? count(readFileSync(output, 'utf8')) : {}
  // Plain text for scripts that read it, whatever reporter tap has chosen.
  if (passed !== undefined) process.stdout.write(`${passed} passed, ${failed} failed\n`)
  // A run that passed nothing has tested nothing.
  process.exitCode = code === 0 && passed > 0 && failed === 0 ? 0 : 1
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
