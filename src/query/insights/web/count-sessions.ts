/** Counts sessions and what happened in them. */
import {
  countEvents,
  isBounce,
  type Session,
  VIEW_BIT,
} from '../../../events/sessions/fold-sessions.ts'
import { durationOf } from '../sessions/session-properties.ts'
import type { SeenSession } from './visit-sessions.ts'

/** Role of the events that pass the filters of a question, and of those that reach its first goal. */
export const FILTER_ROLE = 0
export const GOAL_ROLE = 1

/** Numbers of some sessions; actors are added one after the other. */
export type SessionCounts = {
  visitors: number
  views: number
  sessions: number
  seconds: number
  /** Sessions that a bounce rate is of, and those of them that are bounces. */
  entries: number
  bounces: number
  /** Events that reach the goal, and actors with one. */
  conversions: number
  converted: number
  /** Last actor that was counted, and last one that reached the goal. */
  actor: number
  convertedActor: number
  /** Last session with an item of the row, where a session may have several. */
  session: Session | undefined
}

export function noSessions(): SessionCounts {
  return {
    visitors: 0,
    views: 0,
    sessions: 0,
    seconds: 0,
    entries: 0,
    bounces: 0,
    conversions: 0,
    converted: 0,
    actor: -1,
    convertedActor: -1,
    session: undefined,
  }
}

/** Page views of a session that pass the filters: a session without any is not counted. */
export function viewsOf({ session, actor, roleBits }: SeenSession): number {
  return countEvents(session, actor.events, VIEW_BIT + (roleBits[FILTER_ROLE] ?? 0))
}

/** Events of a session that reach a goal. */
export function conversionsOf(seen: SeenSession, role = GOAL_ROLE): number {
  const { session, actor, roleBits } = seen
  return countEvents(session, actor.events, roleBits[role] ?? 0)
}

/** Adds a session; `isEntry` adds it to the sessions of the bounce rate too. */
export function addSession(
  counts: SessionCounts,
  seen: SeenSession,
  views: number,
  conversions: number,
): void {
  addActor(counts, seen.nth)
  counts.views += views
  counts.sessions += 1
  counts.seconds += durationOf(seen.session)
  addEntry(counts, seen)
  addConversions(counts, seen.nth, conversions)
}

export function addActor(counts: SessionCounts, nth: number): void {
  if (counts.actor === nth) return
  counts.actor = nth
  counts.visitors += 1
}

export function addEntry(counts: SessionCounts, { session }: SeenSession): void {
  counts.entries += 1
  if (isBounce(session)) counts.bounces += 1
}

export function addConversions(counts: SessionCounts, nth: number, conversions: number): void {
  counts.conversions += conversions
  if (conversions === 0 || counts.convertedActor === nth) return
  counts.convertedActor = nth
  counts.converted += 1
}

/** A part of a whole; null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
