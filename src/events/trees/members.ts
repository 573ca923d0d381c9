/** Who is in a cohort, as a tree. */

/** Who is in a cohort, with the cohorts within it put in their places. */
export type Members =
  | { readonly kind: 'every' | 'some'; readonly parts: readonly Members[] }
  | { readonly kind: 'not'; readonly part: Members }
  /** Those that are written down as members of a cohort, by its id. */
  | { readonly kind: 'stored'; readonly cohort: number }
  | {
      readonly kind: 'property'
      /** The first that is there is read. */
      readonly names: readonly string[]
      readonly test: LeafTest
      readonly negated: boolean
    }
  | { readonly kind: 'nobody' }

/** A condition of a cohort on one property. */
export type LeafTest = {
  /** What it says of a person without the property. */
  readonly whenMissing: boolean
  /** What it says of a value that is there. */
  readonly value: ValueTest
}

/** Values are read as flags read them: `flag_text`, `flag_number`, `flag_instant` of the migrations. */
export type ValueTest =
  | { readonly kind: 'always' | 'never' }
  /** The lowered text is one of these. */
  | { readonly kind: 'one_of'; readonly texts: readonly string[]; readonly negated: boolean }
  /**
   * The text does to one of the parts what `how` says, in upper or lower case. A longer text matches
   * nothing, negated or not.
   */
  | {
      readonly kind: 'text'
      readonly how: 'includes' | 'starts_with' | 'ends_with'
      readonly parts: readonly string[]
      readonly negated: boolean
      readonly lengthMax: number
    }
  /** A part of the text matches a pattern of RE2. As with `text`, a longer one matches nothing. */
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
  /** A time, as milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly relation: Relation | 'eq'; readonly ms: number }

export type Relation = 'gt' | 'lt' | 'gte' | 'lte'

/** The patterns that a store must be asked about first: it may refuse some that RE2 accepts. */
export function patternsOfMembers(members: Members): readonly string[] {
  switch (members.kind) {
    case 'every':
    case 'some':
      return members.parts.flatMap(patternsOfMembers)
    case 'not':
      return patternsOfMembers(members.part)
    case 'property': {
      const { value } = members.test
      return value.kind === 'regex' ? [value.pattern] : []
    }
    case 'stored':
    case 'nobody':
      return []
    default:
      return members satisfies never
  }
}
