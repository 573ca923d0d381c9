/** The flushes under way, and whether another may start beside them. */

import type { Clock } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import type { ProjectId } from '../core/ids.ts'
import { SLOW_FLUSH_MS, WRITER_WAIT_MAX_MS } from '../core/limits/limits.ts'
import type { QueuedBatch } from './queue.ts'

/**
 * A flush has at least this time before its events are answered, however long they had waited:
 * else a flush that begins late is given up at once, and is nearly always stored all the same.
 */
export const FLUSH_TIME_MS = 1_000
assert(FLUSH_TIME_MS <= WRITER_WAIT_MAX_MS, 'what did not wait is answered no later')

type Flush = {
  readonly batches: readonly QueuedBatch[]
  /** Projects whose persons it changes: no other flush may change them meanwhile. */
  readonly held: ReadonlySet<ProjectId>
  readonly startedAt: number
  /** Its batches have been answered already: it continues without a waiting caller. */
  isAbandoned: boolean
}

/**
 * The flushes under way. A lone flush is the cheapest: two backends that insert into the same pages
 * slow each other down, and waiting batches make the next flush larger. So another slot joins only
 * for a backlog, or when a flush is slow and the others must not wait for it. The last slot is for
 * large batches alone, so that a slow row holds up no other flush.
 */
export class Slots {
  readonly #flushes: (Flush | undefined)[]
  readonly #largeSlot: number
  readonly #joinEventsMin: number
  readonly #clock: Clock

  constructor(clock: Clock, options: { slots: number; joinEventsMin: number }) {
    this.#clock = clock
    this.#joinEventsMin = options.joinEventsMin
    this.#flushes = Array.from({ length: options.slots + 1 }, () => undefined)
    this.#largeSlot = options.slots
  }

  /** A free slot, when a flush may start with `queuedEvents` waiting. */
  next(queuedEvents: number): number | undefined {
    const flushes = this.#plainFlushes()
    const free = flushes.indexOf(undefined)
    if (free === -1) return undefined
    const isIdle = flushes.every((flush) => flush === undefined)
    return isIdle || queuedEvents >= this.#joinEventsMin || this.#isSlow() ? free : undefined
  }

  /** The slot for large batches, when it is free. */
  nextLarge(): number | undefined {
    return this.#flushes[this.#largeSlot] === undefined ? this.#largeSlot : undefined
  }

  get isIdle(): boolean {
    return this.#flushes.every((flush) => flush === undefined)
  }

  start(slot: number, batches: readonly QueuedBatch[]): void {
    const ordered = batches.filter((entry) => entry.ordered)
    const held = new Set(ordered.map(({ batch }) => batch.projectId))
    const startedAt = this.#clock.monotonic()
    this.#flushes[slot] = { batches, held, startedAt, isAbandoned: false }
  }

  end(slot: number): void {
    this.#flushes[slot] = undefined
  }

  isHeld(projectId: ProjectId): boolean {
    return this.#flushes.some((flush) => flush?.held.has(projectId))
  }

  /** Batches being written that are not answered yet. */
  batches(): readonly QueuedBatch[] {
    return this.#flushes.flatMap((flush) => (flush?.isAbandoned === false ? flush.batches : []))
  }

  /** Arrival time of the oldest of them, in monotonic milliseconds; infinite when there is none. */
  get oldestAt(): number {
    return Math.min(...this.batches().map(({ queuedAt }) => queuedAt))
  }

  /**
   * Hands out the unacknowledged batches of each flush that holds one from `before` or earlier
   * (monotonic milliseconds) and has had its time: they are answered now. Projects stay held until
   * the flush ends. A batch that was acknowledged before is answered by its flush: nobody waits for
   * it, and its drainer would only send it again.
   */
  abandon(before: number): readonly QueuedBatch[] {
    const batches: QueuedBatch[] = []
    for (const flush of this.#flushes) {
      if (flush === undefined || flush.isAbandoned) continue
      if (flush.startedAt > before + WRITER_WAIT_MAX_MS - FLUSH_TIME_MS) continue
      if (!flush.batches.some(({ queuedAt }) => queuedAt <= before)) continue
      flush.isAbandoned = true
      batches.push(...flush.batches.filter(({ batch }) => batch.ackedAtMs === undefined))
    }
    return batches
  }

  isAbandoned(slot: number): boolean {
    return this.#flushes[slot]?.isAbandoned === true
  }

  #isSlow(): boolean {
    const since = this.#clock.monotonic() - SLOW_FLUSH_MS
    return this.#plainFlushes().every((flush) => flush === undefined || flush.startedAt <= since)
  }

  #plainFlushes(): readonly (Flush | undefined)[] {
    return this.#flushes.slice(0, this.#largeSlot)
  }
}
