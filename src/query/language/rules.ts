/** Makes the rules of functions, operators and aggregates: their arguments and their types. */
import { assert } from '../../core/code.ts'
import type { PlainOperation, Typed } from '../../events/trees/expression.ts'
import type { LocalTime } from '../../events/trees/local-time.ts'
import { isNumeric, type ValueType } from '../../events/trees/value-type.ts'
import { convert, unify } from './convert.ts'
import { apply, nameOf } from './typed.ts'

/** The highest arity of a function that takes any number of arguments. */
export const MANY = Number.MAX_SAFE_INTEGER

export type Rule = {
  readonly arityMin: number
  readonly arityMax: number
  /** Checks a call whose number of arguments fits the arity. */
  readonly apply: (args: readonly Typed[], at: Moment) => Typed | Refusal
}

/** Time and zone in which an expression is evaluated. */
export type Moment = {
  readonly nowMs: number
  /** Zone of days and other units; UTC without one. */
  readonly local?: LocalTime | undefined
}

/** Why a call is wrong, and which argument is at fault, if one is. */
export type Refusal = { readonly refused: string; readonly argument?: number }

export function isRefusal(applied: Typed | readonly Typed[] | Refusal): applied is Refusal {
  return 'refused' in applied
}

/** Takes the arguments of `wants`, of which the last `optional` may be missing. */
export function taking(
  wants: readonly ValueType[],
  type: ValueType,
  operation: PlainOperation,
  optional = 0,
): Rule {
  return {
    arityMin: wants.length - optional,
    arityMax: wants.length,
    apply: (args) => {
      const values = converted(args, (index) => wants[index] ?? 'String')
      return isRefusal(values) ? values : apply(type, operation, values)
    },
  }
}

/** Each argument as the type that is wanted in its place. */
export function converted(
  args: readonly Typed[],
  wantAt: (index: number) => ValueType,
): readonly Typed[] | Refusal {
  const values: Typed[] = []
  for (const [index, arg] of args.entries()) {
    const want = wantAt(index)
    const value = convert(arg, want)
    if (value === undefined) return unfit(arg, want, index)
    values.push(value)
  }
  return values
}

/** Takes numbers. `typeOf` gets their types. A property counts as Float64. */
export function numeric(
  arity: number,
  typeOf: (types: readonly ValueType[]) => ValueType,
  operation: PlainOperation,
): Rule {
  return {
    arityMin: arity,
    arityMax: arity,
    apply: (args) => {
      const numbers: Typed[] = []
      for (const [index, arg] of args.entries()) {
        const number = asNumber(arg)
        if (number === undefined) return unfit(arg, 'Float64', index)
        numbers.push(number)
      }
      return apply(typeOf(numbers.map(({ type }) => type)), operation, numbers)
    },
  }
}

/**
 * Takes values of one common type, which is the type of the result too unless `type` says another.
 */
export function alike(
  [arityMin, arityMax]: readonly [number, number],
  type: ValueType | undefined,
  operation: PlainOperation,
): Rule {
  return {
    arityMin,
    arityMax,
    apply: (args) => {
      const unified = unify(args)
      if ('odd' in unified) return unfit(argumentAt(args, unified.odd), unified.type, unified.odd)
      return apply(type ?? unified.type, operation, unified.nodes)
    },
  }
}

/** Takes one value, whose type chooses the rest. */
export function byType(choose: (arg: Typed) => Typed | Refusal): Rule {
  return {
    arityMin: 1,
    arityMax: 1,
    apply: (args) => choose(argumentAt(args, 0)),
  }
}

/** The value as a number of its own type; undefined when it cannot be a number. */
export function asNumber(arg: Typed): Typed | undefined {
  return isNumeric(arg.type) ? arg : convert(arg, 'Float64')
}

export function unfit(arg: Typed, want: ValueType, argument: number): Refusal {
  const written = arg.kind === 'constant' && arg.type === 'String' && want === 'DateTime'
  if (written) return { refused: 'This text is no date of ISO 8601', argument }
  return {
    refused: `${capital(nameOf(arg.type))} stands where ${nameOf(want)} is needed`,
    argument,
  }
}

/** @throws {InvariantError} for a place beyond the arity, which is checked before a rule applies. */
export function argumentAt(args: readonly Typed[], place: number): Typed {
  const arg = args[place]
  assert(arg !== undefined, `there is no argument ${place}`)
  return arg
}

/** The type of the result of `+`, `-`, `*` and similar operators. */
export function widest(types: readonly ValueType[]): ValueType {
  return types.includes('Float64') ? 'Float64' : 'Int64'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
