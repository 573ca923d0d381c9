/**
 * Events that the store does not take, on their way into the message log. One message at a time:
 * the next one grows while the log is busy, and batches keep their order. A batch is answered once
 * every message with a part of it is durable.
 *
 *   answering -> (no answer to a message, twice) -> silent -> (a probe is answered) -> answering
 *
 * `silent`: batches are refused at once; so they are while the log is not connected.
 */
import { afterIo, type Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Failpoints } from '../../core/failpoint.ts'
import type { Log } from '../../core/log.ts'
import { Outages, type OutageWords } from '../../core/logging/outages.ts'
import type { MessageLog } from '../../core/message-log.ts'
import type { EventBatch, IngestOutcome } from '../../events/event-batch.ts'
import { Breaker, type BreakerStatus } from '../breaker.ts'
import { probe } from '../probe.ts'
import { encodeSpillMessage, fitted } from './spill-message.ts'
import { isTooLarge, type SpillEntry, type SpillMessage, SpillQueue } from './spill-queue.ts'

/** Largest event before compression, as a multiple of the largest message of the log. */
export const SPILL_COMPRESSION_MAX = 4
/** Interval of asking a silent spill for its status, until it answers. */
export const SPILL_PROBE_MS = 1_000
/** Seconds after which a client may try again while neither store takes events: from, to. */
const SPILL_RETRY_AFTER_MIN_S = 2
const SPILL_RETRY_AFTER_MAX_S = 10

export type SpillDeps = {
  readonly messages: MessageLog
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for jitter. */
  random(): number
  /** Names a message: unique over all workers and restarts. */
  newId(): string
  readonly onSpilled?: ((events: number) => void) | undefined
  /** For tests of failures. */
  readonly failpoints?: Failpoints | undefined
}

export type SpillBounds = {
  /** One message, unless a single event is larger. */
  readonly messageBytesMax: number
  /** Bytes of batches not answered yet; one is taken whatever its size. */
  readonly inflightBytesMax: number
}

export type SpillStatus = {
  /** Since the start. */
  readonly spilledEvents: number
  readonly inflightBytes: number
  /** The last message was refused because the log was full, and the store has taken none since. */
  readonly isFull: boolean
  /** Open: the log is taken to be away. */
  readonly breaker: BreakerStatus
}

const SILENT: OutageWords = {
  level: 'warn',
  away: 'spill does not answer',
  back: 'spill answers again',
}
const FULL: OutageWords = {
  level: 'error',
  away: 'spill is full, refusing events',
  back: 'spill takes events again',
}

const OVERLOADED: IngestOutcome = { kind: 'overloaded', retryAfterS: SPILL_RETRY_AFTER_MIN_S }
const SPILLED: IngestOutcome = { kind: 'spilled' }

export class Spill {
  readonly #deps: SpillDeps
  readonly #bounds: SpillBounds
  readonly #queue = new SpillQueue()
  readonly #breaker: Breaker
  readonly #silent: Outages
  readonly #full: Outages
  readonly #closed = new AbortController()
  #running: Promise<void> | undefined
  #probing: Promise<void> = Promise.resolve()
  #spilledEvents = 0
  #isFull = false

  constructor(deps: SpillDeps, bounds: SpillBounds) {
    this.#deps = deps
    this.#bounds = bounds
    this.#silent = new Outages(deps, SILENT)
    this.#full = new Outages(deps, FULL)
    this.#breaker = new Breaker(1, deps.clock.monotonic())
  }

