import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { EncodedGroup } from './ingest-codec.ts'

/** One worker as a gateway calls it: over a socket, or within the process. */
export type WorkerLink = {
  /**
   * Calls `/package.Service/Method`. Requests on the hot paths are complete messages; others may
   * leave fields out.
   * @throws {AppError} with the worker's code and detail; `unavailable` or `deadline_exceeded` when
   * it did not answer, and then the call may have had its effect.
   */
  call(method: string, request: object, options: CallOptions): Promise<object>
  /** The same for `IngestService/IngestBatch`, whose groups may be encoded already. */
  ingestBatch(
    batchId: string,
    groups: readonly EncodedGroup[],
    options: CallOptions,
  ): Promise<IngestBatchResponse__Output>
  close(): void
}

export type CallOptions = {
  readonly metadata: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}
