import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { type JsonObject, objectOf } from '../../../src/core/json.ts'
import { exactJson, parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { isMember } from '../../../src/event-store/postgres/renderer/cohort-sql.ts'
import { commas, fragment, render } from '../../../src/postgres/fragment.ts'
import { OPERATORS, VALUES, WANTED, ZONES } from '../../support/conditions/conditions.ts'
import {
  cohortOf,
  inMemory,
  type Known,
  knownOf,
  LONG,
  randomTrees,
  type Stored,
} from '../../support/conditions/random-cohorts.ts'
import { putPerson } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'

/** `COHORT_RUNS=1000000 SEED=n` tries others. A failure names the seed of its trees. */
const TREES = Number(process.env['COHORT_RUNS'] ?? 10_000)
const SEED = Number(process.env['SEED'] ?? 7)
/** Trees of one statement. */
const AT_ONCE = 100
const KEYS = ['p', 'q', '$initial_p', '$initial_browser']

function valuesOf(ids: readonly string[], persons: readonly Stored[]): readonly string[] {
  return ids.map((id) => exactJson(persons.find((each) => each.id === id)?.properties['p'] ?? null))
}

t.test('SQL and the flags say the same of who is in a cohort', async (t) => {
  const { sql } = await testDatabase(t)
  const persons: { id: string; properties: JsonObject }[] = []
  const put = async (properties: object, text?: string) => {
    const { id } = await putPerson(sql, 1, { distinctIds: [], properties })
    if (text !== undefined) {
      await sql`update persons set properties = ${text}::text::jsonb where id = ${id}`
    }
    const [row] = await sql<{ text: string }[]>`
      select properties::text as text from persons where id = ${id}`
    persons.push({ id, properties: objectOf(parseExact(row?.text ?? '{}')) })
  }
  for (const value of VALUES) await put({ p: value, $browser: value })
  for (const long of LONG) {
    for (const text of [long, `[${long},"a"]`, `"${long}"`]) await put({}, `{"p":${text}}`)
  }
  await put({})
  await put({ q: 'a', $initial_p: 7 })
  const stored = new Set(persons.filter((_, at) => at % 3 === 0).map(({ id }) => id))
  await sql`alter table cohort_people drop constraint cohort_people_cohort_id_fkey`
  for (const id of stored) await sql`insert into cohort_people values (1, ${id})`

  /** Ids of who is in each, sorted. */
  const inOneStatement = async (all: readonly Known[]): Promise<readonly string[][]> => {
    const found = all.map((): string[] => [])
    const bits = all.map(({ members }) => fragment`coalesce(${isMember(members)}, false)`)
    const asked = fragment`
      select p.id::text as id, array[${commas(bits)}]::text[] as found from persons p`
    const { text, values } = render(asked)
    const rows = await sql.unsafe<{ id: string; found: string[] }[]>(text, [...values])
    for (const { id, found: own } of rows) {
      for (const [place, bit] of own.entries()) if (bit === 'true') found[place]?.push(id)
    }
    return found.map((ids) => ids.sort())
  }
  await t.test(`${TREES} random trees, of the seed ${SEED}`, async (t) => {
    let compared = 0
    for (const known of randomTrees(KEYS, { trees: TREES, seed: SEED, atOnce: AT_ONCE })) {
      const found = await inOneStatement(known)
      for (const [place, each] of known.entries()) {
        const said = inMemory(each, persons, stored)
        if (isDeepStrictEqual(found[place], said)) compared++
        else t.strictSame(found[place], said, each.text)
      }
    }
    t.ok(compared > TREES / 2, `${compared} are compared, and the same`)
  })

  await t.test('each operator with each value', async (t) => {
    for (const [at, operator] of OPERATORS.entries()) {
      // All zones for each operator, and not all for each value.
      const known = [...WANTED, ...LONG].flatMap((value, place) => {
        const zone = zoneOf(ZONES[(at + place) % ZONES.length] ?? 'UTC')
        const text = `${operator} ${JSON.stringify(value)} in ${zone.name}`
        return knownOf([cohortOf({ key: 'p', operator, value })], zone, text) ?? []
      })
      const found = await inOneStatement(known)
      for (const [place, each] of known.entries()) {
        const said = inMemory(each, persons, new Set())
        t.strictSame(valuesOf(found[place] ?? [], persons), valuesOf(said, persons), each.text)
      }
    }
  })
})
