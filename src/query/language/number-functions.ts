/** Functions of numbers. */
import type { Typed } from '../../events/trees/expression.ts'
import { apply } from './apply.ts'
import {
  argumentAt,
  asNumber,
  byType,
  numeric,
  type Refusal,
  type Rule,
  unfit,
  widest,
} from './rules.ts'
import { isProperty } from './typed.ts'

export const NUMBER_FUNCTIONS: Readonly<Record<string, Rule>> = {
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
