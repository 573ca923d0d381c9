/**
 * Splits filters into those on persons, which can be answered before any event is read, and the
 * rest.
 */
import type { FilterNode } from '../../events/trees/filter.ts'

/** Three parts whose conjunction is the whole filter. An undefined part has no condition. */
export type PersonFilters = {
  /** Condition on the person alone. An event without a person never passes. */
  readonly passing: FilterNode | undefined
  /** Condition on the person alone. An event without a person passes. */
  readonly tolerant: FilterNode | undefined
  /** The part that must be tested for each event. */
  readonly rest: FilterNode | undefined
}

/** Splits a conjunction. */
export function splitPersons(filter: FilterNode): PersonFilters {
  const parts = conjuncts(filter)
  const persons = parts.filter(isAboutPersons)
  return {
    passing: together(persons.filter((part) => !passesWithoutPerson(part))),
    tolerant: together(persons.filter(passesWithoutPerson)),
    rest: together(parts.filter((part) => !persons.includes(part))),
  }
}

function together(nodes: readonly FilterNode[]): FilterNode | undefined {
  return nodes.length === 0 ? undefined : { kind: 'and', nodes }
}

function conjuncts(node: FilterNode): readonly FilterNode[] {
  return node.kind === 'and' ? node.nodes.flatMap(conjuncts) : [node]
}

function isAboutPersons(node: FilterNode): boolean {
  switch (node.kind) {
    case 'property':
      return node.source === 'person'
    case 'cohort':
      return true
    case 'and':
    case 'or':
      return node.nodes.every(isAboutPersons)
    // The value of an expression for an event without a person depends on the expression.
    case 'expression':
    case 'group':
    case 'named':
      return false
    default:
      return node satisfies never
  }
}

/** An event without a person has no person properties. */
function passesWithoutPerson(node: FilterNode): boolean {
  switch (node.kind) {
    case 'property':
      return node.condition.whenMissing
    case 'cohort':
      return node.negated
    case 'and':
      return node.nodes.every(passesWithoutPerson)
    case 'or':
      return node.nodes.some(passesWithoutPerson)
    case 'expression':
    case 'group':
    case 'named':
      return false
    default:
      return node satisfies never
  }
}
