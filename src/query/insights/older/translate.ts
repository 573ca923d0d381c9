/** Translates the flat questions of older clients. */
import { isObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { EVENT_FILTER_CHARS_MAX } from '../../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { QuestionError } from '../question.ts'
import { type Members, membersOf, QuestionProblem } from '../read/members.ts'

/** Lists and objects. */
const STRUCTURES: ReadonlySet<string> = new Set([
  'events',
  'actions',
  'properties',
  'exclusions',
  'target_entity',
  'returning_entity',
])
const FLAGS: ReadonlySet<string> = new Set([
  'compare',
  'cumulative',
  'filter_test_accounts',
  'refresh',
])
const NUMBERS: ReadonlySet<string> = new Set([
  'breakdown_limit',
  'breakdown_group_type_index',
  'breakdown_attribution_value',
  'funnel_window_interval',
  'funnel_window_days',
  'funnel_from_step',
  'funnel_to_step',
  'total_intervals',
  'aggregation_group_type_index',
])

/** Replaces texts of a flat question by their meanings; unknown texts stay, to be refused. */
function withoutTexts(asked: Json): Json {
  if (!isObject(asked)) return asked
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'string' ? meaningOf(name, value) : value,
    ]),
  )
}

function meaningOf(name: string, text: string): Json {
  if (STRUCTURES.has(name)) return structureOf(text)
  if (FLAGS.has(name)) return text === 'true' || (text === 'false' ? false : text)
  return NUMBERS.has(name) && /^\d{1,9}$/.test(text) ? Number(text) : text
}

function structureOf(text: string): Json {
  if (text.length > EVENT_FILTER_CHARS_MAX) return text
  try {
    return parseJson(text)
  } catch {
    // No JSON: the text is refused by who reads the member.
    return text
  }
}

/** Kind of the older call. */
export type OlderCall = 'trend' | 'funnel' | 'retention'

export type Translated = {
  /** A question for `readQuestion`. */
  readonly query: JsonObject
  /** The flat member that made a member of the query. */
  attrOf(path: string): string
}

const RANGE = { date_from: 'dateRange.date_from', date_to: 'dateRange.date_to' }
const COMMON = {
  ...RANGE,
  properties: 'properties',
  filter_test_accounts: 'filterTestAccounts',
}
const BREAKDOWN = {
  breakdown: 'breakdownFilter.breakdown',
  breakdown_type: 'breakdownFilter.breakdown_type',
  breakdown_limit: 'breakdownFilter.breakdown_limit',
  breakdown_group_type_index: 'breakdownFilter.breakdown_group_type_index',
}

/** Path in the question that replaces each flat member. */
const PLACES: Readonly<Record<OlderCall, Readonly<Record<string, string>>>> = {
  trend: {
    ...COMMON,
    ...BREAKDOWN,
    interval: 'interval',
    compare: 'compareFilter.compare',
    compare_to: 'compareFilter.compare_to',
    formula: 'trendsFilter.formula',
    display: 'trendsFilter.display',
  },
  funnel: {
    ...COMMON,
    ...BREAKDOWN,
    aggregation_group_type_index: 'aggregation_group_type_index',
    interval: 'interval',
    funnel_order_type: 'funnelsFilter.funnelOrderType',
    funnel_viz_type: 'funnelsFilter.funnelVizType',
    funnel_window_interval: 'funnelsFilter.funnelWindowInterval',
    funnel_window_interval_unit: 'funnelsFilter.funnelWindowIntervalUnit',
    funnel_from_step: 'funnelsFilter.funnelFromStep',
    funnel_to_step: 'funnelsFilter.funnelToStep',
    breakdown_attribution_type: 'funnelsFilter.breakdownAttributionType',
    breakdown_attribution_value: 'funnelsFilter.breakdownAttributionValue',
  },
  retention: {
    ...COMMON,
    aggregation_group_type_index: 'aggregation_group_type_index',
    period: 'retentionFilter.period',
    total_intervals: 'retentionFilter.totalIntervals',
    retention_type: 'retentionFilter.retentionType',
    target_entity: 'retentionFilter.targetEntity',
    returning_entity: 'retentionFilter.returningEntity',
    cumulative: 'retentionFilter.cumulative',
  },
}

