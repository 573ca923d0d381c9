/**
 * Events as what their sessions are: the port of insights for questions that filter by properties
 * of sessions, break down by them, or count them. A store knows no sessions, so that everything is
 * counted here, from the events that sessions are made of.
 */
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import type { ActorKey, ActorText } from '../../../event-store/actor-text.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import type {
  EventRole,
  InsightEvents,
  Measure,
  PassPart,
  PassRow,
  TrendNumber,
} from '../../../event-store/insight-events.ts'
import {
  NO_VALUE,
  NO_VALUE_PLACE,
  OTHER_VALUE,
  OTHER_VALUE_PLACE,
} from '../../../event-store/insight-events.ts'
import { forEachPlace } from '../../../events/sessions/fold-sessions.ts'
import { SESSION_LENGTH_US } from '../../../events/sessions/session-rules.ts'
import { OLDEST_MS } from '../../relative-date.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader } from '../reader.ts'
import {
  isSessionNumber,
  type SessionFilter,
  type SessionPropertyName,
} from '../sessions/session-properties.ts'
import { type SessionEvent, valueReader } from './session-values.ts'
import { type Tally, tallyOf } from './tally.ts'
import {
  bitsAt,
  idAt,
  type SeenSession,
  type SessionsAsked,
  timeAt,
  visitSessions,
} from './visit-sessions.ts'

/** Ends the counting of a question; `withSessions` catches it. */
class SessionsProblem extends Error {
  readonly problem: QuestionError

  constructor(problem: QuestionError) {
    super(problem.detail)
    this.problem = problem
  }
}

const US_PER_MS = 1_000
const LENGTH_MS = SESSION_LENGTH_US / US_PER_MS

/** Runs work that reads events by `eventsBySession`. @returns the reason if these cannot be read. */
export async function withSessions<T>(
  work: () => Promise<T>,
  refused: (problem: QuestionError) => T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SessionsProblem) return refused(error.problem)
    throw error
  }
}

