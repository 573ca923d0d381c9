/** The functions of the expression language. */
import type { Typed } from '../../events/trees/expression.ts'
import { convert, unify } from './convert.ts'
import {
  alike,
  argumentAt,
  asNumber,
  byType,
  MANY,
  numeric,
  type Refusal,
  type Rule,
  taking,
  unfit,
  widest,
} from './rules.ts'
import { TIME_FUNCTIONS } from './time-functions.ts'
import { apply, isProperty } from './typed.ts'

/** Functions of numbers. */
const NUMBER_FUNCTIONS: Readonly<Record<string, Rule>> = {
  abs: numeric(1, same, 'abs'),
  max2: numeric(2, widest, 'greatest'),
  min2: numeric(2, widest, 'least'),
  floor: numeric(1, same, 'floor'),
  ceil: numeric(1, same, 'ceil'),
  round: rounding(),
  toInt: byType((arg) => toNumber(arg, 'Int64')),
  toFloat: byType((arg) => toNumber(arg, 'Float64')),
}

function same([type = 'Float64']: readonly Typed['type'][]): Typed['type'] {
  return type
}

const DIGITS_MAX = 15

/** Rounds half away from zero. The number of digits must be a literal. */
function rounding(): Rule {
  return {
    arityMin: 1,
    arityMax: 2,
    apply: (args) => {
      const arg = argumentAt(args, 0)
      const digits = args[1]
      const number = asNumber(arg)
      if (number === undefined) return unfit(arg, 'Float64', 0)
      const places = digits === undefined ? 0 : placesOf(digits)
      if (places === undefined) {
        return {
          refused: `The number of digits must be a literal from 0 to ${DIGITS_MAX}`,
          argument: 1,
        }
      }
      const { type } = number
      return { kind: 'apply', type, operation: 'round', digits: places, args: [number] }
    },
  }
}

function placesOf(node: Typed): number | undefined {
  const isWritten = node.kind === 'constant' && node.type === 'Int64'
  const places = isWritten ? Number(node.value) : -1
  return places >= 0 && places <= DIGITS_MAX ? places : undefined
}

/**
 * Null for a text that is no number, and for an integer out of range. A time becomes unix seconds.
 */
function toNumber(arg: Typed, type: 'Int64' | 'Float64'): Typed | Refusal {
  const number = numberFrom(arg)
  if (number === undefined) return unfit(arg, type, 0)
  return apply(type, type === 'Int64' ? 'whole' : 'number', [number])
}

function numberFrom(arg: Typed): Typed | undefined {
  if (arg.kind === 'null' || isProperty(arg)) return asNumber(arg)
  switch (arg.type) {
    case 'String':
      return apply('Float64', 'read_number', [arg])
    case 'Bool':
      return apply('Int64', 'number_of_condition', [arg])
    case 'DateTime':
      return apply('Float64', 'seconds_of_time', [arg])
    case 'UUID':
      return undefined
    default:
      return arg
  }
}

/** Functions of texts. */
const TEXT_FUNCTIONS: Readonly<Record<string, Rule>> = {
  toString: byType(textOf),
  length: taking(['String'], 'UInt64', 'length'),
  lower: taking(['String'], 'String', 'lower'),
  upper: taking(['String'], 'String', 'upper'),
  trim: taking(['String'], 'String', 'trim'),
  empty: taking(['String'], 'Bool', 'is_empty'),
  notEmpty: taking(['String'], 'Bool', 'is_not_empty'),
  concat: { arityMin: 1, arityMax: MANY, apply: concatenated },
  substring: taking(['String', 'Float64', 'Float64'], 'String', 'substring', 1),
  startsWith: taking(['String', 'String'], 'Bool', 'starts_with'),
  endsWith: taking(['String', 'String'], 'Bool', 'ends_with'),
  like: taking(['String', 'String'], 'Bool', 'like'),
  ilike: taking(['String', 'String'], 'Bool', 'ilike'),
  notLike: taking(['String', 'String'], 'Bool', 'not_like'),
  replace: taking(['String', 'String', 'String'], 'String', 'replace'),
  replaceOne: taking(['String', 'String', 'String'], 'String', 'replace_first'),
}

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

/** Any value as text: numbers without trailing zeros, times as in answers. */
function textOf(node: Typed): Typed {
  if (node.type === 'String') return node
  if (node.kind === 'null') return { ...node, type: 'String' }
  return apply('String', 'text', [node])
}

/** Values as texts, one after the other. */
export function concatenated(args: readonly Typed[]): Typed {
  return apply('String', 'concat', args.map(textOf))
}
