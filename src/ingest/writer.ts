/**
 * The ingest writer of one worker: group commit across projects.
 *
 *   up -> (a flush found the store unreachable) -> down -> (a probe was answered) -> up
 *   up, down -> (close) -> closing -> (nothing is left) -> closed
 *
 * `up`: groups queue, and a flush starts whenever `Slots` has a slot for it and takes what has come
 * in. `down`: every group is refused at once and the store is probed. `closing`: new groups are
 * refused, the queued ones are flushed. A group is answered after its COMMIT and after the caches
 * have been told of the persons it changed, never before.
 */
import { afterIo, type Clock } from '../core/clock.ts'
import { FLUSH_DEADLINE_MS, SLOW_FLUSH_MS, STORE_PROBE_MS } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { EventSink, IngestGroup, IngestOutcome, PersonsChanged } from '../project/ports.ts'
import { type BisectSteps, bisect } from './bisect.ts'
import { type IngestStore, StoreError } from './ingest-store.ts'
import { isOrdered } from './ordering.ts'
import { IngestQueue, type QueueBounds, type QueuedGroup } from './queue.ts'
import { retryStore } from './retry-store.ts'
import { Slots } from './slots.ts'
import { FlushTally, type TalliedRow } from './tally.ts'
import { tellPersonsChanged } from './tell-persons-changed.ts'

export type FlushCounts = {
  readonly stored: number
  readonly duplicates: number
  readonly deadLetters: number
}

export type WriterDeps = {
  readonly store: IngestStore
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for jitter. */
  random(): number
  /** Awaited after COMMIT and before the answer, for at most `PERSONS_CHANGED_MS`. */
  onPersonsChanged(changes: readonly PersonsChanged[]): Promise<void>
  onCommitted(counts: FlushCounts): void
}

export type WriterOptions = QueueBounds & {
  readonly slots: number
  /** Events waiting for which another slot joins a flush under way. */
  readonly joinEventsMin: number
}

/** As `WriterStatus` in `admin.proto`. Counts are since the start. */
export type WriterStatus = {
  readonly state: WriterState['kind']
  readonly queuedEvents: number
  readonly queuedBytes: number
  readonly storedEvents: number
  readonly duplicateEvents: number
  readonly deadLetterEvents: number
  readonly oldestWaitMs: number
  readonly lastError: string
}

type WriterState =
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly cause: unknown }
  | { readonly kind: 'closing' }
  | { readonly kind: 'closed' }

