import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../src/core/json.ts'
import { compileCohorts, holds } from '../../../src/flags/cohorts.ts'
import type { CohortDefinition } from '../../../src/flags/definition.ts'
import { Subject } from '../../../src/flags/subject.ts'
import { cohortMembers } from '../../../src/store/cohorts/cohort-members.ts'
import { isMember } from '../../../src/store/cohorts/cohort-sql.ts'
import { fragment, render } from '../../../src/store/pool/fragment.ts'
import { putPerson } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'

const NOW = Date.parse('2026-11-20T10:00:00.123Z')

const VALUES: readonly unknown[] = [
  ...[
    '',
    'a',
    'A',
    'Abc',
    'abc@x.ORG',
    'İΣΑΣ',
    'Straße',
    'ä',
    'a\nb',
    'x.y',
    '%_\\',
    'true',
    'null',
  ],
  ...['7', '7.0', '+7.', '.5', '-0', '1e3', '1e-400', '1e99999', '0e99999', '-1e400', ' 7', '7e'],
  ...[0, -0, 7, 7.5, 1e21, 1.5e16, 1e-7, 1e-6, 123456789.125, -5, 0.1, 1e300, 1e15, 5e-324],
  ...[true, false, null],
  ...[
    [],
    ['a', 'b'],
    ['a', 1, null, [true]],
    {},
    { b: 1, a: 'x', 10: [], 2: 'y' },
    { 'a"\n\u0001é': 1e21 },
  ],
  ...['2026-11-20', '2026-11-20T10:00:00.123Z', '2026-02-30', '2024-02-29 23:59', '0000-03-01'],
  ...['2026-11-19T10:00:00.123+05:30', '2026-11-20T24:00:00Z', '1969-12-31T23:59:59.9', 1763632800],
  ...['1763632800.25', '-5', '2000-01-01T00:00:00 -0330', '9999-12-31', '2026-11-20T10:00:00+24'],
]
const WANTED: readonly unknown[] = [
  ...VALUES,
  ...['-7d', '1h', '-1m', '2y', [1, 8], ['0', '1e3'], [8, 1], ['A', '7'], ['abc', true]],
  ...['^a', 'b$', 'a.b', '\\d', '[^\\s]', '\\W', '(?i)ABC', '\\bx\\b', 'a|7', '[a-z.]+@', '('],
]
const OPERATORS = [
  ...['exact', 'is_not', 'icontains', 'not_icontains', 'starts_with', 'not_starts_with'],
  ...['ends_with', 'not_ends_with', 'icontains_multi', 'not_icontains_multi', 'regex', 'not_regex'],
  ...['gt', 'gte', 'lt', 'lte', 'between', 'not_between', 'is_set', 'is_not_set'],
  ...['is_date_before', 'is_date_after', 'is_date_exact', 'is_relative_date_before'],
  ...['is_relative_date_after', 'unknown', undefined],
]
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

  const inSql = async (definitions: readonly CohortDefinition[]) => {
    const members = cohortMembers(definitions, NOW)(3)
    if (!members.ok) return undefined
    const asked = fragment`select p.id::text as id from persons p where ${isMember(members.value)}`
    const { text, values } = render(asked)
    return new Set((await sql.unsafe<{ id: string }[]>(text, [...values])).map(({ id }) => id))
  }
  const inFlags = (definitions: readonly CohortDefinition[]) => {
    const cohorts = compileCohorts(definitions)
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
    fc.asyncProperty(definition, fc.array(leaf, { maxLength: 1 }), async (filters, second) => {
      const asked = JSON.parse(JSON.stringify({ properties: filters }))
      const definitions = [
        cohort(1, {}, true),
        cohort(2, JSON.parse(JSON.stringify(second))),
        cohort(3, asked),
      ]
      const found = await inSql(definitions)
      if (found === undefined) return
      compared++
      t.strictSame([...found].sort(), [...inFlags(definitions)].sort(), JSON.stringify(filters))
    }),
    { numRuns: Number(process.env['COHORT_RUNS'] ?? 300) },
  )
  t.ok(compared > 200, 'most of them are compared')
})
