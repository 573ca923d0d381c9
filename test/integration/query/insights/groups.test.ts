import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents } from '../../../support/ingest/events.ts'
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
  await group(2, 1, 'acme', 'paid')
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
  const { rows } = asker(sql, { timezone: 'UTC', now: '2026-10-26T12:00:00Z' })
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
})
