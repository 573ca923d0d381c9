/** Splits an actor's events by the values of a breakdown for which it counts. */
import type { Attribution } from '../question.ts'
import type { FunnelEvent, FunnelRules } from './fold.ts'

/** `value` is the place of its value among those that are shown: 0 has none, -1 is another one. */
export type ValuedEvent = FunnelEvent & { readonly value: number }

const NONE = 0

/** Events by which an actor is followed for one value of the breakdown. */
export type Run = { readonly value: number; readonly events: readonly FunnelEvent[] }

/**
 * `first_touch` and `last_touch`: the first or last step of the actor that has a value; none where
 * no step has. `all_events`: all steps of a way have the value. A step: it has the value, and an
 * actor that never did it counts for none. `each_value`: the actor has all values, and each of them
 * has all its events.
 * @param events ascending.
 */
export function* runsOf(
  events: readonly ValuedEvent[],
  { steps }: FunnelRules,
  attribution: Attribution,
): Generator<Run> {
  if (attribution === 'first_touch') yield { value: touched(events, steps, 1), events }
  else if (attribution === 'last_touch') yield { value: touched(events, steps, -1), events }
  else if (attribution === 'all_events') yield* runsByValue(events, steps)
  else if (attribution === 'each_value') yield* runsOfEach(events)
  else yield* runsByStep(events, attribution)
}

function stepBits(mask: number, steps: number): number {
  return mask & ((1 << steps) - 1)
}

/**
 * Value of the actor's first or last step that has one. At the same moment, steps rank in their
 * order.
 * @param sign 1 for the first, -1 for the last.
 */
function touched(events: readonly ValuedEvent[], steps: number, sign: 1 | -1): number {
  let best: ValuedEvent | undefined
  for (const event of events) {
    if (event.value === NONE || stepBits(event.mask, steps) === 0) continue
    if (best === undefined || sign * compare(event, best, steps) < 0) best = event
  }
  return best?.value ?? NONE
}

/** Orders by time, then step, then value, so that the order of ties is stable. */
function compare(a: ValuedEvent, b: ValuedEvent, steps: number): number {
  return a.at - b.at || lowest(a.mask, steps) - lowest(b.mask, steps) || a.value - b.value
}

function lowest(mask: number, steps: number): number {
  const own = stepBits(mask, steps)
  return own & -own
}

/** Steps of other values are none; exclusions hold for every value. */
function* runsByValue(events: readonly ValuedEvent[], steps: number): Generator<Run> {
  const places = new Map<number, number[]>()
  const exclusions: number[] = []
  for (const [place, { mask, value }] of events.entries()) {
    const own = stepBits(mask, steps)
    if (own !== mask) exclusions.push(place)
    if (own === 0) continue
    const ofValue = places.get(value)
    if (ofValue === undefined) places.set(value, [place])
    else ofValue.push(place)
  }
  for (const [value, ofValue] of places) {
    const kept = [...new Set([...ofValue, ...exclusions])].sort((a, b) => a - b)
    yield { value, events: eventsAt(events, kept, value, steps) }
  }
}

/**
 * Events at the given places. Between two of them, the first and last other events are kept without
 * a step bit, so that a strict funnel sees that its steps were interrupted, and when.
 */
function eventsAt(
  events: readonly ValuedEvent[],
  kept: readonly number[],
  value: number,
  steps: number,
): readonly FunnelEvent[] {
  const own: FunnelEvent[] = []
  const addOthers = (from: number, until: number) => {
    if (from >= until) return
    for (const place of new Set([from, until - 1]))
      own.push({ at: events[place]?.at ?? 0, mask: 0 })
  }
  let next = 0
  for (const place of kept) {
    const event = events[place]
    if (event === undefined) continue
    addOthers(next, place)
    const isOwn = event.value === value
    own.push({ at: event.at, mask: isOwn ? event.mask : event.mask - stepBits(event.mask, steps) })
    next = place + 1
  }
  addOthers(next, events.length)
  return own
}

function* runsOfEach(events: readonly ValuedEvent[]): Generator<Run> {
  for (const value of new Set(events.map((event) => event.value))) {
    yield { value, events: events.filter((event) => event.value === value) }
  }
}

function* runsByStep(events: readonly ValuedEvent[], step: number): Generator<Run> {
  const bit = 1 << step
  const values = new Set<number>()
  for (const { value, mask } of events) if ((mask & bit) !== 0) values.add(value)
  for (const value of values) {
    const own = events.map((event) => ({
      at: event.at,
      mask: event.value === value ? event.mask : event.mask & ~bit,
    }))
    yield { value, events: own }
  }
}
