/** Who is in a cohort, as a tree. */
import type { Condition } from '../../conditions/condition.ts'

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
