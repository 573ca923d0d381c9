/** Conditions on events as trees: what filters and expressions become before a store writes them. */
import type { Condition } from '../../conditions/condition.ts'
import { needsPerson, type Typed } from './expression.ts'
import type { Members } from './members.ts'

/** An empty `and` holds, an empty `or` does not. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly FilterNode[] }
  /** The event has this name. */
  | { readonly kind: 'named'; readonly event: string }
  | {
      readonly kind: 'property'
      readonly source: 'event' | 'person'
      readonly key: string
      readonly condition: Condition
    }
  /** Tests the group of this type (by index) that the event names in `$groups`. */
  | {
      readonly kind: 'group'
      readonly index: number
      readonly key: string
      readonly condition: Condition
    }
  /** Tests whether the event's person is in a cohort; without a person an event is in none. */
  | { readonly kind: 'cohort'; readonly members: Members; readonly negated: boolean }
  /** An expression that is a condition. */
  | { readonly kind: 'expression'; readonly tree: Typed }

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

/** Whether something is asked of a group that the event names. */
export function asksOfGroup(node: FilterNode): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.some(asksOfGroup)
  return node.kind === 'group'
}

/**
 * Patterns that a store must check first: it may refuse some that RE2 accepts. Patterns of cohorts
 * are not included, see `patternsOfMembers`.
 */
export function patternsIn(node: FilterNode): readonly string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(patternsIn)
    case 'property':
    case 'group':
      return patternsOf(node.condition)
    case 'named':
    case 'cohort':
    case 'expression':
      return []
    default:
      return node satisfies never
  }
}

function patternsOf({ value }: Condition): readonly string[] {
  return value.kind === 'regex' ? [value.pattern] : []
}

const NOTHING: FilterNode = { kind: 'or', nodes: [] }

/** The same filter, where a condition with one of these patterns matches nothing, also when negated. */
export function withoutPatterns(node: FilterNode, refused: ReadonlySet<string>): FilterNode {
  if (refused.size === 0) return node
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, nodes: node.nodes.map((each) => withoutPatterns(each, refused)) }
    case 'property':
    case 'group':
      return patternsOf(node.condition).some((each) => refused.has(each)) ? NOTHING : node
    case 'named':
    case 'cohort':
    case 'expression':
      return node
    default:
      return node satisfies never
  }
}
