import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { Caller, CallOptions } from '../../src/wire/caller.ts'
import type { EncodedBatch } from './ingest-codec.ts'

export type { CallOptions } from '../../src/wire/caller.ts'

export type IngestOptions = CallOptions & {
  /** Its bytes take another connection than those of small calls, which would wait behind them. */
  readonly apart?: boolean
}

/**
 * Calls of a gateway to one worker, over a socket or within the process. Requests on the hot paths
 * are complete messages. Others may leave fields out.
 */
export type WorkerLink = Caller & {
  /**
   * As `call`, for the methods of `STREAMED_METHODS`. These share a stream, so they have no signal
   * and no metadata but the token.
   */
  microBatch: Caller['call']
  /** As `WorkerStreams.stream`. */
  stream(
    path: string,
    request: object,
    options: CallOptions & { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<object>>
  /** `IngestService/IngestBatch`, whose batches may be encoded already. */
  ingestBatch(
    batchId: string,
    batches: readonly EncodedBatch[],
    options: IngestOptions,
  ): Promise<IngestBatchResponse__Output>
}
