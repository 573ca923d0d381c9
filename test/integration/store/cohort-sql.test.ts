import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { type JsonObject, objectOf } from '../../../src/core/json.ts'
import { exactJson, parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import { type Zone, zoneOf } from '../../../src/core/time/zone.ts'
import { workAtOnce } from '../../../src/core/work/turns.ts'
import type { Members } from '../../../src/events/trees/members.ts'
import { compilingCohorts, holds } from '../../../src/flags/cohorts.ts'
import type { CohortDefinition } from '../../../src/flags/definition.ts'
import { Subject } from '../../../src/flags/subject.ts'
import { cohortMembers } from '../../../src/store/cohorts/cohort-members.ts'
import { isMember } from '../../../src/store/cohorts/cohort-sql.ts'
import { commas, fragment, render } from '../../../src/store/pool/fragment.ts'
import { OPERATORS, VALUES, WANTED, ZONES } from '../../support/conditions/conditions.ts'
import { putPerson } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'

/** `COHORT_RUNS=1000000 SEED=n` tries others. A failure names the seed of its trees. */
const TREES = Number(process.env['COHORT_RUNS'] ?? 10_000)
const SEED = Number(process.env['SEED'] ?? 7)
/** Trees of one statement. */
const AT_ONCE = 100
const NOW = Date.parse('2026-11-20T10:00:00.123Z')
const KEYS = ['p', 'q', '$initial_p', '$initial_browser']

const leaf = fc.record({
  type: fc.constantFrom('person', undefined),
  key: fc.constantFrom(...KEYS),
  operator: fc.constantFrom(...OPERATORS),
  value: fc.constantFrom(...WANTED),
  negation: fc.constantFrom(true, false, undefined),
})
const inner = fc.record({
  ...{ type: fc.constant('cohort'), key: fc.constant('id') },
  value: fc.constantFrom(1, '2'),
  operator: fc.constantFrom('in', 'not_in', undefined),
  negation: fc.constantFrom(true, false),
})
const group = fc.record({
  type: fc.constantFrom('AND', 'OR'),
  values: fc.array(fc.oneof({ weight: 4, arbitrary: leaf }, inner), { maxLength: 3 }),
})
const definition = fc.oneof(
  group,
  fc.record({ type: fc.constantFrom('AND', 'OR'), values: fc.array(group, { maxLength: 2 }) }),
  fc.array(leaf, { maxLength: 2 }),
)

const zones = fc.constantFrom(...ZONES).map(zoneOf)

type Known = {
  readonly definitions: readonly CohortDefinition[]
  readonly zone: Zone
  readonly members: Members
  readonly text: string
}

/** Numbers of more digits than a double has, as JSON text. */
const LONG = [
  ...['9007199254740993', '-9007199254740993.25', '0.1234567890123456789', '7'.repeat(400)],
  ...['1000000000000000000000', '12345678901234567000000', '0.00000012345678901234567'],
  ...[`0.${'0'.repeat(420)}12`, `1763632800.${'1'.repeat(30)}`, '1763632800123456789'],
]

type Stored = { readonly id: string; readonly properties: JsonObject }

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
  const inOneStatement = async (all: readonly Members[]): Promise<readonly string[][]> => {
    const found = all.map((): string[] => [])
    const bits = all.map((each) => fragment`coalesce(${isMember(each)}, false)`)
    const asked = fragment`
      select p.id::text as id, array[${commas(bits)}]::text[] as found from persons p`
    const { text, values } = render(asked)
    const rows = await sql.unsafe<{ id: string; found: string[] }[]>(text, [...values])
    for (const { id, found: own } of rows) {
      for (const [place, bit] of own.entries()) if (bit === 'true') found[place]?.push(id)
    }
    return found.map((ids) => ids.sort())
  }
  const inFlags = (definitions: readonly CohortDefinition[], zone: Zone) => {
    const cohorts = workAtOnce(compilingCohorts(definitions, zone))
    const cohort = cohorts.byId.get(3)
    const found = persons.filter(({ id, properties }) => {
      const ids = stored.has(id) ? new Set([1]) : new Set<number>()
      const known = { personProperties: properties, staticCohortIds: ids }
      const subject = new Subject({ distinctId: 'x' }, known, NOW)
      return cohort !== undefined && holds(cohort, cohorts, subject)
    })
    return new Set(found.map(({ id }) => id))
  }
  const cohort = (id: number, filters: unknown, isStatic = false): CohortDefinition => ({
    ...{ id, name: '', isStatic, deleted: false, filters },
  })
  await t.test(`${TREES} random trees, of the seed ${SEED}`, async (t) => {
    const trees = fc.record({
      filters: definition,
      second: fc.array(leaf, { maxLength: 1 }),
      zones,
    })
    let compared = 0
    for (let batch = 0; batch * AT_ONCE < TREES; batch++) {
      const numRuns = Math.min(AT_ONCE, TREES - batch * AT_ONCE)
      const asked = fc.sample(trees, { seed: SEED + batch, numRuns })
      const known = asked.flatMap(({ filters, second, zones: zone }) => {
        const definitions = [
          cohort(1, {}, true),
          cohort(2, JSON.parse(JSON.stringify(second))),
          cohort(3, JSON.parse(JSON.stringify({ properties: filters }))),
        ]
        const members = cohortMembers(definitions, { nowMs: NOW, zone })(3)
        return members.ok ? [{ definitions, zone, members: members.value }] : []
      })
      const found = await inOneStatement(known.map(({ members }) => members))
      for (const [place, { definitions, zone }] of known.entries()) {
        const said = [...inFlags(definitions, zone)].sort()
        const text = `seed ${SEED + batch}: ${JSON.stringify(definitions)} in ${zone.name}`
        if (isDeepStrictEqual(found[place], said)) compared++
        else t.strictSame(found[place], said, text)
      }
    }
    t.ok(compared > TREES / 2, `${compared} are compared, and the same`)
  })

  await t.test('each operator with each value', async (t) => {
    for (const [at, operator] of OPERATORS.entries()) {
      const known: Known[] = []
      for (const [place, value] of [...WANTED, ...LONG].entries()) {
        // All zones for each operator, and not all for each value.
        const zone = zoneOf(ZONES[(at + place) % ZONES.length] ?? 'UTC')
        const asked = JSON.parse(JSON.stringify({ properties: [{ key: 'p', operator, value }] }))
        const definitions = [cohort(3, asked)]
        const members = cohortMembers(definitions, { nowMs: NOW, zone })(3)
        const text = `${operator} ${JSON.stringify(value)} in ${zone.name}`
        if (members.ok) known.push({ definitions, zone, members: members.value, text })
      }
      const found = await inOneStatement(known.map(({ members }) => members))
      for (const [place, { definitions, zone, text }] of known.entries()) {
        const said = [...inFlags(definitions, zone)].sort()
        t.strictSame(valuesOf(found[place] ?? [], persons), valuesOf(said, persons), text)
      }
    }
  })
})