export type IngestWriter = EventSink & {
  status(): WriterStatus
  /**
   * Refuses new groups, flushes the queued ones, and answers what is left after `deadlineMs` with
   * `unavailable`. May be called twice. Never rejects.
   */
  close(deadlineMs: number): Promise<void>
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
  readonly #stopped = new AbortController()
  #state: WriterState = { kind: 'up' }
  #pumpDue = false
  #isWatched = false
  #probing: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  #onIdle: () => void = () => {}
  #counts = { stored: 0, duplicates: 0, deadLetters: 0 }
  #lastError = ''

  constructor(deps: WriterDeps, options: WriterOptions) {
    this.#deps = deps
    this.#queue = new IngestQueue(options)
    this.#batchEventsMax = options.batchEventsMax
    this.#slots = new Slots(deps.clock, options)
  }

  submit(group: IngestGroup): Promise<IngestOutcome> {
    if (this.#state.kind !== 'up') return Promise.resolve(this.#unavailable())
    if (group.events.length === 0) {
      return Promise.resolve({ kind: 'stored', stored: 0, duplicates: 0, deadLetters: 0 })
    }
    return new Promise((answer) => {
      const queuedAt = this.#deps.clock.monotonic()
      const ordered = group.events.some(isOrdered)
      const shed = this.#queue.add({ group, ordered, queuedAt, answer })
      for (const entry of shed ?? []) entry.answer(OVERLOADED)
      if (shed === undefined) answer(OVERLOADED)
      else this.#pumpSoon()
    })
  }

  status(): WriterStatus {
    const { stored, duplicates, deadLetters } = this.#counts
    let oldest = this.#queue.oldestAt
    for (const { queuedAt } of this.#slots.groups()) {
      if (oldest === undefined || queuedAt < oldest) oldest = queuedAt
    }
    return {
      state: this.#state.kind,
      queuedEvents: this.#queue.events,
      queuedBytes: this.#queue.bytes,
      storedEvents: stored,
      duplicateEvents: duplicates,
      deadLetterEvents: deadLetters,
      oldestWaitMs: oldest === undefined ? 0 : this.#deps.clock.monotonic() - oldest,
      lastError: this.#lastError,
    }
  }

  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs)
    return this.#closing
  }

  async #close(deadlineMs: number): Promise<void> {
    this.#state = { kind: 'closing' }
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
    this.#state = { kind: 'closed' }
    this.#stopped.abort()
    this.#refuseQueued()
    await this.#probing
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
    if (this.#state.kind !== 'up' && this.#state.kind !== 'closing') return
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
      await this.#flush(slot, batch, tally)
      this.#lastError = ''
    } catch (error) {
      failure = error
      this.#failed(error)
    }
    await tellPersonsChanged(this.#deps, tally.changed)
    for (const [index, entry] of batch.entries()) {
      entry.answer(failure === undefined ? tally.outcome(index) : this.#unavailable(failure))
    }
    this.#slots.end(slot)
    this.#pump()
  }

  async #flush(slot: number, batch: readonly QueuedGroup[], tally: FlushTally): Promise<void> {
    const { store, log, onCommitted } = this.#deps
    const oldest = Math.min(...batch.map((entry) => entry.queuedAt))
    const deadline = oldest + FLUSH_DEADLINE_MS
    const steps: BisectSteps<TalliedRow> = {
      flush: async (rows) => {
        const result = await retryStore(this.#deps, deadline, () => store.flush(slot, rows))
        const counts = tally.add(rows, result)
        this.#count(counts)
        onCommitted(counts)
      },
      giveUp: async (row, error) => {
        if (!(error instanceof StoreError)) throw error
        await retryStore(this.#deps, deadline, () => store.deadLetter(slot, row, error))
        const counts = tally.addDeadLetter(row)
        this.#count(counts)
        onCommitted(counts)
        // The message may quote the event.
        log.warn('event refused by the store, kept as dead letter', {
          project: row.projectId,
          uuid: row.event.uuid,
          sqlstate: error.code,
        })
      },
      isRowAtFault: (error) => error instanceof StoreError && error.kind === 'data',
    }
    // Only a single large group has more rows: one statement for all might outlast its attempt.
    for (let from = 0; from < tally.rows.length; from += this.#batchEventsMax) {
      await bisect(tally.rows.slice(from, from + this.#batchEventsMax), steps)
    }
  }

  #failed(error: unknown): void {
    const { log } = this.#deps
    this.#lastError = error instanceof StoreError ? `${error.kind} ${error.code}`.trim() : 'fault'
    if (error instanceof StoreError && error.kind === 'unreachable') this.#goDown(error)
    else if (error instanceof StoreError && error.kind === 'conflict') {
      log.warn('flush lost against concurrent ones', { error })
    } else log.error('flush failed', { error })
  }

  /** What a spill will take over: the groups in flight and in the queue, answered here. */
  #goDown(cause: StoreError): void {
    this.#refuseQueued(cause)
    if (this.#state.kind !== 'up') return
    this.#deps.log.warn('store unreachable, refusing events', { error: cause })
    this.#state = { kind: 'down', cause }
    this.#probing = this.#probe()
  }

  /** Asks the store until it answers. Never rejects. */
  async #probe(): Promise<void> {
    const { clock, log, random, store } = this.#deps
    const { signal } = this.#stopped
    while (this.#state.kind === 'down') {
      try {
        await clock.sleep(STORE_PROBE_MS * (1 + random()), signal)
        await store.ping()
        if (this.#state.kind !== 'down') return
        this.#state = { kind: 'up' }
        this.#lastError = ''
        log.info('store answers again')
      } catch (error) {
        // Expected until it is back: the transition was logged.
        if (this.#state.kind === 'down') this.#state = { kind: 'down', cause: error }
      }
    }
  }

  #refuseQueued(cause?: unknown): void {
    for (const entry of this.#queue.clear()) entry.answer(this.#unavailable(cause))
  }

  #unavailable(cause?: unknown): IngestOutcome {
    const known = cause ?? (this.#state.kind === 'down' ? this.#state.cause : this.#state.kind)
    return { kind: 'unavailable', retryAfterS: RETRY_AFTER_S, cause: known }
  }

  #count({ stored, duplicates, deadLetters }: FlushCounts): void {
    this.#counts.stored += stored
    this.#counts.duplicates += duplicates
    this.#counts.deadLetters += deadLetters
  }
}

const OVERLOADED: IngestOutcome = { kind: 'overloaded', retryAfterS: RETRY_AFTER_S }
