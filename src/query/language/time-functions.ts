/** Functions of times. */
import type { Typed } from '../../events/trees/expression.ts'
import { isNumeric, TIME_UNITS, type TimeUnit } from '../../events/trees/value-type.ts'
import { convert } from './convert.ts'
import {
  argumentAt,
  byType,
  converted,
  isRefusal,
  type Moment,
  type Refusal,
  type Rule,
  unfit,
} from './rules.ts'
import { apply, isProperty } from './typed.ts'

export const TIME_FUNCTIONS: Readonly<Record<string, Rule>> = {
  now: {
    arityMin: 0,
    arityMax: 0,
    apply: (_, { nowMs }) => ({
      kind: 'constant',
      type: 'DateTime',
      value: String(BigInt(nowMs) * 1_000n),
    }),
  },
  toDateTime: byType(toTime),
  toDate: {
    arityMin: 1,
    arityMax: 1,
    apply: (args, at) => {
      const time = toTime(argumentAt(args, 0))
      return isRefusal(time) ? time : startOf('day', time, at)
    },
  },
  toStartOfMinute: truncation('minute'),
  toStartOfHour: truncation('hour'),
  toStartOfDay: truncation('day'),
  toStartOfWeek: truncation('week'),
  toStartOfMonth: truncation('month'),
  toStartOfYear: truncation('year'),
  dateTrunc: withUnit(2, truncation),
  dateDiff: withUnit(3, (unit) =>
    ofTimes(2, (args, { local }) => ({
      kind: 'apply',
      type: 'Int64',
      operation: 'difference',
      unit,
      args,
      ...(local && { local }),
    })),
  ),
}

/**
 * Reads ISO 8601, or a number as unix seconds. A property may be either. Null when it is neither.
 */
function toTime(arg: Typed): Typed | Refusal {
  if (isProperty(arg) || arg.kind === 'null') return convert(arg, 'DateTime') ?? unread(arg)
  if (arg.type === 'DateTime') return arg
  if (arg.type === 'String') return apply('DateTime', 'read_iso_time', [arg])
  return isNumeric(arg.type) ? apply('DateTime', 'time_of_seconds', [arg]) : unread(arg)
}

function unread(arg: Typed): Refusal {
  return unfit(arg, 'DateTime', 0)
}

function truncation(unit: TimeUnit): Rule {
  return ofTimes(1, (args, at) => startOf(unit, argumentAt(args, 0), at))
}

function startOf(unit: TimeUnit, time: Typed, { local }: Moment): Typed {
  const node = { kind: 'apply', type: 'DateTime', operation: 'start_of', unit } as const
  return { ...node, ...(local && { local }), args: [time] }
}

function ofTimes(arity: number, make: (times: readonly Typed[], at: Moment) => Typed): Rule {
  return {
    arityMin: arity,
    arityMax: arity,
    apply: (args, at) => {
      const times = converted(args, () => 'DateTime')
      return isRefusal(times) ? times : make(times, at)
    },
  }
}

/** A function whose first argument is the name of a unit, as a literal. */
function withUnit(arity: number, ruleOf: (unit: TimeUnit) => Rule): Rule {
  return {
    arityMin: arity,
    arityMax: arity,
    apply: ([first, ...others], at) => {
      const name = first?.kind === 'constant' && first.type === 'String' ? first.value : ''
      const unit = TIME_UNITS.find((each) => each === name.toLowerCase())
      if (unit === undefined) {
        return { refused: `The unit is one of ${TIME_UNITS.join(', ')}, in quotes`, argument: 0 }
      }
      const applied = ruleOf(unit).apply(others, at)
      const isAbout = 'refused' in applied && applied.argument !== undefined
      return isAbout ? { ...applied, argument: (applied.argument ?? 0) + 1 } : applied
    },
  }
}