  /** @param cause why the store did not take it. Never rejects. */
  add(batch: EventBatch, cause: unknown): Promise<IngestOutcome> {
    const { messages } = this.#deps
    if (batch.events.length === 0) return Promise.resolve(SPILLED)
    if (this.#closed.signal.aborted || this.#breaker.isOpen || !messages.connected()) {
      return Promise.resolve(this.#unavailable(cause))
    }
    const { bytes } = this.#queue
    if (bytes > 0 && bytes + batch.bytes > this.#bounds.inflightBytesMax) {
      return Promise.resolve(OVERLOADED)
    }
    // Checked before any of the batch is kept: its client will send all of it again.
    const bytesMax = SPILL_COMPRESSION_MAX * messages.messageBytesMax()
    if (batch.events.some((event) => isTooLarge(event, bytesMax))) {
      return Promise.resolve(this.#unavailable(cause))
    }
    return new Promise((answer) => {
      this.#queue.add({ batch, answer })
      this.#running ??= this.#run()
    })
  }

  /** The store takes events again, so the log may have room again. */
  storeAnswers(): void {
    this.#setFull(false)
  }

  status(): SpillStatus {
    return {
      spilledEvents: this.#spilledEvents,
      inflightBytes: this.#queue.bytes,
      isFull: this.#isFull,
      breaker: this.#breaker.status(this.#deps.clock.monotonic()),
    }
  }

  /** Refuses new batches; resolves once those on their way are answered. Never rejects. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#running
    await this.#probing
  }

  async #run(): Promise<void> {
    // All batches of this event-loop tick share one message.
    await new Promise<void>((resolve) => afterIo(resolve))
    while (!this.#queue.isEmpty) {
      const message = this.#queue.take(this.#bounds.messageBytesMax)
      try {
        await this.#keep(message)
        for (const entry of message.complete) this.#answer(entry, SPILLED)
      } catch (error) {
        this.#failed(message, error)
      }
    }
    this.#running = undefined
  }

  async #keep({ pieces, events }: SpillMessage): Promise<void> {
    const { messages, newId, failpoints, onSpilled } = this.#deps
    const id = newId()
    const bytesMax = messages.messageBytesMax()
    const bytes = await fitted(encodeSpillMessage(id, pieces), bytesMax)
    if (bytes.length > bytesMax) throw tooLarge(bytes.length)
    try {
      await messages.put(id, bytes)
    } catch (error) {
      if (!isUnknown(error) || !messages.connected()) throw error
      await messages.put(id, bytes) // The same id: it is kept once, whatever became of the first.
    }
    await failpoints?.reach('after-spill-ack')
    this.#spilledEvents += events
    onSpilled?.(events)
    this.#setFull(false)
  }

  #failed(message: SpillMessage, error: unknown): void {
    const { log } = this.#deps
    if (isFull(error)) this.#setFull(true, error)
    else if (isUnknown(error)) this.#goSilent(error)
    else log.error('events could not be spilled', { error })
    for (const entry of message.entries) this.#answer(entry, this.#unavailable(error))
    if (!this.#breaker.isOpen) return
    for (const entry of this.#queue.clear()) entry.answer(this.#unavailable(error))
  }

  #answer(entry: SpillEntry, outcome: IngestOutcome): void {
    this.#queue.drop(entry)
    entry.answer(outcome)
  }

  #goSilent(error: unknown): void {
    const { clock, messages, random } = this.#deps
    if (!this.#breaker.open(error, clock.monotonic())) return
    this.#silent.away({ error })
    const options = { intervalMs: SPILL_PROBE_MS, ping: () => messages.status() }
    const { signal } = this.#closed
    this.#probing = probe({ clock, random }, this.#breaker, options, signal).then(() => {
      if (!this.#breaker.isOpen) this.#silent.back()
    })
  }

  #setFull(isFull: boolean, error?: unknown): void {
    this.#isFull = isFull
    if (isFull) this.#full.away({ error })
    else this.#full.back()
  }

  /** Neither store takes events: clients are spread over some seconds. */
  #unavailable(cause: unknown): IngestOutcome {
    const span = SPILL_RETRY_AFTER_MAX_S - SPILL_RETRY_AFTER_MIN_S
    const retryAfterS = SPILL_RETRY_AFTER_MIN_S + Math.round(this.#deps.random() * span)
    return {
      kind: 'unavailable',
      retryAfterS,
      cause,
      ...(this.#isFull ? { isSpillFull: true } : {}),
    }
  }
}

function tooLarge(bytes: number): AppError {
  return new AppError('invalid_argument', `an event of ${bytes} compressed bytes cannot be spilled`)
}

function isFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'resource_exhausted'
}

/** It may have been kept. */
function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}
