import t from 'tap'
import { circlesOf } from '../../scripts/house/graph.ts'
import { ARCHITECTURE, roomsPicture } from '../../scripts/house/picture.ts'
import { roomGraph, roomImports } from '../../scripts/house/room-imports.ts'
import { ROOMS, roomOf } from '../../scripts/house/rooms.ts'
import { mayHoldSql, product, repository, tree } from './tree.ts'

/** Every file stands in a room, and rooms look downward only (ADR 35). */

const ROOMS_MAX = 31
/** Modules of gateway and worker alike: neither a writer nor anything with SQL. */
const SHARED = ['core', 'proto', 'wire', 'events', 'cluster']
/** Pure, and below what both share. */
const BELOW = ['conditions']

const imports = roomImports(tree)

t.test('the house has few rooms, and each stands above those that it uses', (t) => {
  t.ok(ROOMS.length <= ROOMS_MAX, `${ROOMS.length} rooms`)
  const below = new Set<string>()
  for (const { name, uses } of ROOMS) {
    t.strictSame(
      uses.filter((use) => !below.has(use)),
      [],
      `${name} uses what stands before it`,
    )
    t.notOk(below.has(name), `${name} is named once`)
    below.add(name)
  }
  t.end()
})

t.test('every file of the product stands in a room', (t) => {
  t.strictSame(
    product.filter((path) => roomOf(path) === undefined),
    [],
  )
  t.end()
})

t.test('rooms use what the table of rooms says, and all of it', (t) => {
  const usesOf = new Map(ROOMS.map(({ name, uses }) => [name, new Set(uses)]))
  // Benches are not shipped, and may build on what tests build on.
  const isOfTests = (path: string, target: string) =>
    path.startsWith('bench/') && target.startsWith('test/support/')
  const wrong = imports
    .filter(({ from, to }) => to === undefined || !usesOf.get(from)?.has(to))
    .filter(({ path, target }) => !isOfTests(path, target))
    .map(({ path, target }) => `${path} imports ${target}`)
  t.strictSame(wrong, [])
  const graph = roomGraph(imports)
  const idle = ROOMS.flatMap(({ name, uses }) =>
    uses.filter((use) => !graph.get(name)?.has(use)).map((use) => `${name} does not use ${use}`),
  )
  t.strictSame(idle, [], 'take it out of scripts/house/rooms.ts')
  t.end()
})

t.test('SQL of requests is written in the rooms of SQL alone', (t) => {
  // Cohorts of a call are written in turns, before the statements that hold them.
  const isOfSql = (target: string) =>
    target === 'src/postgres/fragment.ts' ||
    /^src\/event-store\/(?:postgres|clickhouse)\/renderer\/(?!cohort-sql)/.test(target)
  const wrong = imports
    .filter(({ path, target }) => !mayHoldSql(path) && isOfSql(target))
    .map(({ path, target }) => `${path} imports ${target}`)
  t.strictSame(wrong, [])
  t.end()
})

t.test('questions about events know a port, and one place opens what is behind it', (t) => {
  const behind = imports
    .filter(
      ({ path, target }) =>
        path.startsWith('src/query/') &&
        /^src\/event-store\/(?:postgres|clickhouse)\/insights\//.test(target),
    )
    .map(({ path, target }) => `${path} imports ${target}`)
  t.strictSame(behind, [
    'src/query/insights/count-answers.ts imports src/event-store/postgres/insights/postgres-insights.ts',
  ])
  t.end()
})

t.test('no rooms go in a circle', (t) => {
  t.strictSame(circlesOf(roomGraph(imports)), [])
  t.end()
})

t.test('the gateway uses what both sides share, and no writer', (t) => {
  const gateway = ROOMS.find(({ name }) => name === 'gateway')
  t.strictSame(gateway?.uses.toSorted(), SHARED.toSorted())
  for (const { name, uses } of ROOMS) {
    if (!SHARED.includes(name)) continue
    t.strictSame(
      uses.filter((use) => ![...SHARED, ...BELOW].includes(use)),
      [],
      `${name} is shared, and so is what it uses`,
    )
  }
  t.end()
})

t.test('the commands are used by nobody, and the worker by them alone', (t) => {
  const usersOf = (room: string) =>
    ROOMS.filter(({ uses }) => uses.includes(room)).map(({ name }) => name)
  t.strictSame(usersOf('cli'), [])
  t.strictSame(usersOf('worker'), ['cli'])
  t.end()
})

t.test('the picture of the rooms is the one of these imports', (t) => {
  t.equal(repository.text(ARCHITECTURE), roomsPicture(tree), 'fresh, else run "npm run gen"')
  t.end()
})
