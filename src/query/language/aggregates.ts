/** The aggregates of the expression language. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { convert } from './convert.ts'
import { argumentAt, asNumber, type Refusal, type Rule, unfit } from './rules.ts'
import { startOfText } from './text-bounds.ts'
import type { Typed, ValueType } from './typed.ts'

/**
 * Makes an aggregate for its argument. The fragment of a `filter` is its last one, if there is one.
 */
type Aggregate = (arg: Typed) => Folded | Refusal
type Folded = {
  readonly type: ValueType
  readonly arg: Typed
  readonly build: (value: Fragment, filter: Fragment) => Fragment
}

const FOLDS: Readonly<Record<string, Aggregate>> = {
  countDistinct: (arg) => ({
    type: 'UInt64',
    arg,
    build: (value, filter) => fragment`(count(distinct ${cut(arg, value)}) ${filter})::numeric`,
  }),
  min: (arg) => extreme(arg, 'min'),
  max: (arg) => extreme(arg, 'max'),
  // The least value, so that every page has the same one.
  any: (arg) => extreme(arg, 'min'),
  sum: (arg) => {
    const number = asNumber(arg)
    if (number === undefined) return unfit(arg, 'Float64', 0)
    const build = (value: Fragment, filter: Fragment) =>
      fragment`coalesce(sum(${value}) ${filter}, 0)`
    return { type: number.type, arg: number, build }
  },
  avg: (arg) => {
    const number = asNumber(arg)
    if (number === undefined) return unfit(arg, 'Float64', 0)
    const build = (value: Fragment, filter: Fragment) => fragment`(avg(${value}) ${filter})`
    return { type: 'Float64', arg: number, build }
  },
}

/** Every aggregate by name, and its form with a condition (`countIf`). */
export const AGGREGATES: ReadonlyMap<string, Rule> = new Map([
  [
    'count',
    { arityMin: 0, arityMax: 0, apply: () => apply('UInt64', [], () => counted(NO_FILTER)) },
  ],
  ['countIf', { arityMin: 1, arityMax: 1, apply: countIf }],
  ...Object.entries(FOLDS).flatMap(([name, fold]): [string, Rule][] => [
    [name, { arityMin: 1, arityMax: 1, apply: (args) => folded(fold, args) }],
    [`${name}If`, { arityMin: 2, arityMax: 2, apply: (args) => folded(fold, args) }],
  ]),
])

const NO_FILTER = fragment``

function counted(filter: Fragment): Fragment {
  return fragment`(count(*) ${filter})::numeric`
}

function countIf(args: readonly Typed[]): Typed | Refusal {
  const arg = argumentAt(args, 0)
  const condition = convert(arg, 'Bool')
  if (condition === undefined) return unfit(arg, 'Bool', 0)
  return apply('UInt64', [condition], (when) => counted(fragment`filter (where ${when})`))
}

function folded(fold: Aggregate, args: readonly Typed[]): Typed | Refusal {
  const [arg, when] = [argumentAt(args, 0), args[1]]
  const aggregate = fold(arg)
  if ('refused' in aggregate) return aggregate
  const { type, build } = aggregate
  if (when === undefined) return apply(type, [aggregate.arg], (value) => build(value, NO_FILTER))
  const condition = convert(when, 'Bool')
  if (condition === undefined) return unfit(when, 'Bool', 1)
  return apply(type, [aggregate.arg, condition], (value, held) =>
    build(value, fragment`filter (where ${held})`),
  )
}

/** Texts are compared by bytes, and false is less than true. */
function extreme(arg: Typed, which: 'min' | 'max'): Folded {
  return { type: arg.type, arg, build: extremeOf(arg.type, which) }
}

function extremeOf(type: ValueType, which: 'min' | 'max'): Folded['build'] {
  const isMin = which === 'min'
  switch (type) {
    case 'String':
      return (value, filter) => {
        const text = fragment`${startOfText(value)} collate "C"`
        return isMin ? fragment`(min(${text}) ${filter})` : fragment`(max(${text}) ${filter})`
      }
    case 'Bool':
      return (value, filter) =>
        isMin ? fragment`(bool_and(${value}) ${filter})` : fragment`(bool_or(${value}) ${filter})`
    case 'UUID':
      return (value, filter) => {
        const text = fragment`(${value})::text collate "C"`
        return isMin
          ? fragment`(min(${text}) ${filter})::uuid`
          : fragment`(max(${text}) ${filter})::uuid`
      }
    default:
      return (value, filter) =>
        isMin ? fragment`(min(${value}) ${filter})` : fragment`(max(${value}) ${filter})`
  }
}

function cut(arg: Typed, value: Fragment): Fragment {
  return arg.type === 'String' ? startOfText(value) : value
}
