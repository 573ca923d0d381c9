/** Filters on persons: what they let through can be found before any event is read. */
import type { Test } from './filter-test.ts'
import type { FilterNode } from './filters.ts'

/** Three parts that together mean the whole; undefined is a part that asks nothing. */
export type PersonFilters = {
  /** About persons alone; an event without a person never passes. */
  readonly passing: FilterNode | undefined
  /** About persons alone; an event without a person passes. */
  readonly tolerant: FilterNode | undefined
  /** What is left to ask of each event. */
  readonly rest: FilterNode | undefined
}

/** Takes out of a conjunction what is about persons alone. */
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
  // An expression says by itself what it is worth for an event without a person.
  if (node.kind === 'expression') return false
  return node.kind === 'property' ? node.source === 'person' : node.nodes.every(isAboutPersons)
}

/** A person that there is not has no properties. */
function passesWithoutPerson(node: FilterNode): boolean {
  switch (node.kind) {
    case 'property':
      return isNegated(node.test)
    case 'and':
      return node.nodes.every(passesWithoutPerson)
    case 'or':
      return node.nodes.some(passesWithoutPerson)
    case 'expression':
      return false
    default:
      return node satisfies never
  }
}

function isNegated(test: Test): boolean {
  return 'negated' in test && test.negated
}
