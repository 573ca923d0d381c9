import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { type OpenedActor, opener } from '../../../support/query/opened-numbers.ts'
import { type AnswerRow, asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NOW = { timezone: 'Europe/Berlin', now: '2026-10-28T12:00:00Z' }
const FIRST_MS = Date.parse('2026-10-16T20:00:00Z')
const QUARTER_MS = 900_000
const QUARTERS = 11 * 96
const NONE = '$$_posthog_breakdown_null_$$'
const OTHER = '$$_posthog_breakdown_other_$$'
const RANGE = { date_from: '2026-10-24', date_to: '2026-10-27' }
const WORLDS = 1

type WorldEvent = {
  readonly event: string
  readonly distinctId: string
  readonly quarter: number
  readonly properties: Readonly<Record<string, Json>>
}
type World = {
  readonly events: readonly WorldEvent[]
  /** The person of each distinct id; ids at 3 and more have none. */
  readonly owners: readonly number[]
}

const IDS = ['a', 'b', 'c', 'd', 'e', 'f']
const world: fc.Arbitrary<World> = fc.record({
  events: fc.array(
    fc.record({
      event: fc.constantFrom('A', 'A', 'B', 'C'),
      distinctId: fc.constantFrom(...IDS),
      quarter: fc.integer({ min: 0, max: QUARTERS }),
      properties: fc.record(
        {
          browser: fc.constantFrom<Json>('Chrome', 'Safari', 'Opera', '', null, 5),
          amount: fc.constantFrom<Json>(1, '2.5', 'x', true),
          $session_id: fc.constantFrom('s1', 's2', ''),
        },
        { requiredKeys: [] },
      ),
    }),
    { minLength: 30, maxLength: 40 },
  ),
  owners: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 6, maxLength: 6 }),
})

t.test('every number opens to as many actors as it says', async (t) => {
  const { sql } = await testDatabase(t)
  let project = 0
  const property = fc.asyncProperty(world, async (given) => {
    project += 1
    const asked = asker(sql, { ...NOW, project })
    await put(given, project)
    for (const [name, question] of questions()) {
      const rows = await asked.rows(question)
      for (const opened of numbersOf(question, rows, given)) {
        const actors = await opener(asked).actors(question, opened.point)
        const said = `${name} ${JSON.stringify(opened.point)}`
        if (actors.length !== opened.count)
          throw new Error(`${said}: ${actors.length} actors, not ${opened.count}`)
        if (new Set(actors.map(nameOf)).size !== actors.length)
          throw new Error(`${said}: an actor is there twice`)
      }
    }
  })
  const put = async ({ events, owners }: World, project: number) => {
    for (const person of new Set(owners.filter((owner) => owner < 3))) {
      const distinctIds = IDS.filter((_, index) => owners[index] === person)
      await putPerson(sql, project, { distinctIds, properties: { plan: `p${person % 2}` } })
    }
    await putEvents(
      sql,
      project,
      events.map(({ quarter, ...event }) => ({ ...event, timestamp: timeOf(quarter) })),
    )
  }
  await t.resolves(fc.assert(property, { numRuns: WORLDS, endOnFailure: true }))
})

