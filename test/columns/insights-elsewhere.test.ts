/** Questions read persons, cohorts and groups in Postgres, wherever the events are. */
import t from 'tap'
import type { Json } from '../../src/core/json.ts'
import type { Sql } from '../../src/postgres/connect.ts'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { putEvents, putPerson } from '../support/ingest/events.ts'
import { asker, toldBy } from '../support/query/questions.ts'
import { testDatabase } from '../support/servers/database.ts'

const ZONE = { timezone: 'Europe/Berlin', now: '2026-10-28T12:00:00Z' }
const RANGE = { date_from: '2026-10-24', date_to: '2026-10-27' }

t.test('questions about persons, cohorts and groups have the same answers', async (t) => {
  const { sql } = await testDatabase(t)
  const store = await columnStore(t, await columnServer(t))
  const { copy, openEvents } = inColumns(store)
  await putWorld(sql)
  await copy(sql, 1)
  const [ours, theirs] = [asker(sql, { ...ZONE, openEvents }), asker(sql, ZONE)]
  let answered = 0
  for (const question of questions()) {
    const [one, other] = [await ours.ask(question), await theirs.ask(question)]
    t.ok(one.ok, JSON.stringify(question))
    t.strictSame(toldBy(one), toldBy(other), JSON.stringify(question))
    if (JSON.stringify(toldBy(one)).includes('"Pro"')) answered += 1
  }
  t.ok(answered > 0, 'values of persons are among the answers')
})

async function putWorld(sql: Sql): Promise<void> {
  await sql`insert into organizations (id, name, slug)
    values ('00000000-0000-4000-8000-000000000001', 'O', 'o')`
  await sql`insert into projects (id, uuid, organization_id, api_token)
    values (1, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'phc_1')`
  const plans = ['Pro', 'free', null, 'é', 'Pro']
  for (const [index, plan] of plans.entries()) {
    const distinctIds = [`p${index}`, `p${index}-2`]
    const properties = { plan, ...(index % 2 === 0 && { age: index * 10 }) }
    const { id } = await putPerson(sql, 1, { distinctIds, properties })
    if (index === 1)
      await sql`insert into cohorts (id, project_id, filters, is_static, deleted)
      values (2, 1, '{"properties": []}', true, false)`
    if (index === 1)
      await sql`insert into cohort_people (cohort_id, person_id)
      values (2, ${id}::text::bigint)`
  }
  const pro = [{ type: 'person', key: 'plan', value: 'pro', operator: 'exact' }]
  for (const [id, filters] of [
    [1, pro],
    [3, [{ type: 'cohort', key: 'id', value: 1, negation: true }]],
    [4, [{ type: 'person', key: 'age', value: 15, operator: 'gt' }]],
    [5, [{ type: 'person', key: 'plan', value: 'nothing', operator: 'exact' }]],
  ] as const) {
    await sql`insert into cohorts (id, project_id, filters, is_static, deleted)
      values (${id}, 1, ${JSON.stringify({ properties: filters })}::text::json, false, false)`
  }
  await sql`insert into group_types (project_id, group_type, type_index)
    values (1, 'team', 0), (1, 'comp"any', 1)`
  for (const [index, key, size] of [
    [1, 'acme', 'large'],
    [1, '7', 'small'],
    [1, 'nothing', ''],
    [0, 'acme', 'small'],
  ] as const) {
    await sql`insert into groups (project_id, type_index, group_key, properties, created_at)
      values (1, ${index}, ${key}, ${JSON.stringify({ 'the.size': size })}::text::jsonb, now())`
  }
  const groups: readonly Json[] = [
    ...[{ 'comp"any': 'acme', team: 'x' }, { 'comp"any': 7 }, { 'comp"any': 'nothing' }],
    ...[{ team: 'acme' }, 'comp"any', { 'comp"any': 'unknown' }],
  ]
  const ids = ['p0', 'p1', 'p0-2', 'p2', 'lone', 'p3', 'p4', 'other']
  await putEvents(
    sql,
    1,
    Array.from({ length: 80 }, (_, nth) => ({
      event: ['A', 'B', 'A', 'C'][nth % 4] ?? 'A',
      distinctId: ids[(nth * 5 + (nth >> 3)) % ids.length] ?? 'lone',
      timestamp: new Date(Date.parse('2026-10-23T20:00:00Z') + nth * 4_000_000).toISOString(),
      properties: { $groups: groups[nth % groups.length] ?? null, amount: nth % 7 },
    })),
  )
}

