/**
 * The events of the demo: a month that ends now. Event n of a day has the same uuid at every run,
 * and its day is a day of UTC, so that filling a project again stores each event once.
 */
import { v5 } from 'uuid'
import type { JsonObject } from '../../core/json.ts'
import { type Deployment, isBroken } from './demo-deployment.ts'
import { DEMO_MARK, demoPerson } from './demo-persons.ts'
import { brokenVisit, demoVisit } from './demo-visit.ts'
import { type Random, randomOf, shared } from './random.ts'

export type DemoEvent = {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly properties: JsonObject
}

export type DemoSize = {
  readonly events: number
  /** Milliseconds: no event is later. */
  readonly untilMs: number
  readonly deployment: Deployment
}

/** Days of a list of the last 30 days, today included. */
export const DEMO_DAYS = 31
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const EVENTS_A_PERSON = 20
/** Weights of days from Sunday on: a shop for people at work. */
const WEEKDAYS = [0.6, 1.05, 1.1, 1.1, 1.05, 0.95, 0.65]
/** Growth of events from one day to the next. */
const GROWTH = 0.015
/** Weight of the day of the deployment: its visits are as many, and shorter. */
const BROKEN_DAY = 0.8
/** Weights of hours from midnight on, by the clock of the person. */
const HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 13, 13, 14, 13, 12, 12, 12, 13, 14, 15, 15, 12, 8, 4]
/** Names of events, which must stay. */
const NAMESPACE = '5b0f7b8e-6c0e-5d0c-9a53-3f1d3c2b7a41'

export function demoPersons(events: number): number {
  return Math.max(1, Math.round(events / EVENTS_A_PERSON))
}

type Day = {
  readonly startMs: number
  /** Later than the start, at most a day. */
  readonly endMs: number
  readonly events: number
  /** Number of the first person who visits for the first time. */
  readonly newcomers: number
  readonly firstNewcomer: number
  readonly deployment: Deployment
}

/** One list per day, in the order of time. */
export function* demoDays(size: DemoSize): Generator<readonly DemoEvent[]> {
  for (const day of daysOf(size)) yield eventsOf(day)
}

function daysOf({ events, untilMs, deployment }: DemoSize): readonly Day[] {
  const lastMs = Math.floor((untilMs - 1) / DAY_MS) * DAY_MS
  const starts = Array.from({ length: DEMO_DAYS }, (_, at) => {
    return lastMs - (DEMO_DAYS - 1 - at) * DAY_MS
  })
  const weights = starts.map((startMs, at) => {
    const passed = Math.min(1, (untilMs - startMs) / DAY_MS)
    const weekday = WEEKDAYS[new Date(startMs).getUTCDay()] ?? 1
    const isOfDeployment = isBroken(deployment, startMs, startMs + DAY_MS)
    return weekday * (1 + GROWTH * at) * passed * (isOfDeployment ? BROKEN_DAY : 1)
  })
  const counts = shared(events, weights)
  // A day without events has no newcomers.
  const newcomers = shared(demoPersons(events), counts)
  let firstNewcomer = 0
  return starts.map((startMs, at) => {
    const day = {
      startMs,
      endMs: Math.min(untilMs, startMs + DAY_MS),
      events: counts[at] ?? 0,
      newcomers: newcomers[at] ?? 0,
      firstNewcomer,
      deployment,
    }
    firstNewcomer += day.newcomers
    return day
  })
}

function eventsOf(day: Day): readonly DemoEvent[] {
  const name = new Date(day.startMs).toISOString().slice(0, 10)
  const random = randomOf(`day ${name}`)
  const events: DemoEvent[] = []
  for (let visit = 0; events.length < day.events; visit++) {
    const isFirst = visit < day.newcomers
    const person = demoPerson(isFirst ? day.firstNewcomer + visit : returning(random, day))
    const about = {
      $session_id: v5(`session ${name} ${visit}`, NAMESPACE),
      ...person.about,
      $lib: 'sluice-demo',
      [DEMO_MARK.key]: DEMO_MARK.value,
    }
    const visited = demoVisit(random, person, isFirst).slice(0, day.events - events.length)
    const lengthMs = visited.reduce((all, { afterS }) => all + afterS * 1000, 0)
    let at = beginOf(random, day, person.hoursAhead, lengthMs)
    const steps = isBroken(day.deployment, at) ? brokenVisit(random, visited) : visited
    for (const [place, { event, properties, afterS }] of steps.entries()) {
      at = Math.min(at + afterS * 1000, day.endMs - 1)
      const set = place === 0 ? { $set: person.set } : {}
      events.push({
        uuid: v5(`event ${name} ${events.length}`, NAMESPACE),
        event,
        distinct_id: person.distinctId,
        timestamp: new Date(at).toISOString(),
        properties: { ...about, ...properties, ...set },
      })
    }
  }
  return events.sort((one, other) => one.timestamp.localeCompare(other.timestamp))
}

/** Picks a returning person: mostly a recent one, sometimes any. */
function returning(random: Random, { firstNewcomer, newcomers }: Day): number {
  const known = Math.max(1, firstNewcomer + newcomers)
  if (random.chance(0.25)) return (random.below(Math.ceil(known / 8)) * 8) % known
  return known - 1 - Math.floor(known * random.next() ** 2.2)
}

/** Start of a visit by the person's clock, within the day of UTC; today is filled up to now. */
function beginOf(
  random: Random,
  { startMs, endMs }: Day,
  hoursAhead: number,
  lengthMs: number,
): number {
  let left = random.next() * HOURS.reduce((all, weight) => all + weight, 0)
  const found = HOURS.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  const hour = (Math.max(0, found) - hoursAhead + 24) % 24
  const share = (hour * HOUR_MS + random.next() * HOUR_MS) / DAY_MS
  const begin = startMs + share * (endMs - startMs)
  return Math.round(Math.max(startMs, Math.min(begin, endMs - 1 - lengthMs)))
}
