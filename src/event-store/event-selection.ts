/** Selection of events of a project by a reader. */
import type { ProjectId } from '../core/ids.ts'
import { asksOfGroup, type FilterNode } from '../events/trees/filter.ts'

/** Bounds are exclusive, microseconds since 1970 as decimal text. */
export type EventSelection = {
  readonly project: ProjectId
  readonly before: string
  readonly after: string | undefined
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly personId: string | undefined
  /** Only events of these distinct ids: few, and at least one. */
  readonly owners?: readonly string[] | undefined
  readonly where: FilterNode | undefined
  /** `where` asks of the person, or what is read of the events does. */
  readonly needsPerson: boolean
  /** Conditions on the event's person alone, answered before an event is read. */
  readonly persons?: PersonTests | undefined
}

/** Conditions on persons alone. */
export type PersonTests = {
  /** The event has a person that this holds for. */
  readonly passing: FilterNode | undefined
  /** The event has a person that this holds for, or none. */
  readonly tolerant: FilterNode | undefined
}

/** Whether events are joined with their persons or with groups. */
export function isJoined({ needsPerson, persons, where }: EventSelection): boolean {
  return needsPerson || persons !== undefined || (where !== undefined && asksOfGroup(where))
}
