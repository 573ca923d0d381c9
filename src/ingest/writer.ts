/**
 * The ingest writer of one worker: group commit across projects.
 *
 *   up -> (the store is found away) -> down -> (several probes in a row are answered) -> up
 *   up, down -> (close) -> closing -> (nothing is left) -> closed
 *
 * `up`: batches queue, and a flush starts whenever `Slots` has a slot; it takes the queued
 * batches. `down`: every batch is refused at once and the store is probed. `closing`: new batches
 * are refused, the queued ones are flushed. A batch is answered after its COMMIT and after the
 * caches were told of the persons it changed, never before; the next flush does not wait for that.
 *
 * `StoreWatch` judges whether the store is away. Then queued and in-flight batches are answered
 * `unavailable`; flushes under way continue, and only count: the batches may be sent again
 * meanwhile, which their uuids make harmless. Batches that have waited for `WRITER_WAIT_MAX_MS` at
 * a silent store get the same answer, whether it is away or at a slow row. A store that is only
 * behind loses the queued batches that have waited too long, no others.
 */

import { afterIo } from '../core/clock.ts'
import { within } from '../core/deadline.ts'
import type { Failpoints } from '../core/failpoint.ts'
import { SLOW_FLUSH_MS, WRITER_WAIT_MAX_MS } from '../core/limits/limits.ts'
import type { EventBatch } from '../events/event-batch.ts'
import { holdsLargeEvent } from '../events/event-size.ts'
import { type FlushCounts, type FlushDeps, FlushTally, flushBatches } from './flush-batches.ts'
import { Watchdog } from './flush-watchdog.ts'
import { type NotifyDeps, notifyPersonsChanged } from './notify-persons-changed.ts'
import { isOrdered } from './ordering.ts'
import { BEHIND, OVERLOADED, RETRY_AFTER_S, SLOW } from './outcomes.ts'
import { IngestQueue, type QueueBounds, type QueuedBatch } from './queue.ts'
import { Slots } from './slots.ts'
import { StoreError } from './store-port.ts'
import { StoreWatch } from './store-watch.ts'
import type { IngestWriter, WriterOutcome, WriterStatus } from './writer-port.ts'

export type WriterDeps = FlushDeps &
  NotifyDeps & {
    /** For tests of failures. */
    readonly failpoints?: Failpoints | undefined
  }

export type WriterOptions = QueueBounds & {
  readonly slots: number
  /** Events waiting for which another slot joins a flush under way. */
  readonly joinEventsMin: number
}

export function createWriter(deps: WriterDeps, options: WriterOptions): IngestWriter {
  return new GroupCommitWriter(deps, options)
}

class GroupCommitWriter implements IngestWriter {
  readonly #deps: WriterDeps
  readonly #queue: IngestQueue
  readonly #flushEventsMax: number
  readonly #slots: Slots
  readonly #watch: StoreWatch
  readonly #watchdog: Watchdog
  readonly #stopped = new AbortController()
  #phase: 'open' | 'closing' | 'closed' = 'open'
  readonly #told: Promise<void>[] = [] // One per slot: its last flush is answered.
  #telling = 0
  #pumpDue = false
  #isWatched = false
  #closing: Promise<void> | undefined
  #onIdle: () => void = () => {}
  #counts = { stored: 0, duplicates: 0, deadLetters: 0 }
  #lastError = ''

