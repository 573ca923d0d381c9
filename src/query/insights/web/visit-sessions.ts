/** Reads the sessions that begin in a range, actor by actor. */
import type { ProjectId } from '../../../core/ids.ts'
import type { EventRole } from '../../../event-store/insight-events.ts'
import type { ItemEvent, SessionActor, SessionMember } from '../../../event-store/session-events.ts'
import { BITS, ID, ITEM, MEMBERS, type Session } from '../../../events/sessions/fold-sessions.ts'
import { SESSION_LENGTH_US } from '../../../events/sessions/session-rules.ts'
import type { QuestionError } from '../question.ts'
import { type InsightReader, SESSION_BOUNDS } from '../reader.ts'
import { SESSION_ROLES_MAX, type TooMany } from '../session-reads.ts'
import { compileFilters, neededBy } from '../sessions/session-filters.ts'
import {
  type MemberName,
  membersOfEvents,
  type SessionFilter,
  type SessionPropertyName,
  type SessionTexts,
} from '../sessions/session-properties.ts'
import type { Range } from '../time/grid.ts'

/** Sessions that are visited, and all that is read of them. */
export type SessionsAsked = {
  readonly range: Range
  readonly filters: readonly SessionFilter[]
  readonly includesBots: boolean
  /** Events with a role have its bit: see `roleBits`. */
  readonly roles: readonly EventRole[]
  readonly members: readonly MemberName[]
  /** Members of any event. */
  readonly ofEvents?: readonly SessionMember[]
  /** Properties of sessions that are read beside those of the filters. */
  readonly properties?: readonly SessionPropertyName[]
  readonly items: readonly ItemEvent[]
  readonly isNamed?: boolean
  /** Number of the only person whose sessions are read. */
  readonly personId?: string | undefined
  /** The only distinct id whose events are read. */
  readonly distinctId?: string | undefined
}

export type SeenSession = {
  readonly session: Session
  readonly texts: SessionTexts
  readonly actor: SessionActor
  /** Bits of the roles that were asked for, in their order. */
  readonly roleBits: readonly number[]
  /** Counts the actors: sessions of one follow each other. */
  readonly nth: number
  readonly isBot: boolean
}

const US_PER_MS = 1_000
const LENGTH_MS = SESSION_LENGTH_US / US_PER_MS

/**
 * Calls `visit` with each session, those of an actor one after the other in order of time. Other
 * work gets its turn in between.
 * @param visit gets bots too, where these are not included.
 * @returns the reason if they cannot be read.
 */
export async function visitSessions(
  reader: InsightReader,
  project: ProjectId,
  { range, filters, includesBots, roles, isNamed = false, ...asked }: SessionsAsked,
  visit: (seen: SeenSession) => void,
): Promise<QuestionError | undefined> {
  if (range.fromMs >= range.untilMs) return undefined
  if (roles.length > SESSION_ROLES_MAX) return TOO_MANY_ROLES
  const { ofEvents = [], properties = [], personId, distinctId } = asked
  const needed = neededBy([...properties, ...filters.map(({ property }) => property)])
  const agent: readonly MemberName[] = includesBots ? [] : ['user_agent']
  const names = [...new Set([...asked.members, ...needed.members, ...agent])]
  const pages: readonly ItemEvent[] = needed.hasPages ? ['$pageview'] : []
  const around = { fromMs: range.fromMs - LENGTH_MS, untilMs: range.untilMs + LENGTH_MS }
  const [fromUs, untilUs] = [range.fromMs * US_PER_MS, range.untilMs * US_PER_MS]
  const tooMany = await reader.sessions({
    selection: { project, range: around, personId, distinctId, isNamed },
    roles,
    members: [...membersOfEvents(names), ...ofEvents],
    items: [...asked.items, ...pages],
    open: ({ texts, roleBits }) => {
      const passes = compileFilters(filters, texts, reader.nowMs)
      let nth = 0
      let last: SessionActor | undefined
      return (actor, session) => {
        if (actor !== last) nth += 1
        last = actor
        if (session.beginUs < fromUs || session.beginUs >= untilUs || !passes(session)) return
        const isBot = !includesBots && texts.isBot(session)
        visit({ session, texts, actor, roleBits, nth, isBot })
      }
    },
  })
  return tooMany && TOO_MANY[tooMany]
}

/** Bits of an event of a session. */
export function bitsAt({ events }: SessionActor, place: number): number {
  return events[place + BITS] ?? 0
}

/** Microseconds since the epoch of an event of a session. */
export function timeAt({ events }: SessionActor, place: number): number {
  return events[place] ?? 0
}

/** Number of the session id of an event; 0 for none. */
export function idAt({ events }: SessionActor, place: number): number {
  return events[place + ID] ?? 0
}

/** Number of the members of an event. */
export function membersAt({ events }: SessionActor, place: number): number {
  return events[place + MEMBERS] ?? 0
}

/** Item of an event of a session; 0 for none. */
export function itemAt({ events }: SessionActor, place: number): number {
  return events[place + ITEM] ?? 0
}

const TOO_MANY_ROLES: QuestionError = {
  code: 'invalid_input',
  detail: `With properties of sessions, a question has at most ${SESSION_ROLES_MAX} events.`,
  attr: 'series',
}
const TOO_MANY: Readonly<Record<TooMany, QuestionError>> = {
  too_many_events: {
    code: 'invalid_input',
    detail: `The sessions have more than ${SESSION_BOUNDS.eventsMax} events: ask for a shorter range.`,
    attr: 'dateRange',
  },
  too_many_values: {
    code: 'invalid_input',
    detail: `The sessions have more than ${SESSION_BOUNDS.valuesMax} different values: ask for a shorter range.`,
    attr: 'dateRange',
  },
}
