/**
 * The spill drainer: takes messages from the log, hands their batches to the writer, and
 * acknowledges a message once each of its batches is stored, known already, a dead letter, deleted
 * since, or of a removed project. An unacknowledged message is delivered again, here or at another
 * worker; uuids make the second write harmless. Uses the writer without the spill, so it never
 * feeds the spill.
 */

import { setMaxListeners } from 'node:events'
import { backoffMs, halfJitter } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Failpoints } from '../../core/failpoint.ts'
import {
  SPILL_ACK_WAIT_MS,
  SPILL_CLOCK_SKEW_MS,
  SPILL_MESSAGE_BYTES_MAX,
} from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import type { LoggedMessage, MessageLog } from '../../core/message-log.ts'
import type { EventBatch } from '../../events/event-batch.ts'
import type { WarningReason } from '../../events/warnings/warning-reasons.ts'
import { BEHIND, SLOW } from '../outcomes.ts'
import type { IngestWriter, WriterOutcome } from '../writer-port.ts'
import { decodeSpillMessage } from './spill-message.ts'

/** Longest wait of a drainer for a message before it looks around. */
export const DRAIN_WAIT_MS = 1_000
/** Open requests of one drainer for a message; it may exceed `DRAIN_BYTES_MAX` by as many. */
const DRAIN_PULLS_MAX = 16
/** Pause while the writer is away or has enough to do, plus a tenth of jitter. */
export const DRAIN_PAUSE_MS = 100
/** Pause after a failure of the log, plus a tenth of jitter. */
export const DRAIN_AWAY_MS = 500
/** The writer is left alone while something in it has waited for this long. */
export const DRAIN_WRITER_WAIT_MAX_MS = 500
/** First and longest delay of a message that could not be stored; doubles with each delivery. */
export const DRAIN_RETRY_MS = 1_000
export const DRAIN_RETRY_MAX_MS = 60_000
/** Pause before a message that this release cannot read is delivered again. */
export const DRAIN_UNREADABLE_MS = 600_000
assert(DRAIN_RETRY_MAX_MS < DRAIN_UNREADABLE_MS, 'what cannot be read is tried less often')

export type DrainerDeps = {
  readonly messages: MessageLog
  readonly writer: Pick<IngestWriter, 'submit' | 'status'>
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for jitter. */
  random(): number
  onDrained?(events: number): void
  /** Events that are not stored, and need not be delivered again. */
  readonly onLost?: ((projectId: number, reason: WarningReason, events: number) => void) | undefined
  /** A message that cannot be read has arrived. */
  onUnreadable?(): void
  /** For tests of failures. */
  readonly failpoints?: Failpoints | undefined
}

export type DrainerBounds = {
  /** Bytes of messages under way; two full ones must fit. */
  readonly bytesMax: number
  readonly messagesMax: number
  /** Bytes that the writer may queue: it is left alone while half of that wait. */
  readonly writerBytesMax: number
}

export type DrainerStatus = {
  /** Since the start. */
  readonly drainedEvents: number
  /** Events among them that the store already had. */
  readonly repeatedEvents: number
  /** Deliveries that were not the first of their message. */
  readonly redeliveredMessages: number
  readonly unreadableMessages: number
  readonly inflightMessages: number
}

export type Drainer = {
  /** Drains until the signal aborts; resolves once nothing is under way. Never rejects. */
  run(signal: AbortSignal): Promise<void>
  status(): DrainerStatus
}

export function createDrainer(deps: DrainerDeps, bounds: DrainerBounds): Drainer {
  return new SpillDrainer(deps, bounds)
}

class SpillDrainer implements Drainer {
  readonly #deps: DrainerDeps
  readonly #bounds: DrainerBounds
  readonly #inflight = new Set<Promise<void>>()
  /** Requests for a message that are not answered yet. */
  readonly #pulls = new Set<Promise<void>>()
  /** Doubles with each message, and drops to one when there is none. */
  #pullsWanted = 1
  #lastBytes = 0
  #inflightBytes = 0
  #drainedEvents = 0
  #repeatedEvents = 0
  #redeliveredMessages = 0
  #unreadableMessages = 0
  #isAway = false

