/** The functions of the expression language. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { convert, unify } from './convert.ts'
import { NUMBER_FUNCTIONS } from './number-functions.ts'
import { alike, argumentAt, MANY, type Refusal, type Rule, unfit } from './rules.ts'
import { TEXT_FUNCTIONS } from './text-functions.ts'
import { TIME_FUNCTIONS } from './time-functions.ts'
import type { Typed } from './typed.ts'

const CHOICE_FUNCTIONS: Readonly<Record<string, Rule>> = {
  coalesce: alike([1, MANY], undefined, () => (...values) => {
    return values.reduce((all, value) => fragment`coalesce(${all}, ${value})`)
  }),
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
  const build = (...parts: readonly Fragment[]) => {
    const whens = parts.slice(0, conditions.length)
    const thens = parts.slice(conditions.length)
    const cases = whens.reduce(
      (all, when, index) => fragment`${all} when ${when} then ${thens[index] ?? NULL}`,
      fragment``,
    )
    return fragment`case ${cases} else ${thens.at(-1) ?? NULL} end`
  }
  return apply(unified.type, [...conditions, ...unified.nodes], build)
}

const NULL = fragment`null`
