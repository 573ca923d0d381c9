/**
 * The ingest writer of one worker: group commit across projects.
 *
 *   up -> (the store is found away) -> down -> (several probes in a row are answered) -> up
 *   up, down -> (close) -> closing -> (nothing is left) -> closed
 *
 * `up`: groups queue, and a flush starts whenever `Slots` has a slot for it and takes what has come
 * in. `down`: every group is refused at once and the store is probed. `closing`: new groups are
 * refused, the queued ones are flushed. A group is answered after its COMMIT and after the caches
 * have been told of the persons it changed, never before.
 *
 * The store is away when a flush could not reach it, or when something has waited for
 * `WRITER_WAIT_MAX_MS` and the store has been silent. Then what is queued and what is in flight is
 * answered `unavailable`; flushes under way go on, and their outcome only counts: the groups may be
 * sent again meanwhile, which their uuids make harmless. A store that answers and is only behind
 * loses the groups that have waited for too long, no others.
 */
import { afterIo } from '../core/clock.ts'
import type { Failpoints } from '../core/failpoint.ts'
import {
  SLOW_FLUSH_MS,
  STORE_GOOD_PINGS_MIN,
  STORE_PROBE_MS,
  STORE_QUIET_MS,
  WRITER_WAIT_MAX_MS,
} from '../core/limits/limits.ts'
import type { IngestGroup } from '../project/ports.ts'
import { Breaker } from './breaker.ts'
import { type FlushCounts, type FlushDeps, flushGroups } from './flush-batches.ts'
import { Watchdog } from './flush-watchdog.ts'
import { type TellDeps, tellPersonsChanged } from './notify-persons-changed.ts'
import { isOrdered } from './ordering.ts'
import { probe } from './probe.ts'
import { IngestQueue, type QueueBounds, type QueuedGroup } from './queue.ts'
import { Slots } from './slots.ts'
import { StoreError } from './store-port.ts'
import { FlushTally } from './tally.ts'
import type { IngestWriter, WriterOutcome, WriterStatus } from './writer-port.ts'

export type { IngestWriter, WriterOutcome, WriterStatus } from './writer-port.ts'

export type WriterDeps = FlushDeps &
  TellDeps & {
    /** For tests of failures. */
    readonly failpoints?: Failpoints
  }

export type WriterOptions = QueueBounds & {
  readonly slots: number
  /** Events waiting for which another slot joins a flush under way. */
  readonly joinEventsMin: number
}

const RETRY_AFTER_S = 1

export function createWriter(deps: WriterDeps, options: WriterOptions): IngestWriter {
  return new GroupCommitWriter(deps, options)
}