  constructor(deps: DrainerDeps, bounds: DrainerBounds) {
    this.#deps = deps
    this.#bounds = bounds
  }

  status(): DrainerStatus {
    return {
      drainedEvents: this.#drainedEvents,
      repeatedEvents: this.#repeatedEvents,
      redeliveredMessages: this.#redeliveredMessages,
      unreadableMessages: this.#unreadableMessages,
      inflightMessages: this.#inflight.size,
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    // Each request for a message listens to it, and a pause.
    setMaxListeners(2 * DRAIN_PULLS_MAX, signal)
    while (!signal.aborted) {
      if (this.#isFull()) await Promise.race(this.#inflight)
      else if (this.#isWriterBusy()) await this.#pause(DRAIN_PAUSE_MS, signal)
      else {
        while (this.#pulls.size < this.#pullsMax()) this.#pull(signal)
        await Promise.race(this.#pulls)
      }
    }
    await Promise.all(this.#pulls)
    await Promise.all(this.#inflight)
  }

  /** Several at a time, since each is a round trip: as many as the free room can hold. */
  #pullsMax(): number {
    const { bytesMax, messagesMax } = this.#bounds
    const places = messagesMax - this.#inflight.size
    const fitting = Math.floor((bytesMax - this.#inflightBytes) / Math.max(this.#lastBytes, 1))
    return Math.max(1, Math.min(this.#pullsWanted, DRAIN_PULLS_MAX, places, fitting))
  }

  /** `#takeNext` never rejects. */
  #pull(signal: AbortSignal): void {
    const pull = this.#takeNext(signal).finally(() => this.#pulls.delete(pull))
    this.#pulls.add(pull)
  }

  #isFull(): boolean {
    const { bytesMax, messagesMax } = this.#bounds
    const isHeavy = this.#inflightBytes + SPILL_MESSAGE_BYTES_MAX > bytesMax
    return this.#inflight.size > 0 && (isHeavy || this.#inflight.size >= messagesMax)
  }

  #isWriterBusy(): boolean {
    const { state, queuedBytes, oldestWaitMs } = this.#deps.writer.status()
    const isLate = oldestWaitMs > DRAIN_WRITER_WAIT_MAX_MS
    return state !== 'up' || isLate || 2 * queuedBytes > this.#bounds.writerBytesMax
  }

  #isWriterUp(): boolean {
    return this.#deps.writer.status().state === 'up'
  }

  async #takeNext(signal: AbortSignal): Promise<void> {
    const { log, messages } = this.#deps
    try {
      const message = await messages.next(DRAIN_WAIT_MS, signal)
      this.#isAway = false
      this.#pullsWanted = message === undefined ? 1 : 2 * Math.max(this.#pulls.size, 1)
      if (message !== undefined) this.#start(message, signal)
    } catch (error) {
      if (signal.aborted) return
      this.#pullsWanted = 1
      if (!this.#isAway) log.warn('spill cannot be drained', { error })
      this.#isAway = true
      await this.#pause(DRAIN_AWAY_MS, signal)
    }
  }

  #start(message: LoggedMessage, signal: AbortSignal): void {
    const { length } = message.bytes
    this.#lastBytes = length
    this.#inflightBytes += length
    const working = this.#replay(message, signal).finally(() => {
      this.#inflightBytes -= length
      this.#inflight.delete(working)
    })
    this.#inflight.add(working)
  }

  /** Never rejects. */
  async #replay(message: LoggedMessage, signal: AbortSignal): Promise<void> {
    const { failpoints, log, onDrained } = this.#deps
    const { sequence, deliveries } = message
    if (deliveries > 1) this.#redeliveredMessages += 1
    const stopExtending = this.#extend(message)
    try {
      const batches = this.#read(message)
      if (batches === undefined) return
      const outcomes = await submitBatches(this.#deps.writer, batches, async () => {
        await this.#pause(DRAIN_PAUSE_MS, signal)
        if (signal.aborted || !this.#isWriterUp()) return 'end'
        return this.#isWriterBusy() ? 'wait' : 'go'
      })
      if (!outcomes.every(isFinal)) {
        message.retry(this.#retryMs(deliveries))
        return
      }
      await failpoints?.reach('before-drain-ack')
      await message.ack()
      this.#countOutcomes(batches, outcomes)
      const events = batches.reduce((sum, batch) => sum + batch.events.length, 0)
      this.#drainedEvents += events
      onDrained?.(events)
    } catch (error) {
      // Stored; redelivered after the log has waited for the acknowledgement.
      log.warn('drained message could not be acknowledged', { sequence, error })
    } finally {
      stopExtending()
    }
  }

  /**
   * A message that cannot be read was acknowledged to clients all the same, and may be of a later
   * release: it stays in the log, for that release or for an operator, and is tried seldom.
   */
  #read(message: LoggedMessage): readonly EventBatch[] | undefined {
    const { log, onUnreadable } = this.#deps
    try {
      const ackedAtMs = message.keptAtMs - SPILL_CLOCK_SKEW_MS
      return decodeSpillMessage(message.bytes).map((batch) => ({ ...batch, ackedAtMs }))
    } catch (error) {
      const { sequence, bytes } = message
      log.error('spilled message cannot be read', { sequence, bytes: bytes.length, error })
      this.#unreadableMessages += 1
      onUnreadable?.()
      message.retry(DRAIN_UNREADABLE_MS)
      return undefined
    }
  }

  /** Events that were stored already, and those of projects that are gone. */
  #countOutcomes(batches: readonly EventBatch[], outcomes: readonly WriterOutcome[]): void {
    for (const [index, { projectId, events }] of batches.entries()) {
      const outcome = outcomes[index]
      if (outcome?.kind === 'stored') this.#repeatedEvents += outcome.duplicates
      const isGone = outcome?.kind === 'no_project'
      if (isGone) this.#deps.onLost?.(projectId, 'removed_project', events.length)
    }
  }

  /** Keeps the log from handing the message out again. @returns a function that ends it. */
  #extend(message: LoggedMessage): () => void {
    let cancel: () => void = () => {}
    const again = () => {
      cancel = this.#deps.clock.after(SPILL_ACK_WAIT_MS / 3, () => {
        message.extend()
        again()
      })
    }
    again()
    return () => cancel()
  }

  /**
   * Soon when the writer is down, since nothing is taken meanwhile. Otherwise the message itself
   * may be at fault, and the pause doubles.
   */
  #retryMs(deliveries: number): number {
    const backoff = { firstMs: DRAIN_RETRY_MS, maxMs: DRAIN_RETRY_MAX_MS }
    return halfJitter(backoffMs(backoff, this.#isWriterUp() ? deliveries : 1), this.#deps.random)
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await this.#deps.clock.sleep(ms * (1 + this.#deps.random() / 10), signal).catch(() => {
      // Woken by the abort; the loop ends.
    })
  }
}

