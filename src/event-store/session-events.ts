/** Events that sessions are made of, as questions read them: part of the port `InsightEvents`. */
import { isList } from '../core/json.ts'
import { parseJson } from '../core/json-text/parse-json.ts'
import type { ActorKey } from './actor-text.ts'

/** Text of the first of some properties that is not empty; else the empty text, if one is there. */
export type SessionMember = {
  readonly properties: readonly string[]
  /** Reads only whether there is a text, as `1`: each may be there once, as ids of clicks are. */
  readonly isPresence?: boolean
  /** Reads the name of the event, and no property. */
  readonly isName?: boolean
}

/** Events with an item, and the property that it is: a text of up to 400 characters. */
export const SESSION_ITEMS = {
  $pageview: '$pathname',
  $screen: '$screen_name',
  $autocapture: '$external_click_url',
} as const
export type ItemEvent = keyof typeof SESSION_ITEMS

export type SessionEventOptions = {
  /** Members of each event, of which those of a session's first event are its own. */
  readonly members: readonly SessionMember[]
  readonly items: readonly ItemEvent[]
  readonly eventsMax: number
  /** Different combinations of members, and items. */
  readonly valuesMax: number
  readonly actors: SessionActors
}

/**
 * `named`: persons by their numbers first, then distinct ids by code point. `ids`: each distinct id is
 * an actor of its own, by code point.
 */
export type SessionActors = 'unnamed' | 'named' | 'ids'

export type SessionActor = Partial<ActorKey> & {
  /** Number of the distinct id, where each is an actor of its own. */
  readonly id?: number
  /** In order of time, distinct id and uuid: see `foldSessions`. */
  readonly events: Float64Array
}

export type SessionEvents = {
  readonly actors: Iterable<SessionActor>
  /** Texts of the asked members by number; null for none. */
  readonly members: ReadonlyMap<number, readonly (string | null)[]>
  readonly items: ReadonlyMap<number, string>
}

/** Texts become numbers of 52 bits, which a double holds; 0 is none. */
export const NUMBER_BITS_MASK = '4503599627370495'
export const SESSION_ITEM_CHARS = 400
export const SESSION_MEMBER_CHARS = 400

/** @param json a list of texts and nulls. */
export function membersIn(json: string): readonly (string | null)[] {
  const list = parseJson(json)
  return isList(list) ? list.map((item) => (typeof item === 'string' ? item : null)) : []
}

/** Number of a distinct id, and that of its person: pairs, one after the other. */
export type IdPersons = Float64Array
