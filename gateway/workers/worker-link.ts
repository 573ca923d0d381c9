import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { Caller, CallOptions } from '../../src/wire/caller.ts'
import type { EncodedGroup } from './ingest-codec.ts'

export type { CallOptions } from '../../src/wire/caller.ts'

/**
 * One worker as a gateway calls it: over a socket, or within the process. Requests on the hot paths
 * are complete messages; others may leave fields out.
 */
export type WorkerLink = Caller & {
  /**
   * As `call`, for the methods of `STREAMED_METHODS`, which share a stream: no signal, and no
   * metadata but the token.
   */
  microBatch: Caller['call']
  /** `IngestService/IngestBatch`, whose groups may be encoded already. */
  ingestBatch(
    batchId: string,
    groups: readonly EncodedGroup[],
    options: CallOptions,
  ): Promise<IngestBatchResponse__Output>
}
