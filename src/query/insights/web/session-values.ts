/** Values of breakdowns of events, where these are read with their sessions. */
import { assert } from '../../../core/code.ts'
import { type BreakdownSource, NO_VALUE } from '../../../event-store/insight-events.ts'
import type { SessionMember } from '../../../event-store/session-events.ts'
import { isSessionProperty, sessionProperty } from '../sessions/session-properties.ts'
import { membersAt, type SeenSession, type SessionsAsked } from './visit-sessions.ts'

/** An event of a session that passes the filters of the question. */
export type SessionEvent = {
  readonly seen: SeenSession
  readonly us: number
  /** Bits of the asked roles: the first one is 1. */
  readonly mask: number
  readonly place: number
}

type ValueReader = {
  readonly reads: Pick<SessionsAsked, 'ofEvents' | 'properties'>
  /** Undefined for no value. */
  readonly of: (event: SessionEvent) => string | undefined
}

const NOTHING: ValueReader = { reads: {}, of: () => undefined }

/** Members of events by their names: equal ones are the same object. */
const members = new Map<string, SessionMember>()
const MEMBERS_MAX = 1_000

function memberOf(property: string): SessionMember {
  const known = members.get(property)
  if (known !== undefined) return known
  const member = { properties: [property] }
  if (members.size >= MEMBERS_MAX) members.clear()
  members.set(property, member)
  return member
}

export function valueReader(source: BreakdownSource | undefined): ValueReader {
  if (source === undefined) return NOTHING
  const shown = (text: string | undefined) => (text === '' || text === NO_VALUE ? undefined : text)
  if (source.kind === 'event') {
    const member = memberOf(source.property)
    return {
      reads: { ofEvents: [member] },
      of: ({ seen, place }) => shown(seen.texts.textOf(membersAt(seen.actor, place), member)),
    }
  }
  assert(source.kind === 'session', 'other breakdowns are refused')
  const { property } = source
  assert(isSessionProperty(property), 'other properties are refused')
  const read = sessionProperty(property)
  return {
    reads: { properties: [property] },
    of: ({ seen: { session, texts } }) => {
      const value = read.valueOf(session, texts)
      return value === undefined ? undefined : shown(String(value))
    },
  }
}
