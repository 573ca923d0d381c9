/** Reports of `npm test` about files that fail, end or hang, each in a process or shared. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { processesOf } from '../../../scripts/testing/leftovers.mjs'
import { packageRoot } from '../../../src/core/package-root.ts'
import { type Outcome, runFiles, writeFiles } from '../../support/runner.ts'
import { until } from '../../support/until.ts'

const PASSES = `t.test('works', async (t) => { t.ok(true) })`
/** Starts one process of its own group in its own folder, and one as any. */
const STARTS_TWO = `
  import { spawn } from 'node:child_process'
  const endless = ['-e', 'setTimeout(() => {}, 2 ** 31 - 1)']
  const cwd = process.env.TMPDIR
  spawn(process.execPath, endless, { detached: true, stdio: 'ignore', cwd, env: {} }).unref()
  spawn(process.execPath, [...endless, process.env.MARK], { stdio: 'ignore' }).unref()`

const FAULTY = {
  'throws when it is imported': `throw new Error('at once')`,
  'has no tests': '',
  'loses a rejection': `${PASSES}
    t.test('waits', async (t) => {
      void Promise.reject(new Error('nobody took it'))
      await new Promise((resolve) => setTimeout(resolve, 50))
      t.pass()
    })`,
  'throws where nobody waits': `t.test('waits', async (t) => {
      setTimeout(() => { throw new Error('late') }, 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      t.pass()
    })`,
  'has a test that never ends': `t.test('hangs', { timeout: 100 }, () => new Promise(() => {}))`,
}
const FATAL = {
  'ends its process': `t.test('never ends', () => new Promise(() => process.exit(0)))`,
  'is killed': `t.test('never ends', () => new Promise(() => process.kill(process.pid, 'SIGKILL')))`,
}

/** Both ways to run a file. */
for (const [tier, how] of [
  ['alone', 'in a process of its own'],
  ['unit', 'in a shared process'],
]) {
  const at = (name: string) => `test/${tier}/${name}.test.ts`

  t.test(`files ${how}`, async (t) => {
    t.test('each test counts once, and one that fails is named', async (t) => {
      const fails = `t.test('is wrong', async (t) => { t.equal(1, 2, 'the same') })`
      const outcome = await runFiles(t, { [at('a')]: PASSES, [at('b')]: `${PASSES}\n${fails}` })
      t.match(outcome, { passed: false, count: 2 })
      t.same(outcome.failures, [`${at('b')}: is wrong`, `${at('b')}: is wrong: the same`])
      t.same([...outcome.told].sort(), [`NOT OK ${at('b')}`, `ok ${at('a')}`])
    })

    t.test('all that pass are a run that passed', async (t) => {
      const outcome = await runFiles(t, { [at('a')]: PASSES, [at('b')]: PASSES })
      t.match(outcome, { passed: true, count: 2, failures: [] })
    })

    const isNamed = ({ failures }: Outcome, file: string) =>
      failures.some((failure) => failure.startsWith(file))

    t.test('files that go wrong fail by name, and others pass', async (t) => {
      const files = Object.values(FAULTY).map((code, index) => [at(`faulty-${index}`), code])
      const outcome = await runFiles(t, {
        [at('a')]: PASSES,
        ...Object.fromEntries(files),
        [at('z')]: PASSES,
      })
      t.equal(outcome.passed, false)
      for (const other of ['a', 'z']) {
        t.ok(outcome.told.includes(`ok ${at(other)}`), other)
        t.notOk(isNamed(outcome, at(other)), other)
      }
      for (const [index, what] of Object.keys(FAULTY).entries()) {
        t.ok(isNamed(outcome, at(`faulty-${index}`)), `${what}: ${outcome.failures.join('\n')}`)
      }
    })

    // One at a time: the files that are left would have no process to share.
    for (const [what, code] of Object.entries(FATAL)) {
      t.test(`a file that ${what} fails, and others pass`, async (t) => {
        const files = { [at('a')]: PASSES, [at('fatal')]: code, [at('z')]: PASSES }
        const outcome = await runFiles(t, files)
        t.equal(outcome.passed, false)
        for (const other of ['a', 'z']) t.ok(outcome.told.includes(`ok ${at(other)}`), other)
        t.ok(isNamed(outcome, at('fatal')), outcome.failures.join('\n'))
      })
    }
  })
}

t.test(
  'a file that leaves its shared process changed fails, and the next finds it as it was',
  async (t) => {
    const leaves = {
      'environment: LEFT': `process.env.LEFT = '1'`,
      'global: left': `globalThis.left = 1`,
      'global: fetch': `globalThis.fetch = () => {}`,
      'listener: SIGHUP': `process.on('SIGHUP', function leaves() {})`,
      'working folder': `process.chdir('/')`,
      umask: `process.umask(0o777)`,
    }
    const looks = `
    t.test('looks', async (t) => {
      const { LEFT } = process.env
      const listens = process.listeners('SIGHUP').some(({ name }) => name === 'leaves')
      t.same([LEFT, globalThis.left, listens, process.cwd() === '/'], [undefined, undefined, false, false])
      t.match(String(globalThis.fetch), /^(async )?function/)
      t.not(process.umask(), 0o777)
    })`
    // In the order of their names, one process for all.
    const files = Object.entries(leaves).flatMap(([, code], index) => [
      [`test/unit/${index}-a.test.ts`, `${code}\n${PASSES}`],
      [`test/unit/${index}-b.test.ts`, looks],
    ])
    const run = await runFiles(t, Object.fromEntries(files), { processes: 1 })
    t.equal(run.passed, false)
    const told = Object.keys(leaves).map(
      (what, index) => `test/unit/${index}-a.test.ts: left changed ${what}: outside its tests`,
    )
    t.same(run.failures, told)
  },
)