/** Members that become more than one value. */
const OTHERS: Readonly<Record<OlderCall, readonly string[]>> = {
  trend: ['events', 'actions', 'insight', 'refresh'],
  funnel: [
    'events',
    'actions',
    'insight',
    'refresh',
    'display',
    'exclusions',
    'funnel_window_days',
  ],
  retention: ['actions', 'insight', 'refresh', 'display'],
}

const KINDS: Readonly<Record<OlderCall, Readonly<Record<string, string>>>> = {
  trend: { TRENDS: 'TrendsQuery', STICKINESS: 'StickinessQuery', LIFECYCLE: 'LifecycleQuery' },
  funnel: { FUNNELS: 'FunnelsQuery' },
  retention: { RETENTION: 'RetentionQuery' },
}

/** Display settings of clients, which do not affect the answer. */
const SHOWN_AS: Readonly<Record<OlderCall, readonly string[]>> = {
  trend: [],
  funnel: ['FunnelViz'],
  retention: ['ActionsTable', 'ActionsLineGraph'],
}

/** The members' own values are judged by `readQuestion`. The error names a flat member. */
export function translate(call: OlderCall, asked: Json): Result<Translated, QuestionError> {
  try {
    return ok(translated(call, withoutTexts(asked)))
  } catch (error) {
    if (!(error instanceof QuestionProblem)) throw error
    return err({ code: error.code, detail: error.message, attr: error.attr })
  }
}

function translated(call: OlderCall, asked: Json): Translated {
  const places = PLACES[call]
  const flat = membersOf(asked, '', [...Object.keys(places), ...OTHERS[call]])
  refuseActions(flat)
  flat.flag('refresh')
  if (call !== 'trend') flat.choice('display', SHOWN_AS[call])
  const kinds = KINDS[call]
  const insight = flat.choice('insight', Object.keys(kinds)) ?? Object.keys(kinds)[0] ?? ''
  const draft = new Map<string, Json>([['kind', kinds[insight] ?? '']])
  for (const [name, place] of Object.entries(places)) {
    const value = flat.json(name)
    if (value !== undefined) draft.set(place, value)
  }
  const events = call === 'retention' ? [] : eventsOf(flat)
  if (call !== 'retention')
    draft.set(
      'series',
      events.map(({ node }) => node),
    )
  if (call === 'funnel') setFunnel(flat, draft)
  if (call === 'retention') setRows(flat, draft)
  const order = events.map(({ index }) => index)
  return { query: nested(draft), attrOf: (path) => flatName(path, places, order) }
}

/** Refuses actions, which do not exist here: only events make series. */
function refuseActions(flat: Members): void {
  if ((flat.list('actions') ?? []).length === 0) return
  throw new QuestionProblem('actions', 'There are no actions: use events.')
}

const EVENT_MEMBERS: Readonly<Record<string, string>> = {
  id: 'event',
  name: 'name',
  custom_name: 'custom_name',
  math: 'math',
  math_property: 'math_property',
  math_group_type_index: 'math_group_type_index',
  properties: 'properties',
}

type Event = { readonly index: number; readonly order: number; readonly node: JsonObject }

/** Events sorted by their `order`, where they have one. */
function eventsOf(flat: Members): readonly Event[] {
  const events = (flat.list('events') ?? []).map((item, index): Event => {
    const members = membersOf(item, `events.${index}`, [
      ...Object.keys(EVENT_MEMBERS),
      'type',
      'order',
    ])
    members.choice('type', ['events'])
    const order = members.whole('order', 0, Number.MAX_SAFE_INTEGER) ?? index
    return { index, order, node: { kind: 'EventsNode', ...renamed(members, EVENT_MEMBERS) } }
  })
  return events.toSorted((a, b) => a.order - b.order)
}

