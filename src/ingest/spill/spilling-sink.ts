/** The sink of a worker: the writer, and the spill for events that the database does not take. */

import type { MessageLog } from '../../core/message-log.ts'
import type { EventBatch, EventSink, IngestOutcome } from '../../events/event-batch.ts'
import { StoreError } from '../store-port.ts'
import type { IngestWriter } from '../writer-port.ts'
import { Spill, type SpillBounds, type SpillDeps, type SpillStatus } from './spill.ts'

export type SpillingSinkDeps = Omit<SpillDeps, 'messages'> & {
  readonly writer: Pick<IngestWriter, 'submit' | 'status'>
  /** Undefined without a spill: then the writer's outcome is final. */
  readonly messages: MessageLog | undefined
  /** Called once for each batch, as it is answered. */
  readonly onOutcome?: ((outcome: IngestOutcome['kind'], events: number) => void) | undefined
}

export type SpillingSink = EventSink & {
  /** Undefined without a message log. */
  spill(): SpillStatus | undefined
  /** After the writer is closed, before the log is. Never rejects. */
  close(): Promise<void>
}

/**
 * The writer with a second place: events that the store does not take because it is away, slow or
 * behind are kept in the message log, and acknowledged once they are durable there. The writer does
 * not know of it. A batch may end up in both places, which the uuids of its events make harmless.
 */
export function createSpillingSink(
  {
    writer,
    messages,
    clock,
    log,
    random,
    newId,
    onSpilled,
    failpoints,
    onOutcome,
  }: SpillingSinkDeps,
  bounds: SpillBounds,
): SpillingSink {
  const spill =
    messages && new Spill({ messages, clock, log, random, newId, onSpilled, failpoints }, bounds)
  const withSpill = async (batch: EventBatch, to: Spill): Promise<IngestOutcome> => {
    const outcome = await writer.submit(batch)
    if (outcome.kind === 'stored') to.storeAnswers()
    if (outcome.kind !== 'unavailable') return outcome
    const isAway = writer.status().breaker.kind === 'open'
    return isAway || !isDefect(outcome.cause) ? to.add(batch, outcome.cause) : outcome
  }
  return {
    // Every batch passes here: `then` makes less than a function that waits.
    submit(batch) {
      const answering = spill === undefined ? writer.submit(batch) : withSpill(batch, spill)
      return answering.then((outcome: IngestOutcome) => {
        onOutcome?.(outcome.kind, batch.events.length)
        return outcome
      })
    },
    spill: () => spill?.status(),
    close: async () => await spill?.close(),
  }
}

/**
 * Events that hit a defect of ours would return from the spill and hit it again, together with
 * events of others: so their clients get the error, as without a spill.
 */
function isDefect(cause: unknown): boolean {
  return cause instanceof StoreError ? cause.kind === 'fault' : cause instanceof Error
}
