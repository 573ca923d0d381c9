/** The functions of the expression language. */
import type { Typed } from '../../events/trees/expression.ts'
import { apply } from './apply.ts'
import { convert, unify } from './convert.ts'
import { NUMBER_FUNCTIONS } from './number-functions.ts'
import { alike, argumentAt, MANY, type Refusal, type Rule, unfit } from './rules.ts'
import { TEXT_FUNCTIONS } from './text-functions.ts'
import { TIME_FUNCTIONS } from './time-functions.ts'

const CHOICE_FUNCTIONS: Readonly<Record<string, Rule>> = {
  coalesce: alike([1, MANY], undefined, 'coalesce'),
  ifElse: choice(3, 3),
  multiIf: choice(3, MANY),
}

/** Every function but the aggregates, by name. */
export const FUNCTIONS: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    ...NUMBER_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...TIME_FUNCTIONS,
    ...CHOICE_FUNCTIONS,
  }),
)

/** A function of conditions with their values, and of the value for the case that none holds. */
function choice(arityMin: number, arityMax: number): Rule {
  return {
    arityMin,
    arityMax,
    apply: (args) => {
      if (args.length % 2 === 0) return { refused: 'The value when no condition holds is missing' }
      const last = args.length - 1
      const isCondition = (index: number) => index % 2 === 0 && index !== last
      const conditions: Typed[] = []
      for (const [index, arg] of args.entries()) {
        if (!isCondition(index)) continue
        const condition = convert(arg, 'Bool')
        if (condition === undefined) return unfit(arg, 'Bool', index)
        conditions.push(condition)
      }
      return chosen(args, conditions, isCondition)
    },
  }
}

function chosen(
  args: readonly Typed[],
  conditions: readonly Typed[],
  isCondition: (index: number) => boolean,
): Typed | Refusal {
  const places = [...args.keys()].filter((index) => !isCondition(index))
  const values = args.filter((_, index) => !isCondition(index))
  const unified = unify(values)
  if ('odd' in unified) {
    const place = places[unified.odd] ?? 0
    return unfit(argumentAt(args, place), unified.type, place)
  }
  const { type, nodes } = unified
  const otherwise = argumentAt(nodes, conditions.length)
  const pairs = conditions.flatMap((when, index) => [when, argumentAt(nodes, index)])
  return apply(type, 'choose', [otherwise, ...pairs])
}
