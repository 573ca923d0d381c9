import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../src/core/json.ts'
import { type Zone, zoneOf } from '../../../src/core/time/zone.ts'
import { workAtOnce } from '../../../src/core/work/turns.ts'
import { compilingCohorts, holds } from '../../../src/flags/cohorts.ts'
import type { CohortDefinition } from '../../../src/flags/definition.ts'
import { Subject } from '../../../src/flags/subject.ts'
import { cohortMembers } from '../../../src/store/cohorts/cohort-members.ts'
import { isMember } from '../../../src/store/cohorts/cohort-sql.ts'
import { fragment, render } from '../../../src/store/pool/fragment.ts'
import { OPERATORS, VALUES, WANTED, ZONES } from '../../support/conditions/conditions.ts'
import { putPerson } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'

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

type Stored = { readonly id: string; readonly properties: JsonObject }

function valuesOf(ids: readonly string[], persons: readonly Stored[]): readonly string[] {
  return ids.map(
    (id) => JSON.stringify(persons.find((each) => each.id === id)?.properties['p']) ?? '',
  )
}

t.test('SQL and the flags say the same of who is in a cohort', async (t) => {
  const { sql } = await testDatabase(t)
  const persons: { id: string; properties: JsonObject }[] = []
  const put = async (properties: object) => {
    const { id } = await putPerson(sql, 1, { distinctIds: [], properties })
    const [row] = await sql<{ text: string }[]>`
      select properties::text as text from persons where id = ${id}`
    persons.push({ id, properties: JSON.parse(row?.text ?? '{}') })
  }
  for (const value of VALUES) await put({ p: value, $browser: value })
  await put({})
  await put({ q: 'a', $initial_p: 7 })
  const stored = new Set(persons.filter((_, at) => at % 3 === 0).map(({ id }) => id))
  await sql`alter table cohort_people drop constraint cohort_people_cohort_id_fkey`
  for (const id of stored) await sql`insert into cohort_people values (1, ${id})`

  const inSql = async (definitions: readonly CohortDefinition[], zone: Zone) => {
    const members = cohortMembers(definitions, { nowMs: NOW, zone })(3)
    if (!members.ok) return undefined
    const asked = fragment`select p.id::text as id from persons p where ${isMember(members.value)}`
    const { text, values } = render(asked)
    return new Set((await sql.unsafe<{ id: string }[]>(text, [...values])).map(({ id }) => id))
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
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      definition,
      fc.array(leaf, { maxLength: 1 }),
      zones,
      async (filters, second, zone) => {
        const asked = JSON.parse(JSON.stringify({ properties: filters }))
        const definitions = [
          cohort(1, {}, true),
          cohort(2, JSON.parse(JSON.stringify(second))),
          cohort(3, asked),
        ]
        const found = await inSql(definitions, zone)
        if (found === undefined) return
        compared++
        t.strictSame(
          [...found].sort(),
          [...inFlags(definitions, zone)].sort(),
          JSON.stringify(filters),
        )
      },
    ),
    { numRuns: Number(process.env['COHORT_RUNS'] ?? 300) },
  )
  t.ok(compared > 200, 'most of them are compared')

  await t.test('each operator with each value', async (t) => {
    for (const [at, operator] of OPERATORS.entries()) {
      for (const [place, value] of WANTED.entries()) {
        // All zones for each operator, and not all for each value.
        const zone = zoneOf(ZONES[(at + place) % ZONES.length] ?? 'UTC')
        const asked = JSON.parse(JSON.stringify({ properties: [{ key: 'p', operator, value }] }))
        const definitions = [cohort(3, asked)]
        const found = await inSql(definitions, zone)
        if (found === undefined) continue
        const said = [...inFlags(definitions, zone)].sort()
        const text = `${operator} ${JSON.stringify(value)} in ${zone.name}`
        t.strictSame(valuesOf([...found].sort(), persons), valuesOf(said, persons), text)
      }
    }
  })
})
