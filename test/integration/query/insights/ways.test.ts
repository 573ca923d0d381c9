/** Values of funnels, times between steps, and paths. */
import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { Json } from '../../../../src/core/json.ts'
import { itemsByActor } from '../../../../src/event-store/postgres/insights/path-store.ts'
import { everyEvent } from '../../../../src/query/insights/reader.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const ZONE = { timezone: 'Europe/Berlin', now: '2026-10-20T12:00:00Z' }
const DATES = { date_from: '2026-10-05', date_to: '2026-10-07' }

function event(distinctId: string, text: string, properties: Record<string, Json> = {}) {
  const [name = '', day = '', time = ''] = text.split(' ')
  return { event: name, distinctId, timestamp: `2026-10-${day}T${time}Z`, properties }
}

t.test('ways that actors take', async (t) => {
  const { sql } = await testDatabase(t)
  await putPerson(sql, 1, { distinctIds: ['p1', 'p1b'], properties: { plan: 'pro' } })
  const [red, blue, green] = ['red', 'blue', 'green'].map((color) => ({ 'the.color': color }))
  await putEvents(sql, 1, [
    event('p1', 'A 05 10:00:00', red),
    event('p1b', 'B 05 10:10:00', blue),
    event('p1b', 'C 05 10:20:00', blue),
    event('p2', 'A 05 23:00:00', { 'the.color': '' }),
    event('p2', 'B 05 23:00:30', red),
    event('p3', 'A 06 10:00:00', blue),
    event('p3', 'B 06 10:00:00', blue),
    event('p4', 'A 06 10:00:00'),
    event('p5', 'A 06 11:00:00', green),
    event('p5', 'Z 06 11:30:00', blue),
  ])
  await putEvents(sql, 2, [event('p1', 'A 05 10:00:00', green)])
  const { ask } = asker(sql, ZONE)
  const answer = async (query: Json) => {
    const found = await ask(query)
    if (!found.ok) throw new Error(`${found.error.attr}: ${found.error.detail}`)
    return JSON.parse(JSON.stringify(found.value))
  }
  const series = ['A', 'B', 'C'].map((name) => ({ kind: 'EventsNode', event: name }))
  const funnel = (more: Record<string, Json>) => ({
    ...{ kind: 'FunnelsQuery', series, dateRange: DATES },
    ...more,
  })

  /** The counts of the steps, by value. */
  async function byValue(breakdownFilter: Json, funnelsFilter: Json = {}) {
    const { results, hasMore } = await answer(funnel({ breakdownFilter, funnelsFilter }))
    const lists: readonly (readonly { count: number; breakdown_value: string }[])[] = results
    const counts = lists.map((steps) => {
      return `${steps[0]?.breakdown_value} ${steps.map(({ count }) => count).join(' ')}`
    })
    return { counts, hasMore }
  }

  t.test('a funnel by values: each actor counts for its own', async (t) => {
    const color = { breakdown: 'the.color' }
    t.strictSame(await byValue(color), {
      counts: ['blue 1 1 0', 'red 2 2 1', 'green 1 0 0', '$$_posthog_breakdown_null_$$ 1 0 0'],
      hasMore: false,
    })
    const { counts: last } = await byValue(color, { breakdownAttributionType: 'last_touch' })
    t.strictSame(last.slice(0, 2), ['blue 2 2 1', 'red 1 1 0'])
    const { counts: all } = await byValue(color, { breakdownAttributionType: 'all_events' })
    t.strictSame(all, [
      ...['blue 1 1 0', 'red 1 0 0', 'green 1 0 0'],
      '$$_posthog_breakdown_null_$$ 2 0 0',
    ])
    const step = { breakdownAttributionType: 'step', breakdownAttributionValue: 1 }
    const { counts: second } = await byValue(color, step)
    t.strictSame(second, ['blue 2 2 1', 'red 1 1 0'])
  })

  t.test('the values with most steps, then none, then all others', async (t) => {
    t.strictSame(await byValue({ breakdown: 'the.color', breakdown_limit: 1 }), {
      counts: [
        'blue 1 1 0',
        '$$_posthog_breakdown_null_$$ 1 0 0',
        '$$_posthog_breakdown_other_$$ 3 2 1',
      ],
      hasMore: true,
    })
    const { counts: plans } = await byValue({ breakdown: 'plan', breakdown_type: 'person' })
    t.strictSame(plans, ['pro 1 1 1', '$$_posthog_breakdown_null_$$ 4 2 0'])
    const { counts: names } = await byValue(
      { breakdown: '$event', breakdown_type: 'event_metadata' },
      { breakdownAttributionType: 'last_touch' },
    )
    t.strictSame(names, ['A 2 0 0', 'B 2 2 0', 'C 1 1 1'])
  })

  t.test('how long actors take between two steps', async (t) => {
    const times = { funnelVizType: 'time_to_convert' }
    const { results: whole } = await answer(funnel({ funnelsFilter: times }))
    t.strictSame(whole, {
      bins: [
        [1200, 1],
        [1260, 0],
      ],
      average_conversion_time: 1200,
    })
    const { results: first } = await answer(
      funnel({ funnelsFilter: { ...times, funnelToStep: 1 } }),
    )
    t.strictSame(first, {
      bins: [
        [30, 1],
        [315, 0],
        [600, 1],
      ],
      average_conversion_time: 315,
    })
    const { results: none } = await answer(
      funnel({
        funnelsFilter: times,
        dateRange: { date_from: '2026-01-01', date_to: '2026-01-02' },
      }),
    )
    t.strictSame(none, { bins: [], average_conversion_time: null })
  })

  t.test('how many convert, by the day on which they began', async (t) => {
    const funnelsFilter = { funnelVizType: 'trends', funnelToStep: 1 }
    const { results } = await answer(funnel({ funnelsFilter }))
    t.equal(results.length, 1)
    const { data, days, entered, converted, incomplete_from: incomplete } = results[0]
    t.strictSame(
      [entered, converted],
      [
        [1, 4, 0],
        [1, 2, 0],
      ],
    )
    t.strictSame(data, [100, 50, 0])
    t.strictSame([days, incomplete], [['2026-10-05', '2026-10-06', '2026-10-07'], null])
    const weeks = await answer(funnel({ funnelsFilter, interval: 'week' }))
    t.strictSame(weeks.results[0].entered, [5])
    t.match(weeks.resolved_date_range, { date_from: '2026-10-05T00:00:00+02:00' })
    const colors = await answer(
      funnel({ funnelsFilter, breakdownFilter: { breakdown: 'the.color' } }),
    )
    t.match(colors.results, [
      { breakdown_value: 'blue', converted: [0, 1, 0] },
      { breakdown_value: 'red', converted: [1, 1, 0] },
    ])
  })
})

