/** Reads the questions that follow actors: funnels, retention, stickiness and life cycles. */
import {
  INSIGHT_EXCLUSIONS_MAX,
  INSIGHT_INTERVALS_DEFAULT,
  INSIGHT_INTERVALS_MAX,
  INSIGHT_SERIES_MAX,
  INSIGHT_STEPS_MAX,
  INSIGHT_WINDOW_MAX,
} from '../../../core/limits/limits.ts'
import {
  type FunnelQuestion,
  type LifecycleQuestion,
  PERIODS,
  type Period,
  type RetentionQuestion,
  type Series,
  type StickinessQuestion,
} from '../question.ts'
import { INTERVALS } from '../time/grid.ts'
import { COMMON, type Reading, readFilter, readRange, readSeries } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'

export const FUNNEL_MEMBERS = [...COMMON, 'series', 'funnelsFilter'] as const
export const RETENTION_MEMBERS = [...COMMON, 'retentionFilter'] as const
export const SERIES_MEMBERS = [...COMMON, 'series', 'interval'] as const

const STEPS = { minimum: 2, maximum: INSIGHT_STEPS_MAX }
const SERIES = { minimum: 1, maximum: INSIGHT_SERIES_MAX }
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
const PAGE_VIEW = '$pageview'

const FUNNEL_FILTER = [
  'funnelOrderType',
  'funnelWindowInterval',
  'funnelWindowIntervalUnit',
  'funnelVizType',
  'exclusions',
] as const

/** @throws {QuestionProblem} */
export function readFunnel(question: Members, reading: Reading): FunnelQuestion {
  const steps = readSeries(question, STEPS, reading)
  requireTotal(question, steps)
  const filter = question.members('funnelsFilter', FUNNEL_FILTER)
  filter?.choice('funnelVizType', ['steps'])
  const unit = filter?.choice('funnelWindowIntervalUnit', WINDOW_UNITS) ?? 'day'
  const window = filter?.whole('funnelWindowInterval', 1, INSIGHT_WINDOW_MAX) ?? WINDOW
  return {
    kind: 'funnel',
    zone: reading.zone,
    range: readRange(question, reading),
    filter: readFilter(question, reading),
    steps,
    order: filter?.choice('funnelOrderType', ['ordered', 'strict', 'unordered']) ?? 'ordered',
    windowMs: window * UNIT_MS[unit],
    exclusions: filter === undefined ? [] : readExclusions(filter, steps.length),
  }
}

function requireTotal(question: Members, series: readonly Series[]): void {
  const index = series.findIndex(({ maths }) => maths.kind !== 'total')
  if (index === -1) return
  const detail = 'Only total is understood here.'
  throw new QuestionProblem(`${question.at('series')}.${index}.math`, detail)
}

function readExclusions(filter: Members, steps: number): FunnelQuestion['exclusions'] {
  const items = filter.list('exclusions') ?? []
  const path = filter.at('exclusions')
  if (items.length > INSIGHT_EXCLUSIONS_MAX) {
    throw new QuestionProblem(path, `Must have at most ${INSIGHT_EXCLUSIONS_MAX} items.`)
  }
  return items.map((item, index) => {
    const members = membersOf(item, `${path}.${index}`, ['event', 'funnelFromStep', 'funnelToStep'])
    const event = members.text('event')
    const from = members.whole('funnelFromStep', 0, steps - 2) ?? 0
    const to = members.whole('funnelToStep', 1, steps - 1) ?? steps - 1
    if (event === undefined) throw new QuestionProblem(members.at('event'), 'Must be given.')
    if (to <= from) {
      throw new QuestionProblem(members.at('funnelToStep'), 'Must be after funnelFromStep.')
    }
    return { event, from, to }
  })
}

const RETENTION_FILTER = [
  'period',
  'totalIntervals',
  'retentionType',
  'targetEntity',
  'returningEntity',
  'cumulative',
] as const
const RETENTION_TYPES = ['retention_recurring', 'retention_first_time'] as const

/** @throws {QuestionProblem} */
export function readRetention(question: Members, reading: Reading): RetentionQuestion {
  const filter = question.members('retentionFilter', RETENTION_FILTER)
  const periods = Object.keys(PERIODS) as Period[]
  const target = readEntity(filter, 'targetEntity') ?? { event: PAGE_VIEW }
  return {
    kind: 'retention',
    zone: reading.zone,
    range: readRange(question, reading),
    filter: readFilter(question, reading),
    period: filter?.choice('period', periods) ?? 'Day',
    intervals:
      filter?.whole('totalIntervals', 1, INSIGHT_INTERVALS_MAX) ?? INSIGHT_INTERVALS_DEFAULT,
    isFirstTime: filter?.choice('retentionType', RETENTION_TYPES) === 'retention_first_time',
    target: target.event,
    returning: (readEntity(filter, 'returningEntity') ?? { event: PAGE_VIEW }).event,
    isCumulative: filter?.flag('cumulative') ?? false,
  }
}

/** The event is null for all events. */
function readEntity(
  filter: Members | undefined,
  name: string,
): { readonly event: string | null } | undefined {
  const entity = filter?.members(name, ['id', 'type', 'name'])
  if (entity === undefined) return undefined
  entity.choice('type', ['events'])
  return { event: entity.text('id') ?? null }
}

/** @throws {QuestionProblem} */
export function readStickiness(question: Members, reading: Reading): StickinessQuestion {
  return { kind: 'stickiness', ...readEachSeries(question, SERIES, reading) }
}

/** @throws {QuestionProblem} */
export function readLifecycle(question: Members, reading: Reading): LifecycleQuestion {
  return { kind: 'lifecycle', ...readEachSeries(question, { minimum: 1, maximum: 1 }, reading) }
}

function readEachSeries(
  question: Members,
  bounds: { readonly minimum: number; readonly maximum: number },
  reading: Reading,
) {
  const series = readSeries(question, bounds, reading)
  requireTotal(question, series)
  return {
    zone: reading.zone,
    range: readRange(question, reading),
    filter: readFilter(question, reading),
    series,
    interval: question.choice('interval', INTERVALS) ?? 'day',
  }
}
