import t from 'tap'
import { type Evidence, readSpec } from './spec-tables.ts'
import { repository, targetsOf, tree } from './tree.ts'

/** Invariants of SPEC are shown by tests that exist. */

const spec = readSpec(repository.text('docs/SPEC.md'))
/** Files whose tests run in the process of a test that imports them. */
const PARTS = new Set(tree.sources.filter(isTest).flatMap(targetsOf))
const PROMISES = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6']

t.test('every row of SPEC can be read', (t) => {
  t.strictSame(spec.unread, [])
  t.ok(spec.invariants.length >= 90, `${spec.invariants.length} invariants`)
  const ids = spec.invariants.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'numbers are used once')
  const lines = repository.text('docs/SPEC.md').split('\n')
  const rows = lines
    .filter((line) => /^\| I\d+ /.test(line))
    .map((line) => line.replace(/^\| I\d+ /, ''))
  t.strictSame(
    rows.filter((row, index) => rows.indexOf(row) !== index),
    [],
    'nothing is said twice',
  )
  t.end()
})

t.test('every invariant of SPEC names a test that exists', (t) => {
  t.strictSame(spec.invariants.flatMap(faultOf), [])
  t.end()
})

t.test('every promise of SPEC names invariants and tests that exist', (t) => {
  t.strictSame([...spec.promises.keys()], PROMISES)
  const invariants = new Set(spec.invariants.map(({ id }) => id))
  for (const [promise, makers] of spec.promises) {
    const unknown = makers.filter((maker) => !invariants.has(maker))
    t.strictSame(unknown, [], `${promise} names invariants`)
  }
  t.strictSame([...new Set(spec.trials.map(({ id }) => id))], PROMISES, 'each is tried')
  t.strictSame(spec.trials.flatMap(faultOf), [])
  t.end()
})

function isTest(path: string): boolean {
  return /^test\/.*\.(?:test|fault)\.ts$/.test(path)
}

function faultOf({ id, path, title }: Evidence): readonly string[] {
  if (!repository.has(path)) return [`${id}: there is no ${path}`]
  if (!isTest(path) && !PARTS.has(path)) return [`${id}: ${path} is no test`]
  return tree.testTitlesOf(path).includes(title) ? [] : [`${id}: ${path} has no test "${title}"`]
}
