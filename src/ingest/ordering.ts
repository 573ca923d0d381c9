/** Selects the events that must be stored in the order of their arrival. */

import type { IngestEvent, PersonChange } from '../events/event.ts'

/** True when an event does more to its person than make sure that there is one. */
export function changesPerson({ set, setOnce, volatile, unset, merge }: PersonChange): boolean {
  const sets = set !== '' || setOnce !== '' || volatile !== ''
  return sets || unset.length > 0 || merge !== undefined
}

/** Setting properties and merging persons do not commute; appending events does. */
export function isOrdered({ person, groupChange }: IngestEvent): boolean {
  return changesPerson(person) || groupChange !== undefined
}
