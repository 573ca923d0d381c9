/** Conditions on events as trees: what filters and expressions become before a store writes them. */
import { needsPerson, type Typed } from './expression.ts'
import type { Members, Relation } from './members.ts'

/** An empty `and` holds, an empty `or` does not. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  /** The event has this name. */
  | { readonly kind: 'named'; readonly event: string }
  | {
      readonly kind: 'property'
      readonly source: 'event' | 'person'
      readonly key: string
      readonly test: Test
    }
  /** Of the group of a type, by its index, that the event names in `$groups`. */
  | {
      readonly kind: 'group'
      readonly index: number
      readonly key: string
      readonly test: Test
    }
  /** The event's person is in a cohort, or is not, as nobody is without a person. */
  | { readonly kind: 'cohort'; readonly members: Members; readonly negated: boolean }
  /** An expression that is a condition. */
  | { readonly kind: 'expression'; readonly tree: Typed }

/** The test of one property. A test with `negated` matches a missing property too. */
export type Test =
  /** The text of the property is one of these. An empty list matches nothing. */
  | { readonly kind: 'one_of'; readonly values: readonly string[]; readonly negated: boolean }
  /** The text of the property contains one of these, in upper or lower case. */
  | { readonly kind: 'contains'; readonly values: readonly string[]; readonly negated: boolean }
  /** A part of the property's text matches a pattern of RE2, which RE2 accepts. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly negated: boolean }
  /** The property is a number in this relation to `number`, a decimal text. */
  | { readonly kind: 'compare'; readonly relation: Relation; readonly number: string }
  /** The key is present; null counts as present. */
  | { readonly kind: 'present'; readonly negated: boolean }
  /** The property is a time within bounds: microseconds since the epoch as decimal text. */
  | {
      readonly kind: 'time'
      readonly from: string | undefined
      readonly after: string | undefined
      readonly before: string | undefined
    }
  /** Matches no event, also when it is negated. */
  | { readonly kind: 'never' }

/** A negated test matches a missing property too. */
export function isNegated(test: Test): boolean {
  return 'negated' in test && test.negated
}

/** Whether something is asked of the event's person. */
export function asksOfPerson(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.some(asksOfPerson)
    case 'property':
      return node.source === 'person'
    case 'cohort':
      return true
    case 'expression':
      return needsPerson(node.tree)
    case 'named':
    case 'group':
      return false
    default:
      return node satisfies never
  }
}

/**
 * The patterns that a store must be asked about first: it may refuse some that RE2 accepts. Those
 * of cohorts are not among them, see `patternsOfMembers`.
 */
export function patternsIn(node: FilterNode): readonly string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(patternsIn)
    case 'property':
    case 'group':
      return node.test.kind === 'regex' ? [node.test.pattern] : []
    case 'named':
    case 'cohort':
    case 'expression':
      return []
    default:
      return node satisfies never
  }
}

const NOTHING: FilterNode = { kind: 'or', nodes: [] }

/** The same filter, where a test of one of these patterns matches nothing, also when negated. */
export function withoutPatterns(node: FilterNode, refused: ReadonlySet<string>): FilterNode {
  if (refused.size === 0) return node
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, nodes: node.nodes.map((each) => withoutPatterns(each, refused)) }
    case 'property':
    case 'group':
      return node.test.kind === 'regex' && refused.has(node.test.pattern) ? NOTHING : node
    case 'named':
    case 'cohort':
    case 'expression':
      return node
    default:
      return node satisfies never
  }
}
