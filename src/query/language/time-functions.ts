/** Functions of times. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { convert } from './convert.ts'
import { isoTimeOf, unixTimeOf } from './readings.ts'
import { byType, type Refusal, type Rule, taking, unfit } from './rules.ts'
import { isNumeric, isProperty, type Typed } from './typed.ts'

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
type Unit = (typeof UNITS)[number]

export const TIME_FUNCTIONS: Readonly<Record<string, Rule>> = {
  now: {
    arityMin: 0,
    arityMax: 0,
    apply: (_, nowMs) => ({
      kind: 'constant',
      type: 'DateTime',
      value: String(BigInt(nowMs) * 1_000n),
    }),
  },
  toDateTime: byType(toTime),
  toDate: byType((arg) => {
    const time = toTime(arg)
    return 'refused' in time ? time : apply('DateTime', [time], startOf('day'))
  }),
  toStartOfMinute: truncation('minute'),
  toStartOfHour: truncation('hour'),
  toStartOfDay: truncation('day'),
  toStartOfWeek: truncation('week'),
  toStartOfMonth: truncation('month'),
  toStartOfYear: truncation('year'),
  dateTrunc: withUnit(2, (unit) => truncation(unit)),
  dateDiff: withUnit(3, (unit) =>
    taking(['DateTime', 'DateTime'], 'Int64', (from, to) => difference(unit, from, to)),
  ),
}

/**
 * Reads ISO 8601, or a number as unix seconds. A property may be either. Null when it is neither.
 */
function toTime(arg: Typed): Typed | Refusal {
  if (isProperty(arg) || arg.kind === 'null') return convert(arg, 'DateTime') ?? unread(arg)
  if (arg.type === 'DateTime') return arg
  if (arg.type === 'String') return apply('DateTime', [arg], isoTimeOf)
  return isNumeric(arg.type) ? apply('DateTime', [arg], unixTimeOf) : unread(arg)
}

function unread(arg: Typed): Refusal {
  return unfit(arg, 'DateTime', 0)
}

function truncation(unit: Unit): Rule {
  return taking(['DateTime'], 'DateTime', startOf(unit))
}

/** The beginning of a unit in UTC. Weeks begin on Mondays. */
function startOf(unit: Unit): (time: Fragment) => Fragment {
  return (time) => fragment`(${localStart(unit, time)} at time zone 'UTC')`
}

function localStart(unit: Unit, time: Fragment): Fragment {
  return fragment`date_trunc(${unit}, ${time} at time zone 'UTC')`
}

/** Seconds of the units that have a fixed length. */
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 } as const

/**
 * Average seconds of the units that are made of months, as Postgres counts them in an interval:
 * years of 365.25 days and twelve months, months beyond whole years of 30 days. A whole number of
 * units, divided by its average, is less than half a unit off.
 */
const AVERAGE_SECONDS = { month: 2_629_800, quarter: 7_889_400, year: 31_557_600 } as const

/** How many units begin between two times; negative when `to` is before `from`. */
function difference(unit: Unit, from: Fragment, to: Fragment): Fragment {
  const [start, end] = [localStart(unit, from), localStart(unit, to)]
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const seconds = String(AVERAGE_SECONDS[unit])
    return fragment`round(extract(epoch from age(${end}, ${start}))::numeric / ${seconds}::numeric)`
  }
  const seconds = String(SECONDS[unit])
  return fragment`round(extract(epoch from ${end} - ${start})::numeric / ${seconds}::numeric)`
}

/** A function whose first argument is the name of a unit, as a literal. */
function withUnit(arity: number, ruleOf: (unit: Unit) => Rule): Rule {
  return {
    arityMin: arity,
    arityMax: arity,
    apply: ([first, ...others], nowMs) => {
      const name = first?.kind === 'constant' && first.type === 'String' ? first.value : ''
      const unit = UNITS.find((each) => each === name.toLowerCase())
      if (unit === undefined) {
        return { refused: `The unit is one of ${UNITS.join(', ')}, in quotes`, argument: 0 }
      }
      const applied = ruleOf(unit).apply(others, nowMs)
      const isAbout = 'refused' in applied && applied.argument !== undefined
      return isAbout ? { ...applied, argument: (applied.argument ?? 0) + 1 } : applied
    },
  }
}