const node = (event: string, more: Record<string, Json> = {}) => ({
  ...{ kind: 'EventsNode', event },
  ...more,
})
const A = node('A')
const steps = ['A', 'B', 'C'].map((event) => node(event))

function questions(): readonly Json[] {
  const filters: readonly Json[] = [
    { type: 'person', key: 'plan', value: 'Pro' },
    { type: 'person', key: 'plan', value: 'Pro', operator: 'is_not' },
    { type: 'person', key: 'plan', value: '^P', operator: 'regex' },
    { type: 'person', key: 'age', value: 15, operator: 'lt' },
    { type: 'person', key: 'age', operator: 'is_not_set' },
    ...[1, 2, 3, 4, 5].map((id) => ({ type: 'cohort', key: 'id', value: id })),
    { type: 'cohort', key: 'id', value: 1, operator: 'not_in' },
    ...[0, 1, 4].flatMap((index): readonly Json[] => [
      { type: 'group', group_type_index: index, key: 'the.size', value: 'small' },
      ...['is_not', 'is_set', 'is_not_set'].map((operator) => ({
        ...{ type: 'group', group_type_index: index, key: 'the.size', value: 'large', operator },
      })),
    ]),
  ]
  const breakdowns: readonly Record<string, Json>[] = [
    { breakdown: 'plan', breakdown_type: 'person' },
    { breakdown: 'plan', breakdown_type: 'person', breakdown_limit: 1 },
    { breakdown: 'nothing', breakdown_type: 'person' },
    { breakdown: [1, 2, 3, 4, 5], breakdown_type: 'cohort' },
    { breakdown: 'the.size', breakdown_type: 'group', breakdown_group_type_index: 1 },
    { breakdown: 'the.size', breakdown_type: 'group', breakdown_group_type_index: 4 },
  ]
  const maths = ['total', 'dau', 'weekly_active', 'first_time_for_user', 'sum', 'median']
  const trends = (more: Record<string, Json>, math = 'total'): Json => ({
    kind: 'TrendsQuery',
    series: [node('A', { math, ...(['sum', 'median'].includes(math) && AMOUNT) })],
    dateRange: RANGE,
    ...more,
  })
  const funnel = { kind: 'FunnelsQuery', series: steps, dateRange: RANGE }
  return [
    ...filters.flatMap((filter, place): readonly Json[] => [
      trends({ properties: [filter] }),
      place % 2 === 0
        ? { ...funnel, series: [node('A', { properties: [filter] }), node('B')] }
        : { kind: 'StickinessQuery', dateRange: RANGE, series: [A], properties: [filter] },
    ]),
    ...breakdowns.flatMap((breakdownFilter, place): readonly Json[] => [
      ...maths
        .filter((_, math) => math % 2 === place % 2)
        .map((math) => trends({ breakdownFilter }, math)),
      trends({ breakdownFilter, trendsFilter: { display: 'BoldNumber' } }, 'dau'),
      { ...funnel, breakdownFilter },
    ]),
    ...actorsOfGroups(funnel),
  ]
}

/** Groups as actors: counted, and behind the numbers; persons and two types of groups in one list. */
function actorsOfGroups(funnel: Record<string, Json>): readonly Json[] {
  const groups = (index: number) =>
    node('A', { math: 'unique_group', math_group_type_index: index })
  const counted = {
    ...{ kind: 'TrendsQuery', series: [groups(1), node('A', { math: 'dau' }), groups(0)] },
    ...{ dateRange: RANGE, trendsFilter: { formula: 'A/B/C' } },
  }
  const stepped = { ...funnel, aggregation_group_type_index: 1 }
  const returning = {
    ...{ kind: 'RetentionQuery', dateRange: RANGE, aggregation_group_type_index: 1 },
    retentionFilter: { targetEntity: { id: 'A' }, returningEntity: { id: 'B' } },
  }
  const behind = (source: Json, point: Record<string, Json>, more: Record<string, Json> = {}) => ({
    ...{ kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source, ...point } },
    ...more,
  })
  return [
    ...[counted, stepped, returning],
    ...[0, 3, 6].map((offset) => behind(counted, { day: '2026-10-25' }, { limit: 3, offset })),
    behind(stepped, { funnelStep: 2 }),
    behind(returning, { interval: 0, day: 1 }),
  ]
}

const AMOUNT = { math_property: 'amount' }
