/** Lanes of batches, and the choice of the next one. */
import type { EventBatch } from '../events/event-batch.ts'
import { holdsLargeEvent } from '../events/event-size.ts'
import { isOrdered } from './ordering.ts'
import type { IngestQueue, Lane, QueuedBatch } from './queue.ts'
import type { IngestStore } from './store-port.ts'

/** While others are flushed: longest wait of batches that change persons, and events to end it. */
export const CHANGING_WAIT_MS = 25
export const CHANGING_EVENTS_MIN = 64

const USUAL: readonly Lane[] = ['ordinary', 'changing']
const DUE: readonly Lane[] = ['changing', 'ordinary']

/** Lane of a batch. */
export function placeOf(
  { projectId, events, bytes, ackedAtMs }: EventBatch,
  store: Pick<IngestStore, 'expect'>,
): Pick<QueuedBatch, 'lane' | 'ordered' | 'expected'> {
  if (holdsLargeEvent(events, bytes)) {
    return { lane: 'large', ordered: events.some(isOrdered), expected: [] }
  }
  const expected = events.map((event) => store.expect(projectId, event))
  const isOrdinary = ackedAtMs === undefined && !expected.includes(undefined)
  if (isOrdinary) return { lane: 'ordinary', ordered: false, expected }
  return { lane: 'changing', ordered: events.some(isOrdered), expected }
}

/**
 * The lanes that may be flushed, the next first. A statement that changes persons costs more than
 * one that does not, however few they are: while others are flushed, changing batches gather for a
 * moment.
 * @param last of the flush before. @param isIdle no flush is under way.
 */
export function nextLanes(
  { changingEvents, oldestChangingAt }: IngestQueue,
  { now, last, isIdle }: { readonly now: number; readonly last: Lane; readonly isIdle: boolean },
): readonly Lane[] {
  const waitedMs = now - (oldestChangingAt ?? Number.POSITIVE_INFINITY)
  const isDue = changingEvents >= CHANGING_EVENTS_MIN || waitedMs >= CHANGING_WAIT_MS
  if (isDue) return last === 'changing' ? USUAL : DUE
  return isIdle ? USUAL : ['ordinary']
}
