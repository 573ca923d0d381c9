import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const RANGE = { date_from: '2026-10-25', date_to: '2026-10-27' }
const ZONE = { timezone: 'Europe/Berlin', now: '2026-10-27T12:00:00Z' }

function view(math: string, more: Record<string, Json> = {}): Json {
  return { kind: 'EventsNode', event: 'view', math, ...more }
}

function trends(series: readonly Json[], more: Record<string, Json> = {}): Json {
  return { kind: 'TrendsQuery', series, dateRange: RANGE, interval: 'day', ...more }
}

t.test('trends of two days and an hour', async (t) => {
  const { sql } = await testDatabase(t)
  await putPerson(sql, 1, { distinctIds: ['a', 'a2'] })
  await putPerson(sql, 1, { distinctIds: ['b'] })
  await putPerson(sql, 1, { distinctIds: ['c'] })
  const at = (distinctId: string, timestamp: string, properties: Record<string, Json>) => ({
    ...{ event: 'view', distinctId, timestamp: `2026-${timestamp}Z`, properties },
  })
  await putEvents(sql, 1, [
    at('a', '10-24T22:30:00', { amount: 10, $session_id: 's1', browser: 'Chrome' }),
    at('a2', '10-25T12:00:00', { amount: 20, $session_id: 's1', browser: 'Chrome' }),
    at('b', '10-25T22:30:00', { amount: 40, $session_id: 's2', browser: 'Safari' }),
    at('b', '10-25T23:30:00', { amount: 'x', $session_id: 's2', browser: 'Firefox' }),
    at('c', '10-26T10:00:00', { $session_id: 's3', $geoip_country_code: 'DE' }),
    at('d', '10-27T10:00:00', { amount: 5, browser: 'Safari' }),
    { event: 'paid', distinctId: 'a', timestamp: '2026-10-25T13:00:00Z' },
    { event: 'paid', distinctId: 'c', timestamp: '2026-10-26T11:00:00Z' },
  ])
  await putEvents(sql, 2, [at('a', '10-25T12:00:00', { amount: 1_000 })])
  const { rows, ask } = asker(sql, ZONE)

  t.test('each math', async (t) => {
    const maths: Record<string, readonly number[]> = {
      total: [3, 2, 1],
      dau: [2, 2, 1],
      weekly_active: [2, 3, 4],
      monthly_active: [2, 3, 4],
      unique_session: [2, 2, 0],
      first_time_for_user: [2, 1, 1],
      sum: [70, 0, 5],
      avg: [70 / 3, 0, 5],
      min: [10, 0, 5],
      max: [40, 0, 5],
      median: [20, 0, 5],
      p90: [36, 0, 5],
    }
    for (const [math, data] of Object.entries(maths)) {
      const isOfNumber = ['sum', 'avg', 'min', 'max', 'median', 'p90'].includes(math)
      const node = view(math, isOfNumber ? { math_property: 'amount' } : {})
      const [row] = await rows(trends([node]))
      t.strictSame(row?.data, data, math)
    }
  })

  t.test('buckets are of the zone, and say where they begin', async (t) => {
    const [row] = await rows(trends([view('total')]))
    t.strictSame(row?.days, ['2026-10-25', '2026-10-26', '2026-10-27'])
    t.strictSame(row?.labels, ['25-Oct-2026', '26-Oct-2026', '27-Oct-2026'])
    t.strictSame(row?.buckets[0], '2026-10-25T00:00:00+02:00')
    t.strictSame(row?.buckets[1], '2026-10-26T00:00:00+01:00')
    t.equal(row?.incomplete_from, 2)
    t.equal(row?.count, 6)
  })

  t.test('a day of 25 hours', async (t) => {
    const range = { date_from: '2026-10-25', date_to: '2026-10-25' }
    const [row] = await rows(trends([view('total')], { dateRange: range, interval: 'hour' }))
    const data = row?.data ?? []
    t.equal(data.length, 25)
    const ones = [...data.entries()].filter(([, count]) => count === 1).map(([hour]) => hour)
    t.strictSame(ones, [0, 14, 24])
    t.equal(row?.labels.filter((label) => label.endsWith('02:00')).length, 2)
  })

  t.test('one number over the range', async (t) => {
    const [row] = await rows(trends([view('dau')], { trendsFilter: { display: 'BoldNumber' } }))
    t.equal(row?.aggregated_value, 4)
  })

  t.test('a formula', async (t) => {
    const paid = { kind: 'EventsNode', event: 'paid' }
    const [row] = await rows(trends([paid, view('total')], { trendsFilter: { formula: 'A/B' } }))
    t.strictSame(row?.data, [1 / 3, 1 / 2, 0])
  })

  t.test('values of a property', async (t) => {
    const breakdownFilter = { breakdown: 'browser', breakdown_type: 'event', breakdown_limit: 2 }
    const answer = await ask(trends([view('total')], { breakdownFilter }))
    t.ok(answer.ok && answer.value['hasMore'])
    const found = await rows(trends([view('total')], { breakdownFilter }))
    t.strictSame(
      found.map(({ breakdown_value, data }) => [breakdown_value, data]),
      [
        ['Chrome', [2, 0, 0]],
        ['Safari', [1, 0, 1]],
        ['$$_posthog_breakdown_null_$$', [0, 1, 0]],
        ['$$_posthog_breakdown_other_$$', [0, 1, 0]],
      ],
    )
  })

  t.test('a country has its name beside its code', async (t) => {
    const breakdownFilter = { breakdown: '$geoip_country_code', breakdown_type: 'event' }
    const [row] = await rows(trends([view('total')], { breakdownFilter }))
    t.match(row, { breakdown_value: 'DE', breakdown_label: 'Germany' })
  })
})
