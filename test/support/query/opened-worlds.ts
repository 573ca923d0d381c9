/** Random projects whose every number is opened. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { putEvents, putPerson } from '../ingest/events.ts'
import type { EventsElsewhere } from '../insights/check.ts'
import { testDatabase } from '../servers/database.ts'
import { type OpenedActor, opener } from './opened-numbers.ts'
import { type AnswerRow, asker } from './questions.ts'

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
          $groups: fc.constantFrom<Json>({ team: 't1' }, { team: 't2' }, { team: '' }, {}),
        },
        { requiredKeys: [] },
      ),
    }),
    { minLength: 30, maxLength: 40 },
  ),
  owners: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 6, maxLength: 6 }),
})

/** With another event store one number in so many is opened, as each needs a dozen statements. */
const ELSEWHERE_EACH = 7

/**
 * The property: each number of each kind of answer opens to as many actors as it says, each once.
 * With another event store, to the same actors as Postgres gives, in the same order.
 */
export async function checkOpened(t: Test, events?: EventsElsewhere): Promise<void> {
  const { sql } = await testDatabase(t)
  const every = events === undefined ? 1 : ELSEWHERE_EACH
  let project = 0
  const property = fc.asyncProperty(world, async (given) => {
    project += 1
    const asked = asker(sql, { ...NOW, project, openEvents: events?.openEvents })
    const inPostgres = opener(asker(sql, { ...NOW, project }))
    await put(given, project)
    await events?.copy(sql, project)
    for (const [name, question] of questions()) {
      const rows = await asked.rows(question)
      const numbers = numbersOf(question, rows, given)
      for (const opened of numbers.filter((_, nth) => nth % every === 0)) {
        const actors = await opener(asked).actors(question, opened.point)
        const said = `${name} ${JSON.stringify(opened.point)}`
        if (actors.length !== opened.count)
          throw new Error(`${said}: ${actors.length} actors, not ${opened.count}`)
        if (new Set(actors.map(nameOf)).size !== actors.length)
          throw new Error(`${said}: an actor is there twice`)
        if (events === undefined) continue
        const theirs = await inPostgres.actors(question, opened.point)
        if (!isDeepStrictEqual(actors, theirs)) throw new Error(`${said}: other actors`)
      }
    }
  })
  const put = async ({ events, owners }: World, project: number) => {
    await sql`insert into group_types (project_id, group_type, type_index)
      values (${project}, 'team', 1)`
    await sql`insert into groups (project_id, type_index, group_key, properties, created_at)
      values (${project}, 1, 't1', '{"plan":"paid"}', '2026-10-01T00:00:00Z')`
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
}

function timeOf(quarter: number): string {
  return new Date(FIRST_MS + quarter * QUARTER_MS).toISOString()
}

/** Unique name of an actor. */
function nameOf({ id, distinct_ids: ids }: OpenedActor): string {
  return id ?? `lone ${ids.join()}`
}

const FIRST = ['first_time_for_user', 'first_matching_event_for_user']
const COUNTS = ['unique_group', 'dau', 'weekly_active', 'monthly_active', ...FIRST]
const CHROME: Json = [{ key: 'browser', value: 'Chrome', operator: 'exact' }]
const OF_GROUPS = { aggregation_group_type_index: 1 }
const TOTALS = ['total', 'unique_session', 'sum', 'median']

function questions(): readonly (readonly [string, Record<string, Json>])[] {
  const node = (math: string): Json => ({
    kind: 'EventsNode',
    event: 'A',
    math,
    ...(['sum', 'median'].includes(math) && { math_property: 'amount' }),
    ...(math === 'unique_group' && { math_group_type_index: 1 }),
  })
  const trends = (maths: readonly string[], more: Record<string, Json>) => ({
    kind: 'TrendsQuery',
    dateRange: RANGE,
    series: maths.map(node),
    ...more,
  })
  const series: Json = ['A', 'B', 'C'].map((event) => ({ kind: 'EventsNode', event }))
  const funnel = (funnelsFilter: Record<string, Json>) => ({
    kind: 'FunnelsQuery',
    dateRange: RANGE,
    series,
    funnelsFilter,
  })
  const retention = (more: Record<string, Json>) => ({
    kind: 'RetentionQuery',
    dateRange: { date_from: '2026-10-23' },
    retentionFilter: {
      totalIntervals: 7,
      ...more,
      targetEntity: { id: 'A' },
      returningEntity: { id: 'B' },
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
    ['first of a browser', trends(FIRST, { properties: CHROME })],
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
    ['groups that come back', { ...retention({}), ...OF_GROUPS }],
    ['groups by value', { ...funnel({}), ...byBrowser, ...OF_GROUPS }],
    ['groups by moment', { ...funnel({ funnelVizType: 'trends' }), ...OF_GROUPS }],
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