/** @param filters all hold for the session of each event. */
export function eventsBySession(
  reader: InsightReader,
  filters: readonly SessionFilter[],
): InsightEvents {
  /**
   * Calls `visit` with each session that has events of a selection, with these events in order.
   * @param isWhole the session begins in the range, and its events may be later.
   */
  const visitEach = async (
    selection: EventSelection,
    roles: readonly EventRole[],
    asked: Pick<SessionsAsked, 'isNamed' | 'ofEvents' | 'properties'>,
    visit: (seen: SeenSession, events: readonly SessionEvent[]) => void,
    isWhole = false,
  ): Promise<void> => {
    const fromUs = selection.after === undefined ? OLDEST_MS * US_PER_MS : Number(selection.after)
    const untilUs = Number(selection.before)
    const range = {
      fromMs: Math.max(Math.floor(fromUs / US_PER_MS) - LENGTH_MS, OLDEST_MS + LENGTH_MS),
      untilMs: Math.ceil(untilUs / US_PER_MS),
    }
    const read = { ...asked, range, filters, roles, includesBots: true, members: [], items: [] }
    const failed = await visitSessions(reader, selection.project, read, (seen) => {
      const events: SessionEvent[] = []
      forEachPlace(seen.session, (place) => {
        const us = timeAt(seen.actor, place)
        if (!isWhole && (us <= fromUs || us >= untilUs)) return
        const mask = maskOf(seen, place)
        if (mask !== 0) events.push({ seen, us, mask, place })
      })
      if (events.length > 0) visit(seen, events)
    })
    if (failed !== undefined) throw new SessionsProblem(failed)
  }

  /** Adds what a measure counts to the tally of its bucket and value. */
  const tallied = async (
    selection: EventSelection,
    measure: Measure,
    { edges, breakdown }: TrendNumber['parts'],
    isNamed: boolean,
    add: (bucket: number, value: string, seen: SeenSession, event: SessionEvent) => void,
  ): Promise<void> => {
    const starts = edges.map((ms) => ms * US_PER_MS)
    const value = valueReader(breakdown?.source)
    const shown = new Set(breakdown?.shown)
    const shownOf = (event: SessionEvent) => {
      if (breakdown === undefined) return ''
      const own = value.of(event)
      if (own === undefined) return NO_VALUE
      return shown.has(own) ? own : OTHER_VALUE
    }
    const isOfSessions = 'ofSession' in measure
    const properties = [...(value.reads.properties ?? []), ...propertiesOf(measure)]
    const visit = (seen: SeenSession, events: readonly SessionEvent[]) => {
      for (const event of isOfSessions ? events.slice(0, 1) : events) {
        const us = isOfSessions ? seen.session.beginUs : event.us
        add(bucketOf(starts, us), shownOf(event), seen, event)
      }
    }
    const asked = { ...value.reads, properties, isNamed }
    await visitEach(selection, [roleOf(selection)], asked, visit, isOfSessions)
  }

  const isWithin = (bucket: number, edges: readonly number[]) =>
    bucket >= 0 && bucket < edges.length - 1

  return {
    store: reader.events.store,
    personsOfIds: (project, idsMax) => reader.events.personsOfIds(project, idsMax),

    async countTrend(selection, measure, parts) {
      const { edges } = parts
      const cells = new Map<string, Map<number, Tally>>()
      await tallied(selection, measure, parts, false, (bucket, value, seen, event) => {
        if (!isWithin(bucket, edges)) return
        const tallies = cells.get(value) ?? new Map<number, Tally>()
        cells.set(value, tallies)
        const tally = tallies.get(bucket) ?? tallyOf(measure)
        tallies.set(bucket, tally)
        tally.add(seen, idAt(seen.actor, event.place))
      })
      return [...cells].flatMap(([value, tallies]) =>
        [...tallies].map(([bucket, tally]) => ({ bucket, value, number: tally.number() })),
      )
    },

    async rollingActors(selection, days, parts) {
      const changes = new Map<string, Map<number, number>>()
      let active: { readonly nth: number; readonly days: Map<string, Set<number>> } | undefined
      const end = parts.edges.length - 1
      const close = () => {
        for (const [value, own] of active?.days ?? []) {
          const byDay = changes.get(value) ?? new Map<number, number>()
          changes.set(value, byDay)
          let until = -1
          for (const day of [...own].sort((a, b) => a - b)) {
            if (day > until) byDay.set(day, (byDay.get(day) ?? 0) + 1)
            else byDay.set(until, (byDay.get(until) ?? 0) + 1)
            until = day + days
            byDay.set(until, (byDay.get(until) ?? 0) - 1)
          }
        }
      }
      await tallied(selection, { kind: 'actors' }, parts, false, (day, value, seen) => {
        if (!isWithin(day, parts.edges)) return
        if (active?.nth !== seen.nth) {
          close()
          active = { nth: seen.nth, days: new Map() }
        }
        const own = active.days.get(value) ?? new Set()
        active.days.set(value, own.add(day))
      })
      close()
      return [...changes].flatMap(([value, byDay]) =>
        [...byDay].flatMap(([day, change]) =>
          change === 0 || day >= end ? [] : [{ day, value, change }],
        ),
      )
    },

    async topValues(selection, source, limit) {
      const counts = new Map<string, number>()
      const value = valueReader(source)
      await visitEach(selection, [roleOf(selection)], value.reads, (_, events) => {
        for (const event of events) {
          const own = value.of(event)
          if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
        }
      })
      return [...counts]
        .map(([own, count]) => ({ value: own, count }))
        .sort((a, b) => b.count - a.count || byCodePoint(a.value, b.value))
        .slice(0, limit)
    },

    firstEventMs: (selection) => reader.events.firstEventMs(selection),

    countInOnePass: (selection, parts) =>
      Promise.all(parts.map((part, place) => rowsOf(selection, part, place))),

    async eventsByActor(selection, roles, { isNamed, breakdown }) {
      const value = valueReader(breakdown?.source)
      const places = new Map(breakdown?.shown.map((own, place) => [own, place + 1]))
      const placeOf = (event: SessionEvent) => {
        if (breakdown === undefined) return ''
        const own = value.of(event)
        const place = own === undefined ? NO_VALUE_PLACE : (places.get(own) ?? OTHER_VALUE_PLACE)
        return `:${place}`
      }
      return await byActor(selection, roles, { ...value.reads, isNamed }, (events) =>
        events
          .toSorted((a, b) => a.us - b.us || a.place - b.place)
          .map((event) => `${event.us}:${event.mask}${placeOf(event)}`),
      )
    },

    async bucketsByActor(selection, roles, edges, { isNamed }) {
      const starts = edges.map((ms) => ms * US_PER_MS)
      return await byActor(selection, roles, { isNamed }, (events) => {
        const masks = new Map<number, number>()
        for (const { us, mask } of events) {
          const bucket = bucketOf(starts, us) + 1
          masks.set(bucket, (masks.get(bucket) ?? 0) | mask)
        }
        return [...masks].sort(([a], [b]) => a - b).map(([bucket, mask]) => `${bucket}:${mask}`)
      })
    },

    itemsByActor: (...asked) => reader.events.itemsByActor(...asked),
    sessionEvents: (...asked) => reader.events.sessionEvents(...asked),

    async actorsBehind(_, numbers, { limit, offset }) {
      const keys = new Map<string, ActorKey>()
      for (const { selection, measure, parts, value } of numbers) {
        await tallied(selection, measure, parts, true, (bucket, own, { actor }, event) => {
          const isOf = measure.kind !== 'sessions' || idAt(actor, event.place) !== 0
          if (bucket !== 0 || own !== value || !isOf) return
          const { person = null, lone = null } = actor
          keys.set(JSON.stringify([person, lone]), { person, lone })
        })
      }
      return [...keys.values()].sort(byActorOrder).slice(offset, offset + limit)
    },
  }

  /** Texts of the actors with events, each of the pairs that `write` makes of them. */
  async function byActor(
    selection: EventSelection,
    roles: readonly EventRole[],
    asked: Pick<SessionsAsked, 'isNamed' | 'ofEvents' | 'properties'>,
    write: (events: readonly SessionEvent[]) => readonly string[],
  ): Promise<readonly ActorText[]> {
    const actors: ActorText[] = []
    let events: SessionEvent[] = []
    const close = () => {
      const [first] = events
      if (first === undefined) return
      const { person = null, lone = null } = first.seen.actor
      const pairs = write(events).join(' ')
      actors.push(asked.isNamed === true ? { pairs, person, lone } : { pairs })
      events = []
    }
    await visitEach(selection, roles, asked, (seen, more) => {
      if (events[0]?.seen.nth !== seen.nth) close()
      events.push(...more)
    })
    close()
    return actors
  }

  async function rowsOf(
    selection: EventSelection,
    part: PassPart,
    place: number,
  ): Promise<readonly PassRow[]> {
    const { edges } = part
    if (part.kind === 'values') {
      const counts = new Map<string, number>()
      const starts = edges.map((ms) => ms * US_PER_MS)
      const value = valueReader(part.source)
      await visitEach(selection, [roleOf(selection)], value.reads, (_, events) => {
        for (const event of events) {
          const bucket = bucketOf(starts, event.us)
          if (!isWithin(bucket, edges)) continue
          const key = `${bucket} ${value.of(event) ?? ''}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      })
      return [...counts].slice(0, part.cellsMax + 1).map(([key, number]) => {
        const space = key.indexOf(' ')
        const [bucket, own] = [Number(key.slice(0, space)), key.slice(space + 1)]
        return { part: place, bucket, value: own === '' ? null : own, number }
      })
    }
    const measure = { kind: part.of }
    const all = tallyOf(measure)
    const buckets = edges.slice(1).map(() => tallyOf(measure))
    await visitEach(selection, [roleOf(selection)], {}, (seen, events) => {
      const starts = edges.map((ms) => ms * US_PER_MS)
      for (const event of events) {
        const tally = buckets[bucketOf(starts, event.us)]
        if (tally === undefined) continue
        tally.add(seen, idAt(seen.actor, event.place))
        all.add(seen, idAt(seen.actor, event.place))
      }
    })
    const row = (bucket: number | null, tally: Tally): PassRow => {
      return { part: place, bucket, value: null, number: tally.number() }
    }
    return [...buckets.map((tally, bucket) => row(bucket, tally)), row(null, all)]
  }
}

function propertiesOf(measure: Measure): readonly SessionPropertyName[] {
  return 'ofSession' in measure && isSessionNumber(measure.ofSession) ? [measure.ofSession] : []
}

/** The events of a selection, as a role. */
function roleOf({ event, where, needsPerson }: EventSelection): EventRole {
  return { event: event ?? null, where, needsPerson }
}

function maskOf({ actor, roleBits }: SeenSession, place: number): number {
  const bits = bitsAt(actor, place)
  let mask = 0
  for (let role = 0; role < roleBits.length; role++) {
    if ((bits & (roleBits[role] ?? 0)) !== 0) mask += 1 << role
  }
  return mask
}

/** Place of the last start that is not later; -1 before all. */
function bucketOf(starts: readonly number[], us: number): number {
  let low = -1
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= us) low = middle
    else high = middle
  }
  return low
}

/** Persons first, by their numbers; then distinct ids. */
function byActorOrder(one: ActorKey, other: ActorKey): number {
  if (one.person !== null && other.person !== null) return Number(one.person) - Number(other.person)
  if (one.person !== null || other.person !== null) return one.person === null ? 1 : -1
  return byCodePoint(one.lone ?? '', other.lone ?? '')
}
