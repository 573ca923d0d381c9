// `npm run test:mutants -- FILE ...` changes these sources by one mistake at a time, and lists the
// mistakes that no test of units and ports notices. It only reports: a mistake may have no effect.
// `--count=N` sets the mistakes in each file, 20 by default; SEED=n repeats them.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, ensureNode, root, say } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })
const { transform } = await import('esbuild')
const { testsReaching } = await import('./testing/changed.mjs')
const { mutantsOf } = await import('./testing/mutate.mjs')
const { runTests } = await import('./testing/run-tests.mjs')
const { buildTests, builtPath } = await import('./testing/test-build.mjs')
const { allTests, isUnit } = await import('./testing/test-files.mjs')
const { retargeted } = await import('./transpile.mjs')

const COUNT = 20
const TAP_FILE = join(root, 'node_modules', '.cache', 'sluice', 'mutants.tap')
/** A mistake may make a loop endless. Tests of units take a second. */
const LIMITS = { limitS: 10, graceS: 5 }

const args = process.argv.slice(2)
const files = args
  .filter((arg) => !arg.startsWith('--'))
  .map((path) => relative(root, resolve(path)))
const count = Number(args.find((arg) => arg.startsWith('--count='))?.slice(8) ?? COUNT)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
if (files.length === 0) {
  say('name the sources: npm run test:mutants -- src/conditions/decide.ts')
  process.exit(2)
}
say(`SEED=${seed}`)
const random = randomFrom(seed)
const imports = await buildTests()
for (const file of files) await judge(file)

async function judge(file) {
  const source = readFileSync(join(root, file), 'utf8')
  const tests = testsReaching([file], imports, allTests().filter(isUnit), () => '').tests
  if (tests.length === 0) return say(`${file}: no test of a unit or a port imports it`)
  const twin = builtPath(file)
  const whole = readFileSync(twin, 'utf8')
  const passes = async () => {
    const { passed } = await runTests(tests, { ...LIMITS, tapFile: TAP_FILE, tell: () => {} })
    return passed
  }
  if (!(await passes())) return say(`${file}: its tests fail without a mistake`)
  // Also when the run is interrupted: later runs would test a broken source.
  const restore = () => writeFileSync(twin, whole)
  process.on('exit', restore)
  const survivors = []
  const chosen = chooseFrom(mutantsOf(source), count)
  try {
    for (const mutant of chosen) {
      writeFileSync(twin, await twinTextOf(file, mutant.text))
      if (await passes()) survivors.push(mutant)
    }
  } finally {
    restore()
    process.off('exit', restore)
  }
  const killed = chosen.length - survivors.length
  process.stdout.write(`${file}: ${killed} of ${chosen.length} noticed by ${tests.length} files\n`)
  for (const { line, before, after } of survivors) {
    process.stdout.write(`  ${file}:${line}: ${short(before)} -> ${short(after)}\n`)
  }
}

async function twinTextOf(file, text) {
  const settings = { loader: 'ts', format: 'esm', platform: 'node', target: 'es2022' }
  const { code } = await transform(text, settings)
  return retargeted(code, (specifier) => {
    const target = resolve(root, dirname(file), specifier)
    return { path: relative(root, target), url: pathToFileURL(target).href }
  }).text
}

function chooseFrom(mutants, wanted) {
  const left = [...mutants]
  const chosen = []
  while (chosen.length < wanted && left.length > 0) {
    chosen.push(...left.splice(Math.floor(random() * left.length), 1))
  }
  return chosen.sort((a, b) => a.line - b.line)
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(start) {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function short(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