class GroupCommitWriter implements IngestWriter {
  readonly #deps: WriterDeps
  readonly #queue: IngestQueue
  readonly #batchEventsMax: number
  readonly #slots: Slots
  readonly #breaker: Breaker
  readonly #watchdog: Watchdog
  readonly #stopped = new AbortController()
  #phase: 'open' | 'closing' | 'closed' = 'open'
  #pumpDue = false
  #isWatched = false
  #probing: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  #onIdle: () => void = () => {}
  #counts = { stored: 0, duplicates: 0, deadLetters: 0 }
  #lastError = ''
  /** When the store answered a flush last; monotonic. */
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(deps: WriterDeps, options: WriterOptions) {
    const { clock } = deps
    this.#deps = deps
    this.#queue = new IngestQueue(options)
    this.#batchEventsMax = options.batchEventsMax
    this.#slots = new Slots(clock, options)
    this.#breaker = new Breaker(STORE_GOOD_PINGS_MIN, clock.monotonic())
    this.#watchdog = new Watchdog(clock, {
      oldestAt: () => this.#oldestAt(),
      onOverdue: () => this.#overdue(),
    })
  }

  submit(group: IngestGroup): Promise<WriterOutcome> {
    if (this.#state() !== 'up') return Promise.resolve(this.#unavailable())
    if (group.events.length === 0) {
      return Promise.resolve({ kind: 'stored', stored: 0, duplicates: 0, deadLetters: 0 })
    }
    return new Promise((answer) => {
      const queuedAt = this.#deps.clock.monotonic()
      const ordered = group.events.some(isOrdered)
      const shed = this.#queue.add({ group, ordered, queuedAt, answer })
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
      breaker: this.#breaker.status(now),
    }
  }

  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs)
    return this.#closing
  }

  async #close(deadlineMs: number): Promise<void> {
    this.#phase = 'closing'
    const late = new AbortController()
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    this.#pump()
    const expiry = this.#deps.clock.sleep(deadlineMs, late.signal).catch(() => {
      // Everything was written in time.
    })
    await Promise.race([idle, expiry])
    late.abort()
    this.#phase = 'closed'
    this.#stopped.abort()
    this.#answer(this.#queue.clear())
    await this.#probing
  }

  #state(): WriterStatus['state'] {
    if (this.#phase !== 'open') return this.#phase
    return this.#breaker.isOpen ? 'down' : 'up'
  }

  /** When the oldest group came that nobody has answered. */
  #oldestAt(): number | undefined {
    let oldest = this.#queue.oldestAt
    for (const { queuedAt } of this.#slots.groups()) {
      if (oldest === undefined || queuedAt < oldest) oldest = queuedAt
    }
    return oldest
  }

  /** One flush for all groups that this turn of the event loop brings, not one for its first. */
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
    for (;;) {
      const slot = this.#slots.next(this.#queue.events)
      const batch = slot === undefined ? [] : this.#queue.take((id) => this.#slots.isHeld(id))
      if (slot === undefined || batch.length === 0) break
      this.#slots.start(slot, batch)
      void this.#run(slot, batch)
    }
    if (this.#queue.events > 0) this.#pumpLater()
    else if (this.#slots.isIdle) this.#onIdle()
  }

  /** Once the flush under way is slow, what waits takes another slot. */
  #pumpLater(): void {
    if (this.#isWatched) return
    this.#isWatched = true
    this.#deps.clock.after(SLOW_FLUSH_MS, () => {
      this.#isWatched = false
      this.#pump()
    })
  }

  /** Flushes a batch and answers its groups. Never rejects. */
  async #run(slot: number, batch: readonly QueuedGroup[]): Promise<void> {
    const tally = new FlushTally(batch)
    let failure: unknown
    try {
      await flushGroups(this.#deps, batch, tally, {
        slot,
        rowsMax: this.#batchEventsMax,
        isWanted: () => !this.#slots.isAbandoned(slot),
        onAnswered: () => {
          this.#answeredAt = this.#deps.clock.monotonic()
        },
        onCommitted: (counts) => this.#count(counts),
      })
      await this.#deps.failpoints?.reach('after-insert-before-ack')
      if (!this.#slots.isAbandoned(slot)) this.#lastError = ''
    } catch (error) {
      failure = error
      this.#failed(error, slot, batch)
    }
    await tellPersonsChanged(this.#deps, tally.changed)
    for (const [index, entry] of batch.entries()) {
      // Those of an abandoned flush have their answer, and keep it.
      entry.answer(failure === undefined ? tally.outcome(index) : this.#unavailable(failure))
    }
    this.#slots.end(slot)
    this.#pump()
  }

  #failed(error: unknown, slot: number, batch: readonly QueuedGroup[]): void {
    const { log } = this.#deps
    const isAbandoned = this.#slots.isAbandoned(slot)
    if (error instanceof StoreError && error.kind === 'unreachable' && !isAbandoned) {
      this.#goDown(error)
      return
    }
    // Part of it may have been written, or all.
    this.#personsUnknown(batch)
    if (isAbandoned) return // What is known of the store by now is newer.
    this.#lastError = error instanceof StoreError ? `${error.kind} ${error.code}`.trim() : 'fault'
    if (error instanceof StoreError && error.kind === 'conflict') {
      log.warn('flush lost against concurrent ones', { error })
    } else log.error('flush failed', { error })
  }

  /** Something has waited for too long: the store is away, or only behind. */
  #overdue(): void {
    const now = this.#deps.clock.monotonic()
    if (now - this.#answeredAt < STORE_QUIET_MS) {
      this.#answer(this.#queue.takeOlder(now - WRITER_WAIT_MAX_MS), BEHIND)
      return
    }
    this.#goDown(new StoreError('unreachable', 'SLOW', `no answer in ${WRITER_WAIT_MAX_MS} ms`))
  }

  /** Answers everything at once; who asked may have a spill. */
  #goDown(cause: StoreError): void {
    const { clock, log, random, store } = this.#deps
    const isNews = this.#breaker.open(cause, clock.monotonic())
    this.#lastError = `${cause.kind} ${cause.code}`.trim()
    const abandoned = this.#slots.abandon()
    this.#personsUnknown(abandoned)
    this.#answer([...abandoned, ...this.#queue.clear()], cause)
    if (!isNews) return
    log.warn('store unreachable, refusing events', { error: cause })
    const { signal } = this.#stopped
    const options = { intervalMs: STORE_PROBE_MS, ping: () => store.ping() }
    this.#probing = probe({ clock, random }, this.#breaker, options, signal).then(() => {
      if (this.#breaker.isOpen) return
      this.#lastError = ''
      log.info('store answers again')
    })
  }

  /** Before the groups are answered: nobody knows whether they have changed persons. */
  #personsUnknown(groups: readonly QueuedGroup[]): void {
    if (groups.some(({ ordered }) => ordered)) this.#deps.onPersonsUnknown()
  }

  #answer(groups: readonly QueuedGroup[], cause?: unknown): void {
    for (const entry of groups) entry.answer(this.#unavailable(cause))
  }

  #unavailable(cause?: unknown): WriterOutcome {
    const known = cause ?? (this.#breaker.isOpen ? this.#breaker.cause : this.#phase)
    return { kind: 'unavailable', retryAfterS: RETRY_AFTER_S, cause: known }
  }

  #count({ stored, duplicates, deadLetters }: FlushCounts): void {
    this.#counts.stored += stored
    this.#counts.duplicates += duplicates
    this.#counts.deadLetters += deadLetters
    this.#deps.onCommitted({ stored, duplicates, deadLetters })
  }
}

const OVERLOADED: WriterOutcome = { kind: 'overloaded', retryAfterS: RETRY_AFTER_S }
const BEHIND = new StoreError('unreachable', 'BEHIND', 'the store takes less than what comes')
