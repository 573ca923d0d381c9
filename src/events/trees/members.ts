/** Membership of a cohort, as a tree. */
import type { Condition } from '../../conditions/condition.ts'

/** Membership of a cohort, with nested cohorts inlined. */
export type Members =
  | { readonly kind: 'every' | 'some'; readonly parts: readonly Members[] }
  | { readonly kind: 'not'; readonly part: Members }
  /** Stored members of the cohort with this id. */
  | { readonly kind: 'stored'; readonly cohort: number }
  | {
      readonly kind: 'property'
      /** The first existing one is read. */
      readonly names: readonly string[]
      readonly condition: Condition
      readonly negated: boolean
    }
  | { readonly kind: 'nobody' }

/** The patterns that a store must be asked about first: it may refuse some that RE2 accepts. */
export function patternsOfMembers(members: Members): readonly string[] {
  switch (members.kind) {
    case 'every':
    case 'some':
      return members.parts.flatMap(patternsOfMembers)
    case 'not':
      return patternsOfMembers(members.part)
    case 'property': {
      const { value } = members.condition
      return value.kind === 'regex' ? [value.pattern] : []
    }
    case 'stored':
    case 'nobody':
      return []
    default:
      return members satisfies never
  }
}
