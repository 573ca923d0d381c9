/** The bytes of a message of the spill. */

import { projectId } from '../../core/ids.ts'
import { decodeIngestRequest } from '../../events/batch-decoder.ts'
import { encodeIngestRequest } from '../../events/batch-encoder.ts'
import type { EventBatch } from '../../events/event-batch.ts'
import type { SpillPiece } from './spill-queue.ts'

/**
 * A message of the spill is an `IngestBatchRequest`, as gateways send it: one format and one reader,
 * which later releases must keep able to read what earlier ones have left.
 */
export function encodeSpillMessage(id: string, pieces: readonly SpillPiece[]): Uint8Array {
  return encodeIngestRequest(
    id,
    pieces.map(({ projectId, events }) => ({ projectId, content: { kind: 'events', events } })),
  )
}

/** @throws {Error} when the bytes are no such message. */
export function decodeSpillMessage(bytes: Uint8Array): readonly EventBatch[] {
  return decodeIngestRequest(bytes).batches.map(({ projectId: id, events, bytes }) => ({
    projectId: projectId(id),
    events,
    bytes,
  }))
}
