/** Long loops that give other work its turn. */
import { yieldToEventLoop } from '../../core/clock.ts'

/** Actors that are counted before other work gets its turn. */
const INSIGHT_ACTORS_OF_TURN = 200

/** Calls `visit` with each item in order, and yields to other work every few hundred items. */
export async function inTurns<T>(items: readonly T[], visit: (item: T) => void): Promise<void> {
  for (let from = 0; from < items.length; from += INSIGHT_ACTORS_OF_TURN) {
    if (from > 0) await yieldToEventLoop()
    items.slice(from, from + INSIGHT_ACTORS_OF_TURN).forEach(visit)
  }
}

/** Calls `visit` with each span of at most `most` places below `end`, and yields before each. */
export async function inSpans(
  end: number,
  most: number,
  visit: (from: number, until: number) => void,
): Promise<void> {
  for (let from = 0; from < end; from += most) {
    await yieldToEventLoop()
    visit(from, Math.min(from + most, end))
  }
}