/**
 * Submits batches again for which the writer had no time, the others not: with a redelivery by the
 * log, the whole message would repeat, stored batches included.
 * @param look waits a moment, and resolves to whether they may be submitted now.
 * @returns the outcome of each.
 */
async function submitBatches(
  writer: Pick<IngestWriter, 'submit'>,
  batches: readonly EventBatch[],
  look: () => Promise<'go' | 'wait' | 'end'>,
): Promise<readonly WriterOutcome[]> {
  const outcomes = await Promise.all(batches.map((batch) => writer.submit(batch)))
  while (outcomes.some(isBehind)) {
    const next = await look()
    if (next === 'end') break
    if (next === 'wait') continue
    const again = batches.map(async (batch, index) => {
      if (isBehind(outcomes[index])) outcomes[index] = await writer.submit(batch)
    })
    await Promise.all(again)
  }
  return outcomes
}

/** True when nothing is wrong with the batch: it waited in the writer for too long, or found no room. */
function isBehind(outcome: WriterOutcome | undefined): boolean {
  if (outcome?.kind === 'overloaded') return true
  return outcome?.kind === 'unavailable' && (outcome.cause === BEHIND || outcome.cause === SLOW)
}

/** True when the batch need not be delivered again. */
function isFinal(outcome: WriterOutcome): boolean {
  switch (outcome.kind) {
    case 'stored':
    case 'no_project':
      return true
    case 'overloaded':
    case 'unavailable':
      return false
    default:
      return outcome satisfies never
  }
}
