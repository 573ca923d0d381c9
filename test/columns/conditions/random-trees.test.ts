/** Random trees of conditions find the same in ClickHouse as in memory, where Postgres finds it too. */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { insertBlock } from '../../../src/clickhouse/block.ts'
import { objectOf } from '../../../src/core/json.ts'
import { parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import { filterIn } from '../../../src/event-store/clickhouse/renderer/filter.ts'
import {
  READ_SETTINGS,
  toStatement,
} from '../../../src/event-store/clickhouse/renderer/statement.ts'
import type { Members } from '../../../src/events/trees/members.ts'
import { commas, type Fragment, fragment, join } from '../../../src/postgres/fragment.ts'
import { columnEvent, columnServer, columnStore } from '../../support/columns/column-store.ts'
import { VALUES } from '../../support/conditions/conditions.ts'
import { inMemory, type Known, LONG, randomTrees } from '../../support/conditions/random-cohorts.ts'

t.setTimeout(3_600_000)

/** `COHORT_RUNS=1000000 SEED=n` tries others. A failure names the seed of its trees. */
const TREES = Number(process.env['COHORT_RUNS'] ?? 3_000)
const SEED = Number(process.env['SEED'] ?? 7)
/** Trees of one statement: some make hundreds of expressions of one condition. */
const AT_ONCE = 20
/** None that a person alone has. */
const KEYS = ['p', 'q']

const columns = await columnStore(t, await columnServer(t))
const values = [
  ...VALUES.map((value) => JSON.stringify(value)),
  ...LONG.flatMap((long) => [long, `[${long},"a"]`, `"${long}"`]),
]
const texts = [...values.map((value) => `{"p":${value}}`), '{}', '{"q":"a"}']
const events = texts.map((properties) => columnEvent({ properties }))
await insertBlock(columns, { number: 1, events })
const stored = events.map(({ uuid, properties }) => ({
  ...{ id: uuid, properties: objectOf(parseExact(properties)) },
}))
const written = new Set(stored.filter((_, at) => at % 3 === 0).map(({ id }) => id))

function sqlOf(members: Members): Fragment {
  switch (members.kind) {
    case 'every':
    case 'some': {
      const parts = members.parts.map(sqlOf)
      const none = members.kind === 'every' ? fragment`true` : fragment`false`
      return fragment`(${join([none, ...parts], members.kind === 'every' ? 'and' : 'or')})`
    }
    case 'not':
      return fragment`not (${sqlOf(members.part)})`
    case 'stored':
      return fragment`has(splitByChar(',', ${[...written].join()}), toString(e.uuid))`
    case 'property': {
      const { names, condition, negated } = members
      const node = { kind: 'property', source: 'event', key: names[0] ?? '', condition } as const
      return negated ? fragment`not (${filterIn(node)})` : filterIn(node)
    }
    case 'nobody':
      return fragment`false`
    default:
      return members satisfies never
  }
}

/** Ids of those that are in each, sorted. */
async function inOneStatement(all: readonly Known[]): Promise<readonly (readonly string[])[]> {
  const bits = all.map(({ members }) => fragment`toString(coalesce(${sqlOf(members)}, false))`)
  const table: Fragment = { text: [`${columns.database}.events`], values: [] }
  const { sql, parameters } = toStatement(
    fragment`select toString(e.uuid), arrayStringConcat([${commas(bits)}], ',') from ${table} e`,
  )
  const rows = await columns.rows(`${sql} ${READ_SETTINGS}`, parameters)
  const found = all.map((): string[] => [])
  for (const [id, own] of rows) {
    for (const [place, bit] of String(own).split(',').entries()) {
      if (bit === 'true' || bit === '1') found[place]?.push(String(id))
    }
  }
  return found.map((ids) => ids.sort())
}

t.test('random trees find the same in ClickHouse as in memory', async (t) => {
  t.comment(`${TREES} trees, of the seed ${SEED}`)
  let compared = 0
  const trees = randomTrees(KEYS, { trees: TREES, seed: SEED, atOnce: AT_ONCE })
  const compareAll = async () => {
    for (const known of trees) {
      const found = await inOneStatement(known)
      for (const [place, each] of known.entries()) {
        const said = inMemory(each, stored, written)
        if (isDeepStrictEqual(found[place], said)) compared++
        else t.strictSame(found[place], said, each.text)
      }
    }
  }
  // One is decided in memory while ClickHouse reads the other.
  await Promise.all([compareAll(), compareAll()])
  t.ok(compared > TREES / 2, `${compared} are compared, and the same`)
})
