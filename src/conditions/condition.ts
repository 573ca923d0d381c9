/** A condition on one property, as a tree: read once, decided in memory or written as SQL. */
import { type Zone, zoneOf } from '../core/time/zone.ts'
import { before, type RelativeDate } from './dates.ts'

export type Condition = {
  /** Outcome for a property that is not there. */
  readonly whenMissing: boolean
  /** Test of a value that is there; null is one. */
  readonly value: ValueTest
}

/** How two numbers compare. */
export type Relation = 'gt' | 'lt' | 'gte' | 'lte'

/**
 * Values are read as `textOf`, `numberOf`, `momentOf` and `versionKey` read them, in SQL as
 * `flag_text`, `flag_number`, `flag_moment` and `flag_version` of the migrations do.
 */
export type ValueTest =
  | { readonly kind: 'always' | 'never' }
  /** The folded text is one of these, which are folded. */
  | { readonly kind: 'one_of'; readonly texts: readonly string[]; readonly negated: boolean }
  /**
   * Applies `how` to one of the parts; text and parts are folded. A longer text matches nothing,
   * negated or not.
   */
  | {
      readonly kind: 'text'
      readonly how: 'includes' | 'starts_with' | 'ends_with'
      readonly parts: readonly string[]
      readonly negated: boolean
      readonly lengthMax: number
    }
  /** A part of the text matches a pattern. As with `text`, a longer one matches nothing. */
  | {
      readonly kind: 'regex'
      readonly pattern: string
      readonly negated: boolean
      readonly lengthMax: number
    }
  | { readonly kind: 'number'; readonly relation: Relation; readonly number: number }
  /** Within bounds that belong to it. */
  | {
      readonly kind: 'between'
      readonly low: number
      readonly high: number
      readonly negated: boolean
    }
  /** A moment; a text without a zone is read in `zone`, a name of IANA. */
  | {
      readonly kind: 'time'
      readonly relation: 'lt' | 'gt' | 'eq'
      readonly bound: Bound
      readonly zone: string
    }
  /** A moment from `from` on and before `before`, in milliseconds since the epoch. */
  | {
      readonly kind: 'day'
      readonly from: number
      readonly before: number
      readonly zone: string
    }
  /** Keys of `versionKey`. */
  | {
      readonly kind: 'version'
      readonly relation: Relation | 'eq' | 'neq'
      readonly key: string
    }
  /** A release from `from` on and before `below`, where there is one: keys of `versionKey`. */
  | {
      readonly kind: 'releases'
      readonly from: string
      readonly below: string | undefined
    }

/** Milliseconds since the epoch, or a time before the moment of the decision. */
export type Bound = { readonly ms: number } | { readonly ago: RelativeDate }

/** Matches nothing, a missing property included: a typing error must not switch a flag on. */
export const NEVER: Condition = { whenMissing: false, value: { kind: 'never' } }

/** Time and zone in which a store evaluates conditions. */
export type Moment = {
  /** Now, in milliseconds since the epoch; relative dates are before it. */
  readonly nowMs: number
  /** Zone of the project. */
  readonly zone: Zone
}

/** The condition as of a moment: relative dates become absolute ones. */
export function asOf(condition: Condition, nowMs: number): Condition {
  const { value } = condition
  if (value.kind !== 'time' || 'ms' in value.bound) return condition
  const ms = before(nowMs, value.bound.ago, zoneOf(value.zone))
  return { ...condition, value: { ...value, bound: { ms } } }
}