t.test('lists of actors', async (t) => {
  const { sql } = await testDatabase(t)
  const timestamp = '2026-10-25T10:00:00Z'
  const people = Array.from({ length: 5 }, (_, index) => `p${index}`)
  const big = { name: 'Ann', text: 'x'.repeat(400_000) }
  for (const id of people) {
    await putPerson(sql, 1, { distinctIds: [id, `${id}-2`], properties: { name: id } })
  }
  for (let index = 0; index < 11; index++) {
    await putPerson(sql, 1, { distinctIds: [`big${index}`], properties: big })
  }
  await putPerson(sql, 2, { distinctIds: ['lone'] })
  const view = (distinctId: string, pathname: string) => ({
    ...{ event: '$pageview', distinctId, timestamp, properties: { $pathname: pathname, a: 'x' } },
  })
  await putEvents(sql, 1, [
    ...people.flatMap((id) => [view(id, '/'), view(`${id}-2`, '/')]),
    ...['é', 'lone', 'B', 'a'].map((id) => view(id, '/')),
    ...Array.from({ length: 11 }, (_, index) => ({ ...view(`big${index}`, '/'), event: 'big' })),
    { ...view('p1', '/to'), timestamp: '2026-10-25T10:10:00Z' },
    { ...view('B', '/to'), timestamp: '2026-10-25T10:10:00Z' },
  ])
  const { page, actors, inPages, refused } = opener(asker(sql, NOW))
  const node = { kind: 'EventsNode', event: '$pageview', math: 'dau' }
  const views = { kind: 'TrendsQuery', dateRange: RANGE, series: [node] }
  const day = { day: '2026-10-25' }

  t.test('a row says who it is; pages neither repeat nor skip', async (t) => {
    const all = await actors(views, day)
    t.strictSame(
      all.map(({ distinct_ids: ids }) => ids[0]),
      [...people, 'B', 'a', 'lone', 'é'],
    )
    t.strictSame(all[0]?.properties, { name: 'p0' })
    t.strictSame(all[0]?.distinct_ids, ['p0', 'p0-2'])
    t.match(all[0]?.id, /^[0-9a-f-]{36}$/)
    t.match(all[0]?.created_at, /^\d{4}-.*Z$/)
    t.strictSame(all.at(-2), { id: null, distinct_ids: ['lone'], properties: {}, created_at: null })
    for (const limit of [1, 4, 9]) t.strictSame(await inPages(views, day, limit), all)
    const beyond = await page(views, day, { offset: 9 })
    t.strictSame([beyond.results, beyond.hasMore], [[], false])
  })

  t.test('a page of more than 4 MiB is refused', async (t) => {
    const big = { ...views, series: [{ ...node, event: 'big' }] }
    t.equal(await refused(big, day, { limit: 11 }), 'query.limit')
    t.equal((await page(big, day, { limit: 10 })).results.length, 10)
    t.equal((await page(big, day, { limit: 10, offset: 10 })).results.length, 1)
  })

  t.test('who took an edge of a path', async (t) => {
    const paths = { kind: 'PathsQuery', dateRange: RANGE, pathsFilter: {} }
    const edge = { pathStartKey: '1_/', pathEndKey: '2_/to' }
    const taken = await actors(paths, edge)
    t.strictSame(
      taken.map(({ distinct_ids: ids }) => ids[0]),
      ['p1', 'B'],
    )
    t.strictSame(await actors(paths, { pathEndKey: '2_/to' }), taken)
    t.strictSame(await inPages(paths, edge, 1), taken)
    t.equal(await refused(paths, { pathEndKey: '2_/' }), 'query.source.pathEndKey')
  })

  t.test('a number that the answer does not have is refused', async (t) => {
    const by = { ...views, breakdownFilter: { breakdown: 'a' } }
    const cases: readonly (readonly [Json, Record<string, Json>, string])[] = [
      [views, { day: '2026-10-28' }, 'query.source.day'],
      [views, { day: '25-Oct-2026' }, 'query.source.day'],
      [{ ...views, interval: 'hour' }, { day: '2026-10-25 02:00:00' }, 'query.source.day'],
      [by, { ...day, breakdown: 'y' }, 'query.source.breakdown'],
      [by, { ...day, breakdown: NONE }, 'query.source.breakdown'],
      [by, { ...day, breakdown: OTHER }, 'query.source.breakdown'],
      [{ ...views, interval: 'minute' }, {}, 'query.source.source.interval'],
    ]
    for (const [source, point, attr] of cases) {
      t.equal(await refused(source, point), attr, JSON.stringify(point))
    }
    const hour = '2026-10-25T11:00:00+01:00'
    t.equal((await actors({ ...views, interval: 'hour' }, { day: hour })).length, 9)
  })

  t.test('without a series, a formula opens to the actors of all series', async (t) => {
    const series = [node, { ...node, event: 'big' }]
    const formula = { ...views, series, trendsFilter: { formula: 'A/B' } }
    const found = await page(formula, day, { limit: 5 })
    t.equal(found.results.length, 5)
    t.equal((await actors(formula, { ...day, series: 0 })).length, 9)
    const both = [await page(formula, day, { limit: 10 }), await page(formula, day, { offset: 10 })]
    t.equal(both.flatMap(({ results }) => results).length, 20)
  })
})

function timeOf(quarter: number): string {
  return new Date(FIRST_MS + quarter * QUARTER_MS).toISOString()
}

/** Once an actor, whoever it is. */
function nameOf({ id, distinct_ids: ids }: OpenedActor): string {
  return id ?? `lone ${ids.join()}`
}

