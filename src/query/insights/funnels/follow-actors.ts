/** Follows every actor of a funnel. */
import { INSIGHT_EVENTS_OF_TURN, INSIGHT_FOLLOWED_TIMES_MAX } from '../../../core/limits/limits.ts'
import { type ActorText, eventsOf } from '../../../store/insights/actor-text.ts'
import type { Attribution, FunnelQuestion } from '../question.ts'
import { runsOf } from './attribution.ts'
import { type FunnelRules, follow, type Way } from './fold.ts'

const US_PER_MS = 1_000
/** Without a breakdown each actor counts once. */
const ONCE: Attribution = 'first_touch'

function rulesOf({ order, steps, windowMs, exclusions }: FunnelQuestion): FunnelRules {
  return { order, steps: steps.length, window: windowMs * US_PER_MS, exclusions }
}

/**
 * Calls `visit` with each way that an actor took and the place of the value that it counts for; 0
 * without a breakdown. Other work gets its turn in between.
 * @param timesMax events, counted once for each value that their actor is followed for.
 * @returns `too_many` when more events would be followed than one question may.
 */
export async function followActors<A extends ActorText>(
  actors: Iterable<A>,
  question: FunnelQuestion,
  visit: (way: Way, value: number, actor: A) => void,
  timesMax = INSIGHT_FOLLOWED_TIMES_MAX,
): Promise<'done' | 'too_many'> {
  const rules = rulesOf(question)
  const attribution = question.breakdown?.attribution ?? ONCE
  let [followed, turn] = [0, 0]
  for (const actor of actors) {
    const events = eventsOf(actor)
    for (const run of runsOf(events, rules, attribution)) {
      followed += run.events.length
      if (followed > timesMax) return 'too_many'
      if (followed - turn > INSIGHT_EVENTS_OF_TURN) {
        turn = followed
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      const way = follow(run.events, rules)
      if (way !== undefined) visit(way, run.value, actor)
    }
  }
  return 'done'
}