const EXCLUSION_MEMBERS: Readonly<Record<string, string>> = {
  id: 'event',
  properties: 'properties',
  funnel_from_step: 'funnelFromStep',
  funnel_to_step: 'funnelToStep',
}

function setFunnel(flat: Members, draft: Map<string, Json>): void {
  const days = flat.json('funnel_window_days')
  if (days !== undefined) {
    if (flat.json('funnel_window_interval') !== undefined) {
      const detail = 'Use funnel_window_interval or funnel_window_days, not both.'
      throw new QuestionProblem('funnel_window_days', detail)
    }
    draft.set('funnelsFilter.funnelWindowInterval', days)
    draft.set('funnelsFilter.funnelWindowIntervalUnit', 'day')
  }
  const exclusions = flat.list('exclusions')?.map((item, index): Json => {
    const names = [...Object.keys(EXCLUSION_MEMBERS), 'name', 'type', 'order']
    const members = membersOf(item, `exclusions.${index}`, names)
    members.choice('type', ['events'])
    return renamed(members, EXCLUSION_MEMBERS)
  })
  if (exclusions !== undefined) draft.set('funnelsFilter.exclusions', exclusions)
}

const PERIOD_UNITS: Readonly<Record<string, string>> = {
  Hour: 'h',
  Day: 'd',
  Week: 'w',
  Month: 'm',
}

/** Sets the number of rows. Without a date the last row is the current interval. */
function setRows(flat: Members, draft: Map<string, Json>): void {
  const total = flat.json('total_intervals')
  const period = flat.json('period') ?? 'Day'
  const unit = typeof period === 'string' ? own(PERIOD_UNITS, period) : undefined
  if (flat.json('date_from') !== undefined || unit === undefined) return
  if (!Number.isSafeInteger(total) || Number(total) < 1) return
  draft.set('dateRange.date_from', `-${Number(total) - 1}${unit}`)
}

function renamed(members: Members, names: Readonly<Record<string, string>>): JsonObject {
  const object: Record<string, Json> = {}
  for (const [name, place] of Object.entries(names)) {
    const value = members.json(name)
    if (value !== undefined) object[place] = value
  }
  return object
}

/** Paths of one or two names as an object. The names are this file's own. */
function nested(draft: ReadonlyMap<string, Json>): JsonObject {
  const query: Record<string, Json> = {}
  const groups = new Map<string, Record<string, Json>>()
  for (const [path, value] of draft) {
    const [outer = '', inner] = path.split('.')
    if (inner === undefined) {
      query[outer] = value
      continue
    }
    const group = groups.get(outer) ?? {}
    group[inner] = value
    groups.set(outer, group)
  }
  return { ...query, ...Object.fromEntries(groups) }
}

const SERIES = /^series\.(\d+)(?:\.([^.]+)(.*))?$/
const EXCLUSION = /^funnelsFilter\.exclusions\.(\d+)\.([^.]+)$/

function flatName(
  path: string,
  places: Readonly<Record<string, string>>,
  order: readonly number[],
): string {
  const series = SERIES.exec(path)
  if (series !== null) {
    const [, place = '0', member, rest = ''] = series
    const event = `events.${order[Number(place)] ?? place}`
    return member === undefined ? event : `${event}.${nameOf(EVENT_MEMBERS, member)}${rest}`
  }
  const exclusion = EXCLUSION.exec(path)
  if (exclusion !== null) {
    return `exclusions.${exclusion[1]}.${nameOf(EXCLUSION_MEMBERS, exclusion[2] ?? '')}`
  }
  if (path === 'series') return 'events'
  if (path === 'kind') return 'insight'
  const found = Object.entries(places).find(
    ([, place]) => path === place || path.startsWith(`${place}.`),
  )
  if (found === undefined) return path.replace('funnelsFilter.', '')
  return found[0] + path.slice(found[1].length)
}

function nameOf(names: Readonly<Record<string, string>>, member: string): string {
  return Object.entries(names).find(([, place]) => place === member)?.[0] ?? member
}