const COUNTS = ['dau', 'weekly_active', 'monthly_active', 'first_time_for_user']
const TOTALS = ['total', 'unique_session', 'sum', 'median']

function questions(): readonly (readonly [string, Record<string, Json>])[] {
  const node = (math: string): Json => ({
    ...{ kind: 'EventsNode', event: 'A', math },
    ...(['sum', 'median'].includes(math) && { math_property: 'amount' }),
  })
  const trends = (maths: readonly string[], more: Record<string, Json>) => ({
    ...{ kind: 'TrendsQuery', dateRange: RANGE, series: maths.map(node), ...more },
  })
  const series: Json = ['A', 'B', 'C'].map((event) => ({ kind: 'EventsNode', event }))
  const funnel = (funnelsFilter: Record<string, Json>) => ({
    ...{ kind: 'FunnelsQuery', dateRange: RANGE, series, funnelsFilter },
  })
  const retention = (more: Record<string, Json>) => ({
    kind: 'RetentionQuery',
    dateRange: { date_from: '2026-10-23' },
    retentionFilter: {
      ...{ totalIntervals: 7, ...more },
      ...{ targetEntity: { id: 'A' }, returningEntity: { id: 'B' } },
    },
  })
  const browsers = { breakdown: 'browser', breakdown_limit: 2 }
  const plans = { breakdown: 'plan', breakdown_type: 'person', breakdown_limit: 1 }
  const byBrowser = { breakdownFilter: browsers }
  const exclusions = [{ event: 'C', funnelFromStep: 0, funnelToStep: 1 }]
  const one = [{ kind: 'EventsNode', event: 'A' }]
  return [
    ['weeks', trends(COUNTS, { interval: 'week', compareFilter: { compare: true } })],
    ['days', trends([...COUNTS, ...TOTALS], { trendsFilter: { display: 'BoldNumber' } })],
    ['browsers', trends([...COUNTS, ...TOTALS], { breakdownFilter: browsers })],
    ['plans', trends(['dau', 'sum'], { breakdownFilter: plans, compareFilter: { compare: true } })],
    ['ordered', funnel({ funnelWindowInterval: 1 })],
    ['strict', funnel({ funnelOrderType: 'strict' })],
    ['unordered', funnel({ funnelOrderType: 'unordered' })],
    ['exclusions', funnel({ exclusions })],
    ['steps by value', { ...funnel({ breakdownAttributionType: 'all_events' }), ...byBrowser }],
    ['entries', { ...funnel({ funnelVizType: 'trends' }), interval: 'week' }],
    ['times', { ...funnel({ funnelVizType: 'time_to_convert', funnelToStep: 1 }), ...byBrowser }],
    ['recurring', retention({})],
    ['first time', retention({ retentionType: 'retention_first_time' })],
    ['cumulative', retention({ cumulative: true })],
    ['stickiness', { kind: 'StickinessQuery', dateRange: RANGE, series }],
    ['lifecycle', { kind: 'LifecycleQuery', dateRange: RANGE, series: one }],
  ]
}

type GroupedWorld = World & { readonly isByPlan: boolean }
type Numbered = { readonly point: Record<string, Json>; readonly count: number }
type AnyRow = AnswerRow & {
  readonly action: { readonly order: number; readonly math: string }
  readonly status?: string
  readonly open_entrants?: number | null
  readonly bins?: readonly (readonly [number, number])[]
  readonly entered?: readonly number[]
  readonly converted?: readonly number[]
  readonly values?: readonly { readonly count: number }[]
}

/** All numbers of an answer, with how many actors each should have. */
function numbersOf(
  { kind, breakdownFilter }: Record<string, Json>,
  answer: readonly AnswerRow[],
  world: World,
): readonly Numbered[] {
  const rows = answer as readonly AnyRow[]
  // The rows do not say it: their only values may be those of nobody and of all others.
  const given = { ...world, isByPlan: JSON.stringify(breakdownFilter)?.includes('"plan"') ?? false }
  switch (kind) {
    case 'TrendsQuery':
      return rows.flatMap((row) => ofTrend(row, rows, given))
    case 'FunnelsQuery':
      return (rows.some(Array.isArray) ? rows : [rows]).flatMap((each) =>
        ofFunnel(each as readonly AnyRow[]),
      )
    case 'RetentionQuery':
      return rows.flatMap(({ values = [] }, interval) =>
        values.map(({ count }, day) => ({ point: { interval, day }, count })),
      )
    case 'StickinessQuery':
      return rows.flatMap(({ data }, series) =>
        data.map((count, index) => ({ point: { series, day: index + 1 }, count })),
      )
    default:
      return rows.flatMap(({ data, days, status = '' }) =>
        data.map((count, index) => ({
          point: { day: days[index] ?? '', status },
          count: Math.abs(count),
        })),
      )
  }
}

