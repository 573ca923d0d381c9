/** The aggregates of the expression language. */
import type { PlainOperation, Typed } from '../../events/trees/expression.ts'
import type { ValueType } from '../../events/trees/value-type.ts'
import { convert } from './convert.ts'
import { argumentAt, asNumber, type Refusal, type Rule, unfit } from './rules.ts'
import { apply } from './typed.ts'

/** Settles an aggregate for its argument. */
type Aggregate = (arg: Typed) => Folded | Refusal
type Folded = {
  readonly type: ValueType
  readonly operation: PlainOperation
  readonly arg: Typed
}

const FOLDS: Readonly<Record<string, Aggregate>> = {
  countDistinct: (arg) => ({ type: 'UInt64', operation: 'count_distinct', arg }),
  min: (arg) => ({ type: arg.type, operation: 'min', arg }),
  max: (arg) => ({ type: arg.type, operation: 'max', arg }),
  // The least value, so that every page has the same one.
  any: (arg) => ({ type: arg.type, operation: 'min', arg }),
  sum: (arg) => {
    const number = asNumber(arg)
    if (number === undefined) return unfit(arg, 'Float64', 0)
    return { type: number.type, operation: 'sum', arg: number }
  },
  avg: (arg) => {
    const number = asNumber(arg)
    if (number === undefined) return unfit(arg, 'Float64', 0)
    return { type: 'Float64', operation: 'avg', arg: number }
  },
}

/** Every aggregate by name, and its form with a condition (`countIf`). */
export const AGGREGATES: ReadonlyMap<string, Rule> = new Map([
  ['count', { arityMin: 0, arityMax: 0, apply: () => apply('UInt64', 'count', []) }],
  ['countIf', { arityMin: 1, arityMax: 1, apply: countIf }],
  ...Object.entries(FOLDS).flatMap(([name, fold]): [string, Rule][] => [
    [name, { arityMin: 1, arityMax: 1, apply: (args) => folded(fold, args) }],
    [`${name}If`, { arityMin: 2, arityMax: 2, apply: (args) => folded(fold, args) }],
  ]),
])

function countIf(args: readonly Typed[]): Typed | Refusal {
  const arg = argumentAt(args, 0)
  const condition = convert(arg, 'Bool')
  if (condition === undefined) return unfit(arg, 'Bool', 0)
  return apply('UInt64', 'count', [condition])
}

function folded(fold: Aggregate, args: readonly Typed[]): Typed | Refusal {
  const value = argumentAt(args, 0)
  const when = args[1]
  const aggregate = fold(value)
  if ('refused' in aggregate) return aggregate
  const { type, operation, arg } = aggregate
  if (when === undefined) return apply(type, operation, [arg])
  const condition = convert(when, 'Bool')
  if (condition === undefined) return unfit(when, 'Bool', 1)
  return apply(type, operation, [arg, condition])
}
