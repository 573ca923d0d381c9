/** Port of a worker to its writer; `writer.ts` implements it. */

import type { EventBatch, IngestOutcome } from '../events/event-batch.ts'
import type { BreakerStatus } from './breaker.ts'

/** See `WriterStatus` in `admin.proto`. Counts are since the start. */
export type WriterStatus = {
  readonly state: 'up' | 'down' | 'closing' | 'closed'
  readonly queuedEvents: number
  readonly queuedBytes: number
  readonly storedEvents: number
  readonly duplicateEvents: number
  readonly deadLetterEvents: number
  readonly oldestWaitMs: number
  readonly lastError: string
  /** Open: the store is taken to be away. */
  readonly breaker: BreakerStatus
}

/** Outcome of a batch at the store. */
export type WriterOutcome = Exclude<IngestOutcome, { kind: 'spilled' }>

/** An `EventSink` that knows of no other place than the store. */
export type IngestWriter = {
  /** Never rejects. */
  submit(batch: EventBatch): Promise<WriterOutcome>
  status(): WriterStatus
  /**
   * Refuses new batches, flushes the queued ones, and answers what is left after `deadlineMs` with
   * `unavailable`. May be called twice. Never rejects.
   */
  close(deadlineMs: number): Promise<void>
}
