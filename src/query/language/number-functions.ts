/** Functions of numbers. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { numberOf } from './readings.ts'
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
import { isProperty, type Typed } from './typed.ts'

export const NUMBER_FUNCTIONS: Readonly<Record<string, Rule>> = {
  abs: numeric(1, same, (number) => fragment`abs(${number})`),
  max2: numeric(2, widest, (left, right) => fragment`greatest(${left}, ${right})`),
  min2: numeric(2, widest, (left, right) => fragment`least(${left}, ${right})`),
  floor: numeric(1, same, (number) => fragment`floor(${number})`),
  ceil: numeric(1, same, (number) => fragment`ceil(${number})`),
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
      const [arg, digits] = [argumentAt(args, 0), args[1]]
      const number = asNumber(arg)
      if (number === undefined) return unfit(arg, 'Float64', 0)
      const places = digits === undefined ? 0 : placesOf(digits)
      if (places === undefined) {
        return {
          refused: `The number of digits must be a literal from 0 to ${DIGITS_MAX}`,
          argument: 1,
        }
      }
      const text = String(places)
      return apply(number.type, [number], (value) => fragment`round(${value}, ${text}::integer)`)
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
  return apply(type, [number], type === 'Int64' ? wholeNumber : (value) => value)
}

function numberFrom(arg: Typed): Typed | undefined {
  if (arg.kind === 'null' || isProperty(arg)) return asNumber(arg)
  switch (arg.type) {
    case 'String':
      return apply('Float64', [arg], numberOf)
    case 'Bool':
      return apply('Int64', [arg], (condition) => fragment`(${condition})::integer::numeric`)
    case 'DateTime':
      return apply('Float64', [arg], (time) => fragment`extract(epoch from ${time})::numeric`)
    case 'UUID':
      return undefined
    default:
      return arg
  }
}

function wholeNumber(number: Fragment): Fragment {
  return fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= -9223372036854775808 && @ <= 9223372036854775807)')::numeric`
}
