import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import { SLOW_FLUSH_MS } from '../core/limits/limits.ts'
import type { QueuedGroup } from './queue.ts'

type Flush = {
  readonly batch: readonly QueuedGroup[]
  /** Projects whose persons it changes: no other flush may do that meanwhile. */
  readonly held: ReadonlySet<ProjectId>
  readonly startedAt: number
  /** Its groups have been answered already: it goes on, and nobody waits for it. */
  isAbandoned: boolean
}

/**
 * The flushes under way. A lone flush is the cheapest: two backends that insert into the same pages
 * get in each other's way, and what waits makes the next batch larger. So another slot joins only
 * for a backlog, or when a flush is slow and the others must not wait for it.
 */
export class Slots {
  readonly #flushes: (Flush | undefined)[]
  readonly #joinEventsMin: number
  readonly #clock: Clock

  constructor(clock: Clock, options: { slots: number; joinEventsMin: number }) {
    this.#clock = clock
    this.#joinEventsMin = options.joinEventsMin
    this.#flushes = Array.from({ length: options.slots }, () => undefined)
  }

  /** A free slot, when a flush may start with so many events waiting. */
  next(queuedEvents: number): number | undefined {
    const free = this.#flushes.indexOf(undefined)
    if (free === -1) return undefined
    return this.isIdle || queuedEvents >= this.#joinEventsMin || this.#isSlow() ? free : undefined
  }

  get isIdle(): boolean {
    return this.#flushes.every((flush) => flush === undefined)
  }

  start(slot: number, batch: readonly QueuedGroup[]): void {
    const ordered = batch.filter((entry) => entry.ordered)
    const held = new Set(ordered.map(({ group }) => group.projectId))
    const startedAt = this.#clock.monotonic()
    this.#flushes[slot] = { batch, held, startedAt, isAbandoned: false }
  }

  end(slot: number): void {
    this.#flushes[slot] = undefined
  }

  isHeld(projectId: ProjectId): boolean {
    return this.#flushes.some((flush) => flush?.held.has(projectId))
  }

  /** Groups being written that are not answered yet. */
  groups(): readonly QueuedGroup[] {
    return this.#flushes.flatMap((flush) => (flush?.isAbandoned === false ? flush.batch : []))
  }

  /** Hands out all groups being written, to be answered now. Projects stay held until the end. */
  abandon(): readonly QueuedGroup[] {
    const groups = this.groups()
    for (const flush of this.#flushes) if (flush !== undefined) flush.isAbandoned = true
    return groups
  }

  isAbandoned(slot: number): boolean {
    return this.#flushes[slot]?.isAbandoned === true
  }

  #isSlow(): boolean {
    const since = this.#clock.monotonic() - SLOW_FLUSH_MS
    return this.#flushes.every((flush) => flush === undefined || flush.startedAt <= since)
  }
}
