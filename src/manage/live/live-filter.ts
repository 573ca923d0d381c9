/** Lets through those live events that a condition of the query language holds for. */
import type { Clock } from '../../core/clock.ts'
import { LIVE_FILTERED_EVENTS } from '../../core/limits/limits.ts'
import type { LiveEvent } from '../../events/live/live-message.ts'
import type { LiveSink } from '../../events/live/live-queue.ts'

/** Interval at which one stream reads which events match its `where`. */
const LIVE_FILTER_MS = 100

export type LiveFilterDeps = {
  /** Ids of the events that match. @throws errors of the database. */
  readonly passing: (
    events: readonly LiveEvent[],
    signal: AbortSignal,
  ) => Promise<ReadonlySet<string>>
  readonly clock: Clock
  /** Aborts when the reader has left. */
  readonly signal: AbortSignal
}

/**
 * Reads the events together, so that a busy project costs a few small queries a second. Events that
 * cannot be read, or that wait when too many have arrived, count as missed.
 */
export function createLiveFilter(
  { passing, clock, signal }: LiveFilterDeps,
  to: LiveSink,
): LiveSink {
  let waiting: LiveEvent[] = []
  let isFiltering = false
  /** Deletions that arrived while the database was looking at events. */
  let deleted: ((event: LiveEvent) => boolean)[] = []

  const filter = async () => {
    while (waiting.length > 0) {
      await clock.sleep(LIVE_FILTER_MS, signal)
      const events = waiting
      waiting = []
      deleted = []
      try {
        const passed = await passing(events, signal)
        for (const event of events) {
          if (passed.has(event.id) && !deleted.some((isIt) => isIt(event))) to.offer(event)
        }
      } catch {
        // Too many queries, or no database: the reader hears how many were not looked at.
        to.miss(events.length)
      }
    }
  }

  return {
    offer(event) {
      if (signal.aborted) return
      if (waiting.length >= LIVE_FILTERED_EVENTS) {
        waiting.shift()
        to.miss(1)
      }
      waiting.push(event)
      if (isFiltering) return
      isFiltering = true
      filter()
        .catch(() => {
          waiting = [] // Nobody reads any more.
        })
        .finally(() => {
          isFiltering = false
        })
    },
    miss: (count) => to.miss(count),
    forget(isDeleted) {
      waiting = waiting.filter((event) => !isDeleted(event))
      deleted.push(isDeleted)
      to.forget(isDeleted)
    },
    bye: (reason) => to.bye(reason),
  }
}
