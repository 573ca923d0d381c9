import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NOW = { timezone: 'UTC', now: '2026-11-20T12:00:00Z' }
type StepRow = {
  readonly count: number
  readonly average_conversion_time: number | null
  readonly median_conversion_time: number | null
  readonly open_entrants: number | null
}

function moments(distinctId: string, text: string) {
  return text.split(', ').map((moment) => {
    const [event = '', day = '05', time = '10:00'] = moment.split(' ')
    return { event, distinctId, timestamp: `2026-10-${day}T${time}:00Z` }
  })
}

t.test('funnels', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, 1, [
    ...moments('p1', 'A 05 10:00, A 05 10:10, B 05 10:20, C 05 11:00'),
    ...moments('p2', 'A 05 10:00, C 05 10:05, B 05 10:10'),
    ...moments('p3', 'B 05 09:00, A 05 10:00, B 05 10:00'),
    ...moments('p4', 'A 05 10:00, X 05 10:05, B 05 10:10, C 05 10:20'),
    ...moments('p5', 'A 05 10:00, B 20 10:00'),
  ])
  const { ask } = asker(sql, NOW)
  const funnel = async (funnelsFilter: Record<string, Json>): Promise<StepRow[]> => {
    const series = ['A', 'B', 'C'].map((event) => ({ kind: 'EventsNode', event }))
    const dateRange = { date_from: '2026-10-01', date_to: '2026-10-31' }
    const answer = await ask({ kind: 'FunnelsQuery', series, dateRange, funnelsFilter })
    if (!answer.ok) throw new Error(answer.error.detail)
    return JSON.parse(JSON.stringify(answer.value['results']))
  }
  const numbers = async (filter: Record<string, Json>) => {
    const steps = await funnel(filter)
    return [
      steps.map(({ count }) => count),
      steps.map((step) => step.average_conversion_time),
      steps.map((step) => step.median_conversion_time),
    ]
  }

  t.test('in order, strictly, in any order', async (t) => {
    t.strictSame(await numbers({ funnelWindowInterval: 14 }), [
      [5, 4, 2],
      [null, 600, 1500],
      [null, 600, 1500],
    ])
    t.strictSame(await numbers({ funnelOrderType: 'strict' }), [
      [5, 2, 1],
      [null, 600, 2400],
      [null, 600, 2400],
    ])
    t.strictSame(await numbers({ funnelOrderType: 'unordered' }), [
      [5, 4, 3],
      [null, 1425, 1100],
      [null, 900, 600],
    ])
  })

  t.test('exclusions and windows', async (t) => {
    const exclusions = [{ event: 'X', funnelFromStep: 0, funnelToStep: 1 }]
    t.strictSame(await numbers({ exclusions }), [
      [4, 3, 1],
      [null, 600, 2400],
      [null, 600, 2400],
    ])
    const unordered = { exclusions, funnelOrderType: 'unordered' }
    t.strictSame((await numbers(unordered))[0], [5, 3, 2], 'the first step stays')
    const window = { funnelWindowInterval: 30, funnelWindowIntervalUnit: 'minute' }
    t.strictSame(await numbers(window), [
      [5, 4, 1],
      [null, 600, 600],
      [null, 600, 600],
    ])
  })
})

