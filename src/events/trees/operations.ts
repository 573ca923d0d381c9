/**
 * The operations of expressions: the one list of what a store must be able to write. Each store has
 * a table with an entry for each of them, see `Dialect` in `expression.ts`.
 */
import type { ValueType } from './value-type.ts'

/**
 * Type of an argument: a type of values; `number` for each of the three types of numbers; `alike`
 * for arguments of one common type, in which all numbers count as one; `any` for a value of any
 * type.
 */
export type Wanted = 'String' | 'Bool' | 'DateTime' | 'number' | 'alike' | 'any'

export type Signature = {
  readonly takes: readonly Wanted[]
  /** Further arguments, which may be repeated as a whole. */
  readonly more?: readonly Wanted[]
  /** Optional further arguments. Never combined with `more`. */
  readonly optional?: readonly Wanted[]
  /** `alike` is the type of the arguments that are alike. */
  readonly gives: ValueType | 'number' | 'alike'
}

/** An argument that is null makes the result null, but where it says otherwise. */
export const OPERATIONS = {
  // Null as in SQL: false and null is false, true or null is true.
  and: { takes: ['Bool', 'Bool'], more: ['Bool'], gives: 'Bool' },
  or: { takes: ['Bool', 'Bool'], more: ['Bool'], gives: 'Bool' },
  not: { takes: ['Bool'], gives: 'Bool' },

  // Texts are ordered by bytes. False is less than true.
  equal: { takes: ['alike', 'alike'], gives: 'Bool' },
  unequal: { takes: ['alike', 'alike'], gives: 'Bool' },
  less: { takes: ['alike', 'alike'], gives: 'Bool' },
  less_or_equal: { takes: ['alike', 'alike'], gives: 'Bool' },
  greater: { takes: ['alike', 'alike'], gives: 'Bool' },
  greater_or_equal: { takes: ['alike', 'alike'], gives: 'Bool' },
  /** A value, and the least and the greatest that it may be. */
  between: { takes: ['alike', 'alike', 'alike'], gives: 'Bool' },
  not_between: { takes: ['alike', 'alike', 'alike'], gives: 'Bool' },
  /** A value, and those among which it may be. With a null among them it is never false. */
  in: { takes: ['alike', 'alike'], more: ['alike'], gives: 'Bool' },
  not_in: { takes: ['alike', 'alike'], more: ['alike'], gives: 'Bool' },
  /** Never null. */
  is_null: { takes: ['any'], gives: 'Bool' },
  /** Never null. */
  is_not_null: { takes: ['any'], gives: 'Bool' },

  /** The first that is not null. */
  coalesce: { takes: ['alike'], more: ['alike'], gives: 'alike' },
  /** The value where no condition is true, then conditions, each with the value where it is. */
  choose: { takes: ['alike', 'Bool', 'alike'], more: ['Bool', 'alike'], gives: 'alike' },

  // A text and a pattern: `%` matches any text, `_` any character, and a backslash escapes the next
  // character; at the end of a pattern it escapes itself. Operations with `i` ignore case.
  like: { takes: ['String', 'String'], gives: 'Bool' },
  ilike: { takes: ['String', 'String'], gives: 'Bool' },
  not_like: { takes: ['String', 'String'], gives: 'Bool' },
  not_ilike: { takes: ['String', 'String'], gives: 'Bool' },

  add: { takes: ['number', 'number'], gives: 'number' },
  subtract: { takes: ['number', 'number'], gives: 'number' },
  multiply: { takes: ['number', 'number'], gives: 'number' },
  /** Never cut to a whole number. By 0 it is null. */
  divide: { takes: ['number', 'number'], gives: 'number' },
  /** The result has the sign of the first argument, and is null for a divisor of 0. */
  modulo: { takes: ['number', 'number'], gives: 'number' },
  negate: { takes: ['number'], gives: 'number' },
  abs: { takes: ['number'], gives: 'number' },
  floor: { takes: ['number'], gives: 'number' },
  ceil: { takes: ['number'], gives: 'number' },
  /** Rounds to the node's `digits` after the point, half away from zero. */
  round: { takes: ['number'], gives: 'number' },
  /** Null only where all are null. */
  greatest: { takes: ['number', 'number'], gives: 'number' },
  /** Null only where all are null. */
  least: { takes: ['number', 'number'], gives: 'number' },
  /** The same number, of the type of the node. */
  number: { takes: ['number'], gives: 'number' },
  /** Cut towards zero; null beyond 64 bits with a sign. */
  whole: { takes: ['number'], gives: 'Int64' },

  // Null where the text does not parse. `src/event-store/postgres/renderer/operations-sql.ts` has the
  // accepted forms.
  read_number: { takes: ['String'], gives: 'Float64' },
  /** ISO 8601, in UTC unless it names a zone. */
  read_iso_time: { takes: ['String'], gives: 'DateTime' },
  /** ISO 8601 or unix seconds. */
  read_time: { takes: ['String'], gives: 'DateTime' },
  /** `true` or `false`. */
  read_condition: { takes: ['String'], gives: 'Bool' },
  /** Unix seconds; null outside the years 1 to 9999. */
  time_of_seconds: { takes: ['number'], gives: 'DateTime' },
  seconds_of_time: { takes: ['DateTime'], gives: 'Float64' },
  /** 1 or 0. */
  number_of_condition: { takes: ['Bool'], gives: 'Int64' },
  /** Numbers without trailing zeros, times as in answers. */
  text: { takes: ['any'], gives: 'String' },

  // Texts that become others are cut to EXPRESSION_TEXT_CHARS_MAX, patterns and what is sought or
  // put in their place to EXPRESSION_PATTERN_CHARS_MAX. All counts are of code points.
  length: { takes: ['String'], gives: 'UInt64' },
  lower: { takes: ['String'], gives: 'String' },
  upper: { takes: ['String'], gives: 'String' },
  /** Spaces only. */
  trim: { takes: ['String'], gives: 'String' },
  is_empty: { takes: ['String'], gives: 'Bool' },
  is_not_empty: { takes: ['String'], gives: 'Bool' },
  concat: { takes: ['String'], more: ['String'], gives: 'String' },
  /** Start, counted from 1, and length in characters: null where they are negative or too large. */
  substring: { takes: ['String', 'number'], optional: ['number'], gives: 'String' },
  starts_with: { takes: ['String', 'String'], gives: 'Bool' },
  ends_with: { takes: ['String', 'String'], gives: 'Bool' },
  /** A text, the text to find, and the replacement of each occurrence. */
  replace: { takes: ['String', 'String', 'String'], gives: 'String' },
  /** Replaces the first occurrence only. */
  replace_first: { takes: ['String', 'String', 'String'], gives: 'String' },

  /** The beginning of the node's `unit` in its local time, or in UTC. Without local time, weeks begin on Mondays. */
  start_of: { takes: ['DateTime'], gives: 'DateTime' },
  /** How many of the node's `unit` begin after the first and up to the second; may be negative. */
  difference: { takes: ['DateTime', 'DateTime'], gives: 'Int64' },

  // Aggregates of groups of events. The optional condition selects the events that count. Nulls do
  // not count, and without any value the result is null, or 0 for counts and sums.
  count: { takes: [], optional: ['Bool'], gives: 'UInt64' },
  /** Texts by their first EXPRESSION_TEXT_CHARS_MAX characters, here and in `min` and `max`. */
  count_distinct: { takes: ['any'], optional: ['Bool'], gives: 'UInt64' },
  sum: { takes: ['number'], optional: ['Bool'], gives: 'number' },
  avg: { takes: ['number'], optional: ['Bool'], gives: 'Float64' },
  min: { takes: ['alike'], optional: ['Bool'], gives: 'alike' },
  max: { takes: ['alike'], optional: ['Bool'], gives: 'alike' },
} as const satisfies Record<string, Signature>

export type Operation = keyof typeof OPERATIONS

type EachOf<Parts extends readonly Wanted[], One> = { readonly [Place in keyof Parts]: One }
type MoreOf<Of extends Signature, One> = Of extends { readonly more: readonly Wanted[] }
  ? readonly One[]
  : Of extends { readonly optional: infer Parts extends readonly Wanted[] }
    ? Partial<EachOf<Parts, One>>
    : readonly []

/** The arguments of an operation, each of them written as `One`. */
export type ArgumentsOf<Name extends Operation, One> = readonly [
  ...EachOf<(typeof OPERATIONS)[Name]['takes'], One>,
  ...MoreOf<(typeof OPERATIONS)[Name], One>,
]
