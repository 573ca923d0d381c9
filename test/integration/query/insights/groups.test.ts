import t from 'tap'
import { type Json, listOf, objectOf } from '../../../../src/core/json.ts'
import { putEvents } from '../../../support/ingest/events.ts'
import { opener } from '../../../support/query/opened-numbers.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const RANGE = { date_from: '2026-10-25', date_to: '2026-10-25' }

function views(more: Record<string, Json>): Json {
  const series = [{ kind: 'EventsNode', event: 'view' }]
  return { kind: 'TrendsQuery', series, dateRange: RANGE, ...more }
}

t.test('questions about groups', async (t) => {
  const { sql } = await testDatabase(t)
  await sql`insert into group_types (project_id, group_type, type_index)
    values (1, 'team', 0), (1, 'comp"any', 1), (2, 'team', 1), (2, 'comp"any', 0)`
  const group = async (project: number, index: number, key: string, plan: Json) => {
    const properties = JSON.stringify({ 'the.plan': plan })
    await sql`insert into groups (project_id, type_index, group_key, properties, created_at)
      values (${project}, ${index}, ${key}, ${properties}::text::jsonb, now())`
  }
  await group(1, 1, 'acme', 'free')
  await group(1, 1, '7', 'paid')
  await group(1, 1, 'nothing', '')
  await group(1, 0, 'acme', 'paid')
  await group(1, 0, 'unknown', 'paid')
  await group(2, 1, 'acme', 'paid')
  // A person whose distinct ids are named like groups is none of them.
  await sql`
    with made as (insert into persons (project_id, uuid, created_at)
      values (1, gen_random_uuid(), now()) returning id)
    insert into distinct_ids (project_id, distinct_id, person_id)
    select 1, named, made.id from made, unnest(array['acme', '7']) named`
  const view = (distinctId: string, groups: Json) => ({
    ...{ event: 'view', distinctId, timestamp: '2026-10-25T10:00:00Z' },
    properties: { $groups: groups },
  })
  await putEvents(sql, 1, [
    view('a', { 'comp"any': 'acme', team: 'x' }),
    view('b', { 'comp"any': 7 }),
    view('c', { 'comp"any': 'unknown' }),
    view('d', { 'comp"any': 'nothing' }),
    view('e', { team: 'acme' }),
    view('f', 'comp"any'),
  ])
  const asked = asker(sql, { timezone: 'UTC', now: '2026-10-26T12:00:00Z' })
  const { rows } = asked
  const filtered = async (filter: Record<string, Json>) => {
    const properties = [{ type: 'group', group_type_index: 1, key: 'the.plan', ...filter }]
    return (await rows(views({ properties }))).map(({ count }) => count)[0]
  }

  t.test('filters read the group that the event names', async (t) => {
    t.equal(await filtered({ value: 'free' }), 1)
    t.equal(await filtered({ value: ['free', 'paid'] }), 2)
    t.equal(await filtered({ value: 'paid', group_type_index: 0 }), 1)
    t.equal(await filtered({ value: 'paid', group_type_index: 4 }), 0)
    t.equal(await filtered({ operator: 'is_set' }), 3)
  })

  t.test('without a group, a negated test holds', async (t) => {
    t.equal(await filtered({ value: 'free', operator: 'is_not' }), 5)
    t.equal(await filtered({ operator: 'is_not_set' }), 3)
    t.equal(await filtered({ value: 'fr', operator: 'not_icontains', group_type_index: 4 }), 6)
  })

  t.test('values of a property of groups', async (t) => {
    const breakdown = { breakdown: 'the.plan', breakdown_type: 'group' }
    const breakdownFilter = { ...breakdown, breakdown_group_type_index: 1 }
    const series = ['total', 'dau', 'first_time_for_user', 'weekly_active'].map((math) => ({
      ...{ kind: 'EventsNode', event: 'view', math },
    }))
    for (const one of series) {
      const found = await rows(views({ series: [one], breakdownFilter }))
      t.strictSame(
        found.map(({ breakdown_value, data }) => [breakdown_value, data]),
        [
          ['free', [1]],
          ['paid', [1]],
          ['$$_posthog_breakdown_null_$$', [4]],
        ],
        one.math,
      )
    }
  })

  t.test('groups that events name are counted, those without properties too', async (t) => {
    const node = (math: string, more: Record<string, Json> = {}) => ({
      ...{ kind: 'EventsNode', event: 'view', math, ...more },
    })
    const groups = (index: number) => node('unique_group', { math_group_type_index: index })
    const series = [groups(1), groups(0), groups(4), node('dau')]
    const found = await rows(views({ series, trendsFilter: { display: 'BoldNumber' } }))
    t.strictSame(
      found.map(({ data, aggregated_value: whole }) => [data, whole]),
      [
        [[4], 4],
        [[2], 2],
        [[0], 0],
        [[6], 6],
      ],
    )
    const day = { day: '2026-10-25' }
    const opened = await opener(asked).actors(views({ series }), { ...day, series: 0 })
    t.strictSame(
      opened.map(({ id, properties, created_at: made }) => [id, properties, made !== null]),
      [
        ['7', { 'the.plan': 'paid' }, true],
        ['acme', { 'the.plan': 'free' }, true],
        ['nothing', { 'the.plan': '' }, true],
        ['unknown', {}, false],
      ],
    )
    t.match(opened[3], {
      ...{ type: 'group', group_key: 'unknown', group_type_index: 1, distinct_ids: [] },
    })
    // All series of a formula: persons first, then the groups of each type.
    const formula = { ...objectOf(views({ series })), trendsFilter: { formula: 'A/B' } }
    const all = await opener(asked).inPages(formula, day, 4)
    t.strictSame(
      all.map(({ id, distinct_ids: ids }) => id ?? ids[0]),
      [...['a', 'b', 'c', 'd', 'e', 'f'], ...['acme', 'x'], ...['7', 'acme', 'nothing', 'unknown']],
    )
    t.strictSame(
      all.slice(6).map(({ properties }) => objectOf(properties)['the.plan']),
      ['paid', undefined, 'paid', 'free', '', undefined],
      'one key of two types is two groups',
    )
    t.strictSame(await opener(asked).actors(formula, day), all, 'as one page, the same')
    t.strictSame(
      (await opener(asked).page(formula, day, { limit: 12 })).hasMore,
      false,
      'a page that ends with the last group has no other behind it',
    )
  })

  t.test('groups whose properties are more than a page holds are refused', async (t) => {
    const keys = ['g1', 'g2', 'g3', 'g4', 'g5']
    for (const key of keys) await group(1, 2, key, 'x'.repeat(1_000_000))
    await sql`insert into group_types (project_id, group_type, type_index) values (1, 'long', 2)`
    await putEvents(
      sql,
      1,
      keys.map((key) => ({ ...view(key, { long: key }), event: 'long' })),
    )
    const series = [
      { kind: 'EventsNode', event: 'long', math: 'unique_group', math_group_type_index: 2 },
    ]
    const point = { day: '2026-10-25', series: 0 }
    t.equal(await opener(asked).refused(views({ series }), point), 'query.limit')
    const { results, hasMore } = await opener(asked).page(views({ series }), point, { limit: 4 })
    t.strictSame([results.length, hasMore], [4, true])
  })

  t.test('a type of groups is named where it is counted, and nowhere else', async (t) => {
    const refused = async (more: Record<string, Json>) => {
      const answer = await asked.ask(views({ series: [{ kind: 'EventsNode', ...more }] }))
      return answer.ok ? undefined : answer.error.attr
    }
    const at = 'query.series.0.math_group_type_index'
    t.equal(await refused({ math: 'unique_group' }), at)
    t.equal(await refused({ math: 'dau', math_group_type_index: 1 }), at)
    t.equal(await refused({ math: 'unique_group', math_group_type_index: 5 }), at)
    t.equal(await refused({ math: 'unique_group', math_group_type_index: 4 }), undefined)
  })

  t.test('a funnel and a retention of groups', async (t) => {
    const at = (day: number, time: string) => `2026-11-0${day}T${time}:00Z`
    const event = (name: string, distinctId: string, company: Json, timestamp: string) => ({
      ...{ event: name, distinctId, timestamp, properties: { $groups: { 'comp"any': company } } },
    })
    await putEvents(sql, 1, [
      event('asked', 'p', 'acme', at(1, '10:00')),
      event('paid', 'q', 'acme', at(1, '11:00')),
      event('asked', 'p', 7, at(1, '12:00')),
      event('asked', 'r', null, at(1, '12:00')),
      event('paid', 'r', '', at(1, '13:00')),
      event('paid', 'q', 'acme', at(2, '11:00')),
    ])
    const later = asker(sql, { timezone: 'UTC', now: '2026-11-05T12:00:00Z' })
    const steps = ['asked', 'paid'].map((name) => ({ kind: 'EventsNode', event: name }))
    const dateRange = { date_from: '2026-11-01', date_to: '2026-11-02' }
    const funnel = { kind: 'FunnelsQuery', series: steps, dateRange }
    const counts = async (more: Record<string, Json>) =>
      (await later.rows({ ...funnel, ...more })).map(({ count }) => count)
    t.strictSame(await counts({}), [2, 1], 'persons')
    t.strictSame(await counts({ aggregation_group_type_index: 1 }), [2, 1], 'companies')
    t.strictSame(await counts({ aggregation_group_type_index: 4 }), [0, 0], 'of no type')
    const ofGroups = { ...funnel, aggregation_group_type_index: 1 }
    const opened = await opener(later).actors(ofGroups, { funnelStep: 2 })
    t.strictSame(opened[0]?.id, 'acme', 'the same company paid, another person')
    const retention = {
      ...{ kind: 'RetentionQuery', dateRange, aggregation_group_type_index: 1 },
      retentionFilter: { targetEntity: { id: 'asked' }, returningEntity: { id: 'paid' } },
    }
    const [first] = await later.rows(retention)
    const values = listOf(objectOf(first)['values']).map((each) => objectOf(each)['count'])
    t.strictSame(values.slice(0, 2), [2, 1], 'whoever names no company is none')
    const back = await opener(later).actors(retention, { interval: 0, day: 1 })
    t.strictSame(
      back.map(({ id }) => id),
      ['acme'],
    )
  })
})