t.test('exclusions that ask of properties, and after the last step that was taken', async (t) => {
  const { sql } = await testDatabase(t)
  const left = (distinctId: string, at: string, properties: object) => ({
    ...{ event: 'left', distinctId, timestamp: `2026-10-05T${at}:00Z`, properties },
  })
  await putEvents(sql, 1, [
    ...moments('kept', 'A 05 10:00, B 05 11:00'),
    left('kept', '10:30', { by: 'robot' }),
    ...moments('gone', 'A 05 10:00, B 05 11:00'),
    left('gone', '10:30', { by: 'hand' }),
    ...moments('away', 'A 05 10:00'),
    left('away', '10:30', { by: 'hand' }),
    ...moments('late', 'A 05 10:00'),
    left('late', '12:01', { by: 'hand' }),
    ...moments('again', 'A 05 10:00, A 06 10:00, B 06 11:00'),
    left('again', '10:30', { by: 'hand' }),
  ])
  const { ask, rows } = asker(sql, NOW)
  const properties = [{ key: 'by', value: 'hand', operator: 'exact' }]
  const exclusions = [{ event: 'left', funnelFromStep: 0, funnelToStep: 1, properties }]
  const window = { funnelWindowInterval: 2, funnelWindowIntervalUnit: 'hour' }
  const funnel = (more: Record<string, Json>) => ({
    ...{ kind: 'FunnelsQuery', dateRange: { date_from: '2026-10-05', date_to: '2026-10-06' } },
    series: ['A', 'B'].map((event) => ({ kind: 'EventsNode', event })),
    funnelsFilter: { exclusions, ...window, ...more },
  })
  const counts = async (more: Record<string, Json>) =>
    (await rows(funnel(more))).map(({ count }) => count)
  t.strictSame(await counts({ exclusions: [] }), [5, 3], 'nothing excludes')
  t.strictSame(await counts({}), [3, 2])
  t.strictSame(await counts({ funnelOrderType: 'strict' }), [3, 1])
  t.strictSame(await counts({ funnelOrderType: 'unordered' }), [5, 2])
  const trends = await ask(funnel({ funnelVizType: 'trends' }))
  // Each day is a funnel of its own: who came again is out on the first day only.
  t.match(trends, { value: { results: [{ entered: [2, 1], converted: [1, 1] }] } })
  const times = await ask(funnel({ funnelVizType: 'time_to_convert' }))
  t.match(times, { value: { results: { average_conversion_time: 3_600 } } })
  const none = await ask(funnel({ funnelVizType: 'time_to_convert', funnelOrderType: 'strict' }))
  t.match(none, { value: { results: { average_conversion_time: 3_600 } } })
})

t.test('retention', async (t) => {
  const { sql } = await testDatabase(t)
  const active = (distinctId: string, days: readonly number[]) =>
    days.map((day, nth) => ({
      ...{ event: 'visit', distinctId },
      timestamp: `2026-10-${String(day + 1).padStart(2, '0')}T0${nth}:00:00Z`,
    }))
  await putPerson(sql, 1, { distinctIds: ['p1', 'p1b'] })
  await putEvents(sql, 1, [
    ...active('p1', [0, 1, 2]),
    ...active('p1b', [5, 5, 6]),
    ...active('p2', [1, 2, 3, 6]),
  ])
  const { rows } = asker(sql, NOW)
  const table = async (retentionType: string): Promise<string[]> => {
    const visit = { id: 'visit', type: 'events' }
    const found = await rows({
      kind: 'RetentionQuery',
      dateRange: { date_from: '2026-10-01' },
      retentionFilter: {
        ...{ period: 'Day', totalIntervals: 7, retentionType },
        ...{ targetEntity: visit, returningEntity: visit },
      },
    })
    const lists: readonly { values: readonly { count: number; complete: boolean }[] }[] =
      JSON.parse(JSON.stringify(found))
    return lists.map(({ values }) => values.map(({ count }) => count).join(' '))
  }
  t.strictSame(await table('retention_recurring'), [
    '1 1 1 0 0 1 1',
    '2 2 1 0 1 2',
    '2 1 0 1 2',
    '1 0 0 1',
    '0 0 0',
    '1 1',
    '2',
  ])
  t.strictSame(await table('retention_first_time'), [
    '1 1 1 0 0 1 1',
    '1 1 1 0 0 1',
    '0 0 0 0 0',
    '0 0 0 0',
    '0 0 0',
    '0 0',
    '0',
  ])
})

t.test('how often actors are active, and how they come and go', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, 1, [
    ...moments('old', 'V 01, V 11, V 12'),
    ...moments('new', 'V 11, V 13'),
    ...moments('once', 'V 12'),
  ])
  const { rows } = asker(sql, NOW)
  const common = {
    series: [{ kind: 'EventsNode', event: 'V' }],
    dateRange: { date_from: '2026-10-11', date_to: '2026-10-13' },
  }
  const [sticky] = await rows({ kind: 'StickinessQuery', ...common })
  t.strictSame(sticky?.data, [1, 2, 0])
  const lifecycle = await rows({ kind: 'LifecycleQuery', ...common })
  t.strictSame(
    lifecycle.map(({ data }) => data),
    [
      [1, 1, 0],
      [0, 1, 0],
      [1, 0, 1],
      [0, -1, -2],
    ],
  )
})
