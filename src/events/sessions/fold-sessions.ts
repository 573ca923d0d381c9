/** Makes the sessions of one actor of its events. */
import {
  BOUNCE_US,
  PAGE_EVENT,
  PASSIVE_EVENTS,
  SCREEN_EVENT,
  SESSION_GAP_US,
  SESSION_LENGTH_US,
} from './session-rules.ts'

/**
 * Numbers of an event, one after the other: its time in microseconds since the epoch, the number of
 * its session id (0 for none), its bits, the number of its members, and that of its item (0 for
 * none).
 */
export const EVENT_NUMBERS = 5
export const ID = 1
export const BITS = 2
export const MEMBERS = 3
export const ITEM = 4

/** Bits of an event: a view of a page or screen, a view of a page, an act. */
export const VIEW_BIT = 1
export const PAGE_BIT = 2
export const ACT_BIT = 4
/** Place of the bit of a question's first role. */
export const ROLE_BITS_FROM = 3

/** Bits of an event, without those of roles. */
export function kindBits(event: string): number {
  if (event === PAGE_EVENT) return VIEW_BIT + PAGE_BIT
  if (event === SCREEN_EVENT) return VIEW_BIT
  return PASSIVE_EVENTS.includes(event) ? 0 : ACT_BIT
}

export const NO_PAGE = -1

export type Session = {
  /** Microseconds since the epoch, of the first and the last event. */
  readonly beginUs: number
  endUs: number
  views: number
  acts: number
  /** Number of the members of the first event. */
  readonly members: number
  /** Items of the first and the last page view: 0 where it has none, `NO_PAGE` without a view. */
  entry: number
  exit: number
  /**
   * Places of its events in the list, in order: the first one of a run and the end of the run, one
   * after the other.
   */
  readonly runs: number[]
  /** Bits of the events that were last counted, and their number: see `countEvents`. */
  countedBits: number
  counted: number
}

/** A session, with the last event that had its id. */
type Open = { readonly id: number; readonly session: Session; lastUs: number }

/**
 * Sessions in the order of their first events.
 * @param events numbers of the actor's events that may have a session, in order of time, distinct id
 * and uuid.
 */
export function foldSessions(events: Float64Array): readonly Session[] {
  const sessions: Session[] = []
  const opens = new Opens()
  let open: Open | undefined
  let previous: Session | undefined
  let previousUs = -Infinity
  for (let place = 0; place < events.length; place += EVENT_NUMBERS) {
    const at = events[place] ?? 0
    const id = events[place + ID] ?? 0
    let session: Session | undefined
    if (id === 0) {
      if (at - previousUs < SESSION_GAP_US) session = previous
    } else {
      if (open?.id !== id) open = opens.find(id)
      if (open !== undefined && at - open.lastUs < SESSION_LENGTH_US) {
        open.lastUs = at
        session = open.session
      }
    }
    if (session === undefined) {
      session = begin(events, place, at)
      sessions.push(session)
      if (id !== 0) {
        open = { id, session, lastUs: at }
        opens.add(open)
      }
    }
    add(session, events, place, at)
    previous = session
    previousUs = at
  }
  return sessions
}

/** The last sessions of ids. Most actors have one, which needs no map. */
class Opens {
  #first: Open | undefined
  #byId: Map<number, Open> | undefined

  find(id: number): Open | undefined {
    return this.#first?.id === id ? this.#first : this.#byId?.get(id)
  }

  add(open: Open): void {
    if (this.#first === undefined || this.#first.id === open.id) {
      this.#first = open
      return
    }
    this.#byId ??= new Map()
    this.#byId.set(open.id, open)
  }
}

function begin(events: Float64Array, place: number, at: number): Session {
  const members = events[place + MEMBERS] ?? 0
  return {
    beginUs: at,
    endUs: at,
    views: 0,
    acts: 0,
    members,
    entry: NO_PAGE,
    exit: NO_PAGE,
    // A list of two from the start: one that grows takes the room of seventeen.
    runs: [place, place],
    countedBits: -1,
    counted: 0,
  }
}

/** Later events of a longer chain are of no session. */
function add(session: Session, events: Float64Array, place: number, at: number): void {
  if (at - session.beginUs >= SESSION_LENGTH_US) return
  const bits = events[place + BITS] ?? 0
  session.endUs = at
  const { runs } = session
  const last = runs.length - 1
  if (runs[last] === place) runs[last] = place + EVENT_NUMBERS
  else runs.push(place, place + EVENT_NUMBERS)
  if ((bits & VIEW_BIT) !== 0) session.views += 1
  if ((bits & ACT_BIT) !== 0) session.acts += 1
  if ((bits & PAGE_BIT) === 0) return
  const item = events[place + ITEM] ?? 0
  if (session.entry === NO_PAGE) session.entry = item
  session.exit = item
}

/** Calls `visit` with the places of a session's events, in order. */
export function forEachPlace({ runs }: Session, visit: (place: number) => void): void {
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] ?? 0
    for (let place = runs[run] ?? 0; place < end; place += EVENT_NUMBERS) visit(place)
  }
}

/** Events of a session that have all of some bits. Questions of a page count the same ones. */
export function countEvents(session: Session, events: Float64Array, bits: number): number {
  if (session.countedBits === bits) return session.counted
  const { runs } = session
  let counted = 0
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] ?? 0
    for (let place = runs[run] ?? 0; place < end; place += EVENT_NUMBERS) {
      if (((events[place + BITS] ?? 0) & bits) === bits) counted += 1
    }
  }
  session.countedBits = bits
  session.counted = counted
  return counted
}

/** Whether a session left after one page, with nothing done, within seconds. */
export function isBounce({ views, acts, beginUs, endUs }: Session): boolean {
  return views === 1 && acts === 0 && endUs - beginUs < BOUNCE_US
}
