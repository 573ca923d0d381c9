/** Reads `FunnelsQuery`. */
import type { Attribution, FunnelQuestion, FunnelShape } from '../question.ts'
import { INTERVALS } from '../time/grid.ts'
import { readBreakdown } from './breakdown.ts'
import { COMMON, filterOf, type Reading, readGroupIndex, readRange, readSeries } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'
import { requireTotal } from './read-actors.ts'
import { readBothFilters } from './read-session-filters.ts'

/** Steps of a funnel. */
const INSIGHT_STEPS_MAX = 20
const INSIGHT_EXCLUSIONS_MAX = 10
/** Units of a funnel's window. */
const INSIGHT_WINDOW_MAX = 100_000

export const FUNNEL_MEMBERS = [
  ...COMMON,
  'series',
  'interval',
  'breakdownFilter',
  'funnelsFilter',
  'aggregation_group_type_index',
] as const

const STEPS = { minimum: 2, maximum: INSIGHT_STEPS_MAX }
const WINDOW = 14
const WINDOW_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const
/** A month is 30 days. */
const UNIT_MS: Readonly<Record<(typeof WINDOW_UNITS)[number], number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
}

const FUNNEL_FILTER = [
  'funnelOrderType',
  'funnelWindowInterval',
  'funnelWindowIntervalUnit',
  'funnelVizType',
  'funnelFromStep',
  'funnelToStep',
  'breakdownAttributionType',
  'breakdownAttributionValue',
  'exclusions',
] as const

/** @throws {QuestionProblem} */
export function readFunnel(question: Members, reading: Reading): FunnelQuestion {
  const steps = readSeries(question, STEPS, reading)
  requireTotal(question, steps)
  // Without the member, all settings have their defaults.
  const filter =
    question.members('funnelsFilter', FUNNEL_FILTER) ??
    membersOf({}, question.at('funnelsFilter'), [])
  const unit = filter.choice('funnelWindowIntervalUnit', WINDOW_UNITS) ?? 'day'
  const window = filter.whole('funnelWindowInterval', 1, INSIGHT_WINDOW_MAX) ?? WINDOW
  const breakdown = readBreakdown(question, reading)
  const asked = readAttribution(filter, steps.length, breakdown !== undefined)
  const attribution = breakdown?.source.kind === 'cohorts' ? ofCohorts(filter, asked) : asked
  return {
    kind: 'funnel',
    groups: readGroupIndex(question, 'aggregation_group_type_index'),
    zone: reading.zone,
    range: readRange(question, reading),
    ...readBothFilters(question, reading),
    steps,
    order: filter.choice('funnelOrderType', ['ordered', 'strict', 'unordered']) ?? 'ordered',
    windowMs: window * UNIT_MS[unit],
    exclusions: readExclusions(filter, steps.length, reading),
    breakdown: breakdown && { ...breakdown, attribution },
    shape: readShape(question, filter, steps.length),
  }
}

const ATTRIBUTIONS = ['first_touch', 'last_touch', 'all_events', 'step'] as const

function readAttribution(filter: Members, steps: number, isBrokenDown: boolean): Attribution {
  const type = filter.choice('breakdownAttributionType', ATTRIBUTIONS) ?? 'first_touch'
  const step = filter.whole('breakdownAttributionValue', 0, steps - 1)
  if (!isBrokenDown && type !== 'first_touch') {
    throw new QuestionProblem(filter.at('breakdownAttributionType'), 'Needs a breakdownFilter.')
  }
  if (type === 'step') return step ?? 0
  if (step === undefined) return type
  const detail = 'Needs the breakdownAttributionType step.'
  throw new QuestionProblem(filter.at('breakdownAttributionValue'), detail)
}

/** An actor is in its cohorts with all its events: the first touch and the last are the same. */
function ofCohorts(filter: Members, asked: Attribution): Attribution {
  if (typeof asked !== 'number') return 'each_value'
  const detail = 'An actor is in a cohort at all steps.'
  throw new QuestionProblem(filter.at('breakdownAttributionType'), detail)
}

function readShape(question: Members, filter: Members, steps: number): FunnelShape {
  const kind = filter.choice('funnelVizType', ['steps', 'time_to_convert', 'trends']) ?? 'steps'
  const interval = question.choice('interval', INTERVALS)
  if (interval !== undefined && kind !== 'trends') {
    throw new QuestionProblem(question.at('interval'), 'Needs the funnelVizType trends.')
  }
  const from = filter.whole('funnelFromStep', 0, steps - 2)
  const to = filter.whole('funnelToStep', 1, steps - 1)
  if (kind === 'steps') {
    const name = from === undefined ? 'funnelToStep' : 'funnelFromStep'
    if (from === undefined && to === undefined) return { kind }
    throw new QuestionProblem(filter.at(name), 'Needs another funnelVizType.')
  }
  const between = { from: from ?? 0, to: to ?? steps - 1 }
  requireAfter(filter, between)
  return kind === 'trends'
    ? { kind, ...between, interval: interval ?? 'day' }
    : { kind, ...between }
}

function requireAfter(
  members: Members,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (to > from) return
  throw new QuestionProblem(members.at('funnelToStep'), 'Must be after funnelFromStep.')
}

const EXCLUSION = ['kind', 'event', 'properties', 'funnelFromStep', 'funnelToStep']

function readExclusions(
  filter: Members,
  steps: number,
  reading: Reading,
): FunnelQuestion['exclusions'] {
  const items = filter.list('exclusions') ?? []
  const path = filter.at('exclusions')
  if (items.length > INSIGHT_EXCLUSIONS_MAX) {
    throw new QuestionProblem(path, `Must have at most ${INSIGHT_EXCLUSIONS_MAX} items.`)
  }
  return items.map((item, index) => {
    const members = membersOf(item, `${path}.${index}`, EXCLUSION)
    members.choice('kind', ['EventsNode'])
    const event = members.text('event')
    const from = members.whole('funnelFromStep', 0, steps - 2) ?? 0
    const to = members.whole('funnelToStep', 1, steps - 1) ?? steps - 1
    if (event === undefined) throw new QuestionProblem(members.at('event'), 'Must be given.')
    requireAfter(members, { from, to })
    return { event, filter: filterOf(members, 'properties', reading), from, to }
  })
}
