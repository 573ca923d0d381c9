/** Messages of a stream of live events: the members of `sluice.v1.LiveMessage`. */

/** An event of a stream: the members of `sluice.v1.LiveEvent`. */
export type LiveEvent = {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  /** ISO 8601, UTC, microseconds. */
  readonly timestamp: string
  /** ISO 8601, UTC. */
  readonly stored_at: string
  /** JSON text of an object. */
  readonly properties: string
  readonly elements_chain: string
  readonly truncated: boolean
}

export type LiveKind = 'open' | 'event' | 'dropped' | 'revision' | 'bye'

export type LiveMessage = {
  readonly kind: LiveKind
  readonly event: LiveEvent | null
  /** Number of dropped events; 0 where it is unknown. */
  readonly dropped: number
  readonly revision: number
  readonly reason: string
  /** UUID of the organization that is watched: of `open` alone, and not of an older worker. */
  readonly organization_id: string
}

/**
 * Reason of the end of a stream: its process stops, it has run for its time, its caller has lost
 * access, or the worker behind it was lost.
 */
export type ByeReason = 'drain' | 'renew' | 'revoked' | 'lost'

/** An unknown number of events. */
export const UNKNOWN_NUMBER = 0

const NOTHING = { event: null, dropped: 0, revision: 0, reason: '', organization_id: '' }

/** Between members, who watch for every organization. */
export const OPEN: LiveMessage = { ...NOTHING, kind: 'open' }

export function openMessage(organizationId: string): LiveMessage {
  return { ...NOTHING, kind: 'open', organization_id: organizationId }
}

export function eventMessage(event: LiveEvent): LiveMessage {
  return { ...NOTHING, kind: 'event', event }
}

/** @param count `UNKNOWN_NUMBER` where nobody knows. */
export function droppedMessage(count: number): LiveMessage {
  return { ...NOTHING, kind: 'dropped', dropped: count }
}

export function revisionMessage(revision: number): LiveMessage {
  return { ...NOTHING, kind: 'revision', revision }
}

export function byeMessage(reason: ByeReason): LiveMessage {
  return { ...NOTHING, kind: 'bye', reason }
}