/** Fails in its first run only. */
const failsOnce = (mark: string) => `
  import { existsSync, writeFileSync } from 'node:fs'
  t.test('takes its chance', async (t) => {
    const isAgain = existsSync(${JSON.stringify(mark)})
    writeFileSync(${JSON.stringify(mark)}, '')
    t.ok(isAgain, 'luck')
  })`
const NEVER = `t.test('is wrong', async (t) => { t.ok(false, 'never') })`

t.test('a file that fails by chance is run once more, and told', async (t) => {
  const marks = t.testdir()
  for (const name of ['test/alone/a.test.ts', 'test/unit/a.test.ts']) {
    const files = { [name]: failsOnce(join(marks, name.replaceAll('/', '-'))) }
    const others = { 'test/unit/b.test.ts': PASSES, 'test/unit/c.test.ts': PASSES }
    const outcome = await runFiles(t, { ...files, ...others }, { againMax: 1 })
    t.match(outcome, { passed: true, count: 2, failures: [], shaky: [`${name}: takes its chance`] })
    t.ok(outcome.told.includes(`NOT OK ${name}`))
    t.same(outcome.told.slice(-2), ['sluice: what failed is run once more', `ok ${name}`])
  }
})

t.test('a file that fails twice, or with too many others, has failed', async (t) => {
  const marks = t.testdir()
  const lucky = (name: string) => ({ [`test/alone/${name}.test.ts`]: failsOnce(join(marks, name)) })
  const never = { 'test/alone/z.test.ts': NEVER }
  const both = await runFiles(t, { ...lucky('a'), ...never }, { againMax: 2 })
  t.match(both, { passed: false, failures: ['test/alone/z.test.ts: is wrong', /never$/] })
  t.same(both.shaky, ['test/alone/a.test.ts: takes its chance'])
  const many = await runFiles(t, { ...lucky('b'), ...lucky('c') }, { againMax: 1 })
  t.match(many, { passed: false, shaky: [] })
  t.equal(many.failures.length, 4)
  const checks = [{ name: 'types', args: ['-e', 'process.exit(1)'] }]
  const checked = await runFiles(t, lucky('d'), { againMax: 1, checks })
  t.match(checked, { passed: false, shaky: [] })
  t.match(await runFiles(t, lucky('e')), { passed: false, shaky: [] }, 'not unless it is asked for')
})

t.test('a run of no tests is none that passed', async (t) => {
  t.match(await runFiles(t, {}), { passed: false, count: 0 })
})

t.test('a check that fails is told like a test', async (t) => {
  const checks = [
    { name: 'good', args: ['-e', ''] },
    { name: 'bad', args: ['-e', 'console.error("wrong"); process.exit(3)'] },
  ]
  const outcome = await runFiles(t, { 'test/alone/a.test.ts': PASSES }, { checks })
  t.match(outcome, {
    passed: false,
    count: 1,
    failures: ['bad: ended with 3', 'bad: ended with 3: ended with 3'],
  })
})

function mark(): string {
  return `mark-${process.pid}-${Math.random()}`
}

async function noneLeft(t: Test, named: string) {
  const left = () => processesOf({ group: -1, folders: [named] })
  await until('nothing is left', () => left().length === 0, { seen: left })
  t.same(left(), [])
}

t.test('a file ended by its limit leaves no process, in whatever group', async (t) => {
  const MARK = mark()
  // Computes without end: tap's own limit cannot come.
  const hangs = `${STARTS_TWO}\nt.test('hangs', async () => { for (;;); })`
  const folder = t.testdir()
  const env = { ...process.env, MARK, TMPDIR: folder }
  const options = { limitS: 1, graceS: 0.5, env }
  const outcome = await runFiles(t, { 'test/alone/a.test.ts': hangs }, options)
  t.equal(outcome.passed, false)
  t.match(outcome.failures.join('\n'), /did not end within its limit/)
  await noneLeft(t, MARK)
})

t.test('processes that a file leaves when it ends are ended and reported', async (t) => {
  const MARK = mark()
  const env = { ...process.env, MARK }
  const files = { 'test/alone/a.test.ts': `${STARTS_TWO}\n${PASSES}` }
  const { passed, told } = await runFiles(t, files, { env })
  t.equal(passed, true)
  t.same(told.at(-1), 'test/alone/a.test.ts left 2 processes')
  await noneLeft(t, MARK)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} to a run ends everything`, async (t) => {
    const MARK = mark()
    const file = 'test/alone/a.test.ts'
    const hangs = `${STARTS_TWO}\nprocess.stderr.write('begun')\nt.test('hangs', () => new Promise(() => {}))`
    const { moduleOf, tapFile } = writeFiles(t, { [file]: hangs })
    const program = `
      const { runTests } = await import(${JSON.stringify(join(packageRoot, 'scripts/testing/run-tests.mjs'))})
      await runTests([${JSON.stringify(file)}], {
        tapFile: ${JSON.stringify(tapFile)},
        moduleOf: () => ${JSON.stringify(moduleOf?.(file))},
      })`
    const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, MARK },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    run.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until('it runs', () => said.includes('begun'), { seen: () => said })
    const ended = new Promise((resolve) => run.once('exit', resolve))
    run.kill(signal)
    t.equal(await ended, signal === 'SIGINT' ? 130 : 143)
    await noneLeft(t, MARK)
  })
}
