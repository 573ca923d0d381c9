import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const RANGE = { date_from: '2026-10-25', date_to: '2026-10-26' }

function views(more: Record<string, Json>): Json {
  const series = [{ kind: 'EventsNode', event: 'view' }]
  return { kind: 'TrendsQuery', series, dateRange: RANGE, ...more }
}

function cohortFilter(id: Json, operator: Json = 'in'): Json {
  return { type: 'cohort', key: 'id', value: id, operator }
}

t.test('questions about cohorts', async (t) => {
  const { sql } = await testDatabase(t)
  await sql`insert into organizations (id, name, slug)
    values ('00000000-0000-4000-8000-000000000001', 'O', 'o')`
  for (const id of [1, 2]) {
    await sql`insert into projects (id, uuid, organization_id, api_token) values (${id},
      gen_random_uuid(), '00000000-0000-4000-8000-000000000001', ${`phc_${id}`})`
  }
  const p1 = await putPerson(sql, 1, { distinctIds: ['a', 'a2'], properties: { plan: 'Pro' } })
  await putPerson(sql, 1, { distinctIds: ['b'], properties: { plan: 'free', age: 30 } })
  await putPerson(sql, 1, { distinctIds: ['c'] })
  const cohort = async (id: number, filters: Json, more: { of?: number; kind?: string } = {}) => {
    const { of = 1, kind } = more
    await sql`insert into cohorts (id, project_id, filters, is_static, deleted) values (${id},
      ${of}, ${JSON.stringify({ properties: filters })}::text::json, ${kind === 'static'}, ${kind === 'deleted'})`
  }
  const plan = (value: Json, operator = 'exact') => ({
    type: 'person',
    key: 'plan',
    value,
    operator,
  })
  const within = (id: number) => ({ type: 'cohort', key: 'id', value: id })
  await cohort(1, {
    type: 'OR',
    values: [plan('pro'), { ...plan('x'), key: 'age', operator: 'is_set' }],
  })
  await cohort(2, [], { kind: 'static' })
  await cohort(3, [{ ...within(1), negation: true }])
  await cohort(4, [plan('pro')], { kind: 'deleted' })
  await cohort(5, [plan('pro')], { of: 2 })
  await cohort(6, [within(7)])
  await cohort(7, [within(6)])
  await cohort(8, [within(4)])
  await cohort(9, [plan('a(?=b)', 'regex')])
  await cohort(10, [plan('(?i)^PRO$', 'regex')])
  await cohort(11, [plan('x')])
  await cohort(
    12,
    Array.from({ length: 1_001 }, () => plan('x')),
  )
  await sql`insert into cohort_people (cohort_id, person_id) values (2, ${p1.id})`
  const view = (distinctId: string, day = 25) => ({
    ...{ event: 'view', distinctId, timestamp: `2026-10-${day}T10:00:00Z` },
  })
  const days = [view('a'), view('a2', 26), view('b'), view('b'), view('c'), view('d')]
  await putEvents(sql, 1, days)
  await putEvents(sql, 2, [view('a')])
  const { rows, ask } = asker(sql, { timezone: 'UTC', now: '2026-10-27T12:00:00Z' })
  const total = async (...filters: Json[]) => {
    return (await rows(views({ properties: filters }))).map(({ data }) => data)[0]
  }

  t.test('filters: who is in a cohort, and who is not, with and without a person', async (t) => {
    t.strictSame(await total(cohortFilter(1)), [3, 1])
    t.strictSame(await total(cohortFilter('1', 'exact')), [3, 1])
    t.strictSame(await total(cohortFilter(1, 'not_in')), [2, 0])
    t.strictSame(await total(cohortFilter(2)), [1, 1])
    t.strictSame(await total(cohortFilter(2, 'not_in')), [4, 0])
    t.strictSame(await total(cohortFilter(3)), [1, 0])
    t.strictSame(await total(cohortFilter(10), { key: 'none', operator: 'is_not_set' }), [1, 1])
    t.strictSame(await total(cohortFilter(1), cohortFilter(2, 'not_in')), [2, 0])
  })

  t.test('a cohort is what it is now', async (t) => {
    await sql`update persons set properties = '{"plan": "none"}' where id = ${p1.id}`
    t.strictSame(await total(cohortFilter(1)), [2, 0])
    await sql`update persons set properties = '{"plan": "Pro"}' where id = ${p1.id}`
    t.strictSame(await total(cohortFilter(1)), [3, 1])
  })

  t.test('an actor counts in each of its cohorts, whatever is counted', async (t) => {
    const breakdownFilter = { breakdown: [11, 2, 1, 3], breakdown_type: 'cohort' }
    const expected: Record<string, readonly unknown[]> = {
      total: [
        [1, [3, 1]],
        [2, [1, 1]],
        [3, [1, 0]],
        [11, [0, 0]],
      ],
      dau: [
        [1, [2, 1]],
        [2, [1, 1]],
        [3, [1, 0]],
        [11, [0, 0]],
      ],
      first_time_for_user: [
        [1, [2, 0]],
        [2, [1, 0]],
        [3, [1, 0]],
        [11, [0, 0]],
      ],
      weekly_active: [
        [1, [2, 2]],
        [2, [1, 1]],
        [3, [1, 1]],
        [11, [0, 0]],
      ],
    }
    for (const [math, values] of Object.entries(expected)) {
      const series = [{ kind: 'EventsNode', event: 'view', math }]
      const found = await rows(views({ series, breakdownFilter }))
      t.strictSame(
        found.map(({ breakdown_value, data }) => [breakdown_value, data]),
        values,
        math,
      )
    }
    const one = await rows(views({ breakdownFilter: { breakdown: 2, breakdown_type: 'cohort' } }))
    t.match(one, [{ breakdown_value: 2, data: [1, 1] }], 'one id is a list of it')
  })

  t.test('a row has the name that its cohort has now, and its id without one', async (t) => {
    const breakdownFilter = { breakdown: [1, 2], breakdown_type: 'cohort' }
    const asked = views({ breakdownFilter })
    const steps = [1, 2].map(() => ({ kind: 'EventsNode', event: 'view' }))
    const funnel = { kind: 'FunnelsQuery', series: steps, dateRange: RANGE, breakdownFilter }
    for (const name of ['Payers', 'Paying people']) {
      await sql`update cohorts set name = ${name} where id = 1`
      const labels = [
        { breakdown_value: 1, breakdown_label: name },
        { breakdown_label: 'Cohort 2' },
      ]
      t.match(await rows(asked), labels)
      const each = labels.map((label) => [label, label])
      t.match(await ask(funnel), { ok: true, value: { results: each } })
    }
  })

  t.test('a funnel by cohorts: an actor takes its steps in each', async (t) => {
    const series = [
      { kind: 'EventsNode', event: 'view' },
      { kind: 'EventsNode', event: 'view' },
    ]
    const breakdownFilter = { breakdown: [1, 2, 11], breakdown_type: 'cohort' }
    for (const funnelOrderType of ['ordered', 'strict', 'unordered']) {
      const funnelsFilter = { funnelOrderType }
      const asked = { kind: 'FunnelsQuery', series, dateRange: RANGE, breakdownFilter }
      const answer = await ask({ ...asked, funnelsFilter })
      const counts = [
        [{ breakdown: 1, count: 2 }, { count: 2 }],
        [{ breakdown: 2, count: 1 }, { count: 1 }],
        [{ breakdown: 11, breakdown_value: 11, count: 0 }, { count: 0 }],
      ]
      t.match(answer, { ok: true, value: { results: counts } }, funnelOrderType)
    }
    const funnelsFilter = { breakdownAttributionType: 'step' }
    const wrong = { kind: 'FunnelsQuery', series, breakdownFilter, funnelsFilter }
    t.match(await ask(wrong), { error: { attr: 'query.funnelsFilter.breakdownAttributionType' } })
  })

  t.test('a cohort that cannot be used is named', async (t) => {
    const problems: [Json, RegExp][] = [
      [99, /Cohort 99 does not exist/],
      [4, /Cohort 4 does not exist/],
      [5, /Cohort 5 does not exist/],
      [9_999_999_999, /does not exist/],
      [6, /contains itself/],
      [8, /names one that does not exist/],
      [9, /only flags understand/],
      [12, /too large/],
      ['x', /is its id/],
      [null, /is its id/],
      [[1], /is its id/],
    ]
    for (const [id, detail] of problems) {
      const filtered = await ask(views({ properties: [cohortFilter(id)] }))
      const error = { code: 'invalid_input', attr: 'query.properties', detail }
      t.match(filtered, { ok: false, error }, `${id}`)
    }
    const series = [{ kind: 'EventsNode', properties: [cohortFilter(1, 'gt')] }]
    t.match(await ask(views({ series })), { error: { attr: 'query.series.0.properties' } })
    const breakdowns: [Record<string, Json>, string][] = [
      [{ breakdown: [] }, 'breakdown'],
      [{ breakdown: [99] }, 'breakdown'],
      [{ breakdown: ['all'] }, 'breakdown'],
      [{ breakdown: Array.from({ length: 26 }, () => 1) }, 'breakdown'],
      [{ breakdown: [1, 2], breakdown_limit: 1 }, 'breakdown_limit'],
      [{ breakdown: [1], breakdown_group_type_index: 0 }, 'breakdown_group_type_index'],
    ]
    for (const [wrong, attr] of breakdowns) {
      const asked = views({ breakdownFilter: { breakdown_type: 'cohort', ...wrong } })
      const error = { attr: `query.breakdownFilter.${attr}` }
      t.match(await ask(asked), { ok: false, error }, JSON.stringify(wrong))
    }
  })
})
