/** Follows every actor of a funnel. */
import { yieldToEventLoop } from '../../../core/clock.ts'
import { INSIGHT_EVENTS_OF_TURN } from '../../../core/limits/limits-query.ts'
import {
  type ActorEvent,
  type ActorText,
  eventsOf,
  packedOf,
} from '../../../event-store/actor-text.ts'
import { NO_VALUE_PLACE } from '../../../event-store/insight-events.ts'
import type { Attribution, FunnelQuestion } from '../question.ts'
import { runsOf } from './attribution.ts'
import { entriesOf, type FunnelRules, follow, type Way } from './fold.ts'
import { packedFold } from './fold-packed.ts'

/** Events of all the values of a funnel's breakdown together: an actor may count for several. */
const INSIGHT_FOLLOWED_TIMES_MAX = 30_000_000

const US_PER_MS = 1_000
/** Attribution without a breakdown: each actor counts once. */
const ONCE: Attribution = 'first_touch'

function rulesOf({ order, steps, windowMs, exclusions }: FunnelQuestion): FunnelRules {
  return { order, steps: steps.length, window: windowMs * US_PER_MS, exclusions }
}

/**
 * Calls `visit` with each way that an actor took and the place of the value that it counts for; 0
 * without a breakdown. Other work gets its turn in between.
 * @param starts of buckets, microseconds: there is a way for each of them in which an actor enters.
 * @param placeOf gives the place of a value another one: see `ShownValues`.
 * @param timesMax events, counted once for each value and bucket that their actor is followed for.
 * @returns `too_many` when more events would be followed than one question may.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the hot loop over actors, values and starts
export async function followActors<A extends ActorText>(
  actors: Iterable<A>,
  question: FunnelQuestion,
  visit: (way: Way, value: number, actor: A) => void,
  { starts, placeOf, timesMax = INSIGHT_FOLLOWED_TIMES_MAX }: FollowOptions = {},
): Promise<'done' | 'too_many'> {
  const rules = rulesOf(question)
  const attribution = question.breakdown?.attribution ?? ONCE
  const packedRules = starts === undefined ? packedFold(rules) : undefined
  const bound = createBound(timesMax)
  for (const actor of actors) {
    const packed = packedRules && packedOf(actor)
    const quick = packed && packedRules?.follow(packed)
    if (packed !== undefined && quick !== 'several') {
      if (bound.isPassedBy(packed.items.length)) return 'too_many'
      if (bound.isTurnOver()) await yieldToEventLoop()
      if (quick !== undefined) visit(quick, NO_VALUE_PLACE, actor)
      continue
    }
    for (const run of runsOf(placed(eventsOf(actor), placeOf), rules, attribution)) {
      const all = { events: run.events, rules }
      for (const each of starts === undefined ? [all] : entriesOf(run.events, rules, starts)) {
        if (bound.isPassedBy(each.events.length)) return 'too_many'
        if (bound.isTurnOver()) await yieldToEventLoop()
        const way = follow(each.events, each.rules)
        if (way !== undefined) visit(way, run.value, actor)
      }
    }
  }
  return 'done'
}

export type FollowOptions = {
  readonly starts?: readonly number[] | undefined
  readonly placeOf?: ((place: number) => number) | undefined
  readonly timesMax?: number
}

function placed(
  events: readonly ActorEvent[],
  placeOf: FollowOptions['placeOf'],
): readonly ActorEvent[] {
  if (placeOf === undefined) return events
  return events.map((event) => ({ ...event, value: placeOf(event.value) }))
}

/** Counts the events that are followed. */
function createBound(timesMax: number) {
  let [followed, turn] = [0, 0]
  return {
    isPassedBy(events: number): boolean {
      followed += events
      return followed > timesMax
    },
    /** Begins another turn when it is. */
    isTurnOver(): boolean {
      if (followed - turn <= INSIGHT_EVENTS_OF_TURN) return false
      turn = followed
      return true
    },
  }
}