t.test('paths', async (t) => {
  const { sql } = await testDatabase(t)
  await putPerson(sql, 1, { distinctIds: ['p1', 'p1b'] })
  const page = (path: string) => ({ $pathname: path })
  await putEvents(sql, 1, [
    event('p1', '$pageview 05 10:00:00', page('/')),
    event('p1b', '$pageview 05 10:01:00', page('/a')),
    event('p1', '$pageview 05 10:02:00', page('/a')),
    event('p1', 'paid 05 10:32:00'),
    event('p2', '$pageview 05 10:00:00', page('/')),
    event('p2', '$pageview 05 10:00:30', page('/a')),
    event('p2', '$screen 05 11:00:31', { $screen_name: 'Home' }),
    event('p2', '$pageview 05 11:01:00'),
    event('p2', '$identify 05 11:02:00'),
    event('p3', 'u 09 10:00:00'),
    event('p3', 'v 09 10:01:00'),
    event('p4', 'y 09 10:00:00'),
    event('p4', 'z 09 10:01:00'),
    event('p5', 'y 09 10:00:00'),
    event('p5', 'z 09 10:01:00'),
  ])
  await putEvents(sql, 2, [event('p1', '$pageview 05 10:00:00', page('/'))])
  const { rows } = asker(sql, ZONE)
  const paths = async (pathsFilter: Json, more: Record<string, Json> = {}) => {
    const query = { kind: 'PathsQuery', dateRange: DATES, pathsFilter, ...more }
    const found: readonly Record<string, Json>[] = JSON.parse(JSON.stringify(await rows(query)))
    return found.map(({ source, target, value, average_conversion_time: time }) => {
      return `${source} > ${target}: ${value}, ${time}`
    })
  }
  const all = [
    '1_/ > 2_/a: 2, 45000',
    '1_Home > 2_$pageview: 1, 29000',
    '2_$pageview > 3_$identify: 1, 60000',
    '2_/a > 3_paid: 1, 1860000',
  ]
  t.strictSame(await paths({}), all)
  t.strictSame(await paths(null, { pathsFilter: null }), all)
  t.strictSame(await paths({ edgeLimit: 1 }), all.slice(0, 1))
  t.strictSame(await paths({ stepLimit: 2 }), all.slice(0, 2))
  t.strictSame(await paths({ startPoint: '/a' }), ['1_/a > 2_paid: 1, 1860000'])
  t.strictSame(await paths({ endPoint: 'paid' }), ['1_/ > 2_/a: 1, 60000', all[3]])
  t.strictSame(await paths({ startPoint: "no one's" }), [])
  t.strictSame(await paths({ includeEventTypes: ['$screen', 'custom_event'] }), [])
  t.strictSame(await paths({ includeEventTypes: ['$pageview'] }), all.slice(0, 1))
  const properties = [{ key: '$pathname', operator: 'is_set', value: 'is_set' }]
  t.strictSame(await paths({}, { properties }), all.slice(0, 1))

  const later = { dateRange: { date_from: '2026-10-09', date_to: '2026-10-09' } }
  t.strictSame(await paths({}, later), ['1_y > 2_z: 2, 60000', '1_u > 2_v: 1, 60000'])
  const every = everyEvent(projectId(1))
  const read = async (eventsMax: number, itemsMax: number) => {
    const found = await itemsByActor(sql, every, [], { eventsMax, itemsMax, isNamed: false })
    return typeof found === 'string' ? found : [found.names.size, found.actors.length]
  }
  t.strictSame(await read(15, 10), [10, 5])
  t.equal(await read(14, 10), 'too_many_events')
  t.equal(await read(15, 9), 'too_many_items')
})