/** The steps of one value, or rows of times or of buckets. */
function ofFunnel(rows: readonly AnyRow[]): readonly Numbered[] {
  return rows.flatMap((row, index): readonly Numbered[] => {
    const { count, bins, entered, converted = [], days, open_entrants: open } = row
    const value = row.breakdown_value === undefined ? {} : { breakdown: row.breakdown_value }
    const numbered = ({ point, count: all }: Numbered) => ({
      point: { ...point, ...value },
      count: all,
    })
    if (bins !== undefined) {
      return bins.map(([day, all]) => numbered({ point: { day }, count: all }))
    }
    if (entered !== undefined) {
      return days.flatMap((day, place) => [
        { point: { day, funnelStep: 1 }, count: entered[place] ?? 0 },
        { point: { day, funnelStep: 3 }, count: converted[place] ?? 0 },
      ])
    }
    return [
      { point: { funnelStep: index + 1 }, count },
      ...(index === 0 ? [] : [dropped(index, (rows[index - 1]?.count ?? 0) - count)]),
      ...(typeof open !== 'number' ? [] : [openAt(index, open)]),
    ].map(numbered)
  })
}

function dropped(step: number, count: number): Numbered {
  return { point: { funnelStep: -step - 1 }, count }
}

function openAt(step: number, count: number): Numbered {
  return { point: { funnelStep: -step - 2, status: 'open' }, count }
}

/** Numbers of actors say how many there are; the others are counted from the events themselves. */
function ofTrend(row: AnyRow, rows: readonly AnyRow[], given: GroupedWorld): readonly Numbered[] {
  const { action, data, days, aggregated_value: whole } = row
  const point = {
    series: action.order,
    ...(row.breakdown_value !== undefined && { breakdown: row.breakdown_value }),
    ...(row.compare_label !== undefined && { compare: row.compare_label }),
  }
  const isCount = COUNTS.includes(action.math)
  const starts = row.buckets.map((text) => Date.parse(text))
  const untilMs = (starts.at(-1) ?? 0) + 86_400_000
  const counted = (fromMs: number, toMs: number) => actorsOf(row, rows, given, fromMs, toMs)
  const ofDays = data.map((number, index) => ({
    point: { ...point, day: days[index] ?? '' },
    count: isCount ? number : counted(starts[index] ?? 0, starts[index + 1] ?? untilMs),
  }))
  if (whole === undefined) return ofDays
  return [...ofDays, { point, count: isCount ? whole : counted(starts[0] ?? 0, untilMs) }]
}

function actorsOf(
  row: AnyRow,
  rows: readonly AnyRow[],
  { events, owners, isByPlan }: GroupedWorld,
  fromMs: number,
  untilMs: number,
): number {
  const { action, breakdown_value: wanted } = row
  const listed = rows
    .filter((each) => each.action.order === action.order)
    .map((each) => each.breakdown_value)
  const ownerOf = (distinctId: string) => owners[IDS.indexOf(distinctId)] ?? 0
  const found = events.filter(({ event, distinctId, quarter, properties }) => {
    const at = FIRST_MS + quarter * QUARTER_MS
    if (event !== 'A' || at < fromMs || at >= untilMs) return false
    const { browser, amount, $session_id: session } = properties
    if (action.math === 'unique_session' && !session) return false
    if (['sum', 'median'].includes(action.math) && amount !== 1 && amount !== '2.5') return false
    const owner = ownerOf(distinctId)
    const own = shownBy(isByPlan, browser, owner)
    return wanted === undefined || (listed.includes(own) ? own : OTHER) === wanted
  })
  const actors = found.map(({ distinctId }) => {
    const owner = ownerOf(distinctId)
    return owner < 3 ? owner : distinctId
  })
  return new Set(actors).size
}

/** Rows that are not by plan are by browser. */
function shownBy(isByPlan: boolean, browser: Json | undefined, owner: number): string {
  if (isByPlan) return owner < 3 ? `p${owner % 2}` : NONE
  return browser === undefined || browser === null || browser === '' ? NONE : String(browser)
}