  constructor(deps: WriterDeps, options: WriterOptions) {
    const { clock } = deps
    this.#deps = deps
    this.#queue = new IngestQueue(options)
    this.#flushEventsMax = options.flushEventsMax
    this.#slots = new Slots(clock, options)
    this.#watch = new StoreWatch(deps, {
      signal: this.#stopped.signal,
      onAway: (cause) => this.#goDown(cause),
      onBack: () => {
        this.#lastError = ''
      },
    })
    this.#watchdog = new Watchdog(clock, {
      oldestAt: () => this.#oldestAt(),
      onOverdue: () => this.#overdue(),
    })
  }

  submit(batch: EventBatch): Promise<WriterOutcome> {
    if (this.#state() !== 'up') return Promise.resolve(this.#unavailable())
    if (batch.events.length === 0) {
      return Promise.resolve({ kind: 'stored', stored: 0, duplicates: 0, deadLetters: 0 })
    }
    return new Promise((answer) => {
      const queuedAt = this.#deps.clock.monotonic()
      const ordered = batch.events.some(isOrdered)
      const large = holdsLargeEvent(batch.events, batch.bytes)
      const shed = this.#queue.add({ batch, ordered, large, queuedAt, answer })
      for (const entry of shed ?? []) entry.answer(OVERLOADED)
      if (shed === undefined) {
        answer(OVERLOADED)
        return
      }
      this.#watchdog.arm()
      this.#pumpSoon()
    })
  }

  status(): WriterStatus {
    const { stored, duplicates, deadLetters } = this.#counts
    const now = this.#deps.clock.monotonic()
    return {
      state: this.#state(),
      queuedEvents: this.#queue.events,
      queuedBytes: this.#queue.bytes,
      storedEvents: stored,
      duplicateEvents: duplicates,
      deadLetterEvents: deadLetters,
      oldestWaitMs: now - (this.#oldestAt() ?? now),
      lastError: this.#lastError,
      breaker: this.#watch.status(now),
    }
  }

  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs)
    return this.#closing
  }

  async #close(deadlineMs: number): Promise<void> {
    this.#phase = 'closing'
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    this.#pump()
    await within(this.#deps.clock, { ms: deadlineMs, keepsAlive: true }, idle, () => {})
    this.#phase = 'closed'
    this.#stopped.abort()
    this.#answer(this.#queue.clear())
    await this.#watch.ended()
  }

  #state(): WriterStatus['state'] {
    if (this.#phase !== 'open') return this.#phase
    return this.#watch.isAway ? 'down' : 'up'
  }

  /** Arrival time of the oldest unanswered batch. */
  #oldestAt(): number | undefined {
    const oldest = Math.min(this.#queue.oldestAt ?? Number.POSITIVE_INFINITY, this.#slots.oldestAt)
    return Number.isFinite(oldest) ? oldest : undefined
  }

  /** Starts one flush for all batches of this event-loop tick, not one for the first. */
  #pumpSoon(): void {
    if (this.#pumpDue) return
    this.#pumpDue = true
    afterIo(() => {
      this.#pumpDue = false
      this.#pump()
    })
  }

  #pump(): void {
    const state = this.#state()
    if (state !== 'up' && state !== 'closing') return
    while (this.#start(this.#slots.next(this.#queue.events), false)) {
      // One more.
    }
    this.#start(this.#slots.nextLarge(), true)
    if (this.#queue.events > 0) this.#pumpLater()
    else if (this.#slots.isIdle && this.#telling === 0) this.#onIdle()
  }

  /** Starts a flush of the batches that may go; false when none may. */
  #start(slot: number | undefined, large: boolean): boolean {
    if (slot === undefined) return false
    const batches = this.#queue.take((id) => this.#slots.isHeld(id), large)
    if (batches.length === 0) return false
    this.#slots.start(slot, batches)
    void this.#run(slot, batches)
    return true
  }

  /** Once the flush under way is slow, waiting batches take another slot. */
  #pumpLater(): void {
    if (this.#isWatched) return
    this.#isWatched = true
    this.#deps.clock.after(SLOW_FLUSH_MS, () => {
      this.#isWatched = false
      this.#pump()
    })
  }

  /** Flushes batches and answers them. Never rejects. */
  async #run(slot: number, batches: readonly QueuedBatch[]): Promise<void> {
    const tally = new FlushTally(batches)
    let failure: unknown
    try {
      await flushBatches(this.#deps, batches, tally, {
        slot,
        rowsMax: this.#flushEventsMax,
        isWanted: () => !this.#slots.isAbandoned(slot),
        onAnswered: () => this.#watch.answered(),
        onCommitted: (counts) => this.#count(counts),
      })
      await this.#deps.failpoints?.reach('after-insert-before-ack')
      if (!this.#slots.isAbandoned(slot)) this.#lastError = ''
    } catch (error) {
      failure = error
      this.#failed(error, slot, batches)
    }
    await this.#told[slot] // A cache that is slow holds up the slot, not more and more answers.
    this.#told[slot] = this.#tell(tally, batches, failure)
    this.#slots.end(slot)
    this.#pump()
  }

  /** Notifies the caches, then the callers, while the slot takes the next flush. Never rejects. */
  async #tell(tally: FlushTally, batches: readonly QueuedBatch[], failure: unknown): Promise<void> {
    this.#telling += 1
    await notifyPersonsChanged(this.#deps, tally.changed)
    // Batches of an abandoned flush keep the answer they have.
    for (const [index, entry] of batches.entries())
      entry.answer(failure === undefined ? tally.outcome(index) : this.#unavailable(failure))
    this.#telling -= 1
    this.#pump()
  }

  #failed(error: unknown, slot: number, batches: readonly QueuedBatch[]): void {
    const { log } = this.#deps
    const isAbandoned = this.#slots.isAbandoned(slot)
    if (error instanceof StoreError && error.kind === 'unreachable' && !isAbandoned) {
      if (error.isStated) {
        this.#goDown(error)
        return
      }
      this.#watch.suspect(error)
    }
    // Part of it may have been written, or all.
    this.#personsUnknown(batches)
    if (isAbandoned) return // The state of the store is newer by now.
    this.#lastError = error instanceof StoreError ? `${error.kind} ${error.code}`.trim() : 'fault'
    if (error instanceof StoreError && error.kind === 'conflict') {
      log.warn('flush lost against concurrent ones', { error })
    } else log.error('flush failed', { error })
  }

  /** Something has waited for too long: the store is away, only behind, or at a slow row. */
  #overdue(): void {
    const since = this.#deps.clock.monotonic() - WRITER_WAIT_MAX_MS
    const older = this.#queue.takeOlder(since)
    if (!this.#watch.isQuiet) {
      this.#answer(older, BEHIND)
      return
    }
    const abandoned = this.#slots.abandon(since)
    this.#personsUnknown(abandoned)
    this.#answer([...abandoned, ...older], SLOW)
    this.#watch.suspect(SLOW)
  }

  /** Answers everything at once; the caller may have a spill. */
  #goDown(cause: StoreError): void {
    this.#watch.open(cause)
    this.#lastError = `${cause.kind} ${cause.code}`.trim()
    const abandoned = this.#slots.abandon(Number.POSITIVE_INFINITY)
    this.#personsUnknown(abandoned)
    this.#answer([...abandoned, ...this.#queue.clear()], cause)
  }

  /** Called before the batches are answered: they may or may not have changed persons. */
  #personsUnknown(batches: readonly QueuedBatch[]): void {
    if (batches.some(({ ordered }) => ordered)) this.#deps.onPersonsUnknown()
  }

  #answer(batches: readonly QueuedBatch[], cause?: unknown): void {
    for (const entry of batches) entry.answer(this.#unavailable(cause))
  }

  #unavailable(cause?: unknown): WriterOutcome {
    const known = cause ?? (this.#watch.isAway ? this.#watch.cause : this.#phase)
    return { kind: 'unavailable', retryAfterS: RETRY_AFTER_S, cause: known }
  }

  #count({ stored, duplicates, deadLetters }: FlushCounts): void {
    this.#counts.stored += stored
    this.#counts.duplicates += duplicates
    this.#counts.deadLetters += deadLetters
    this.#deps.onCommitted({ stored, duplicates, deadLetters })
  }
}
