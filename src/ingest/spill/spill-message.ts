import { checkedGroup, decodeIngestBatch } from '../../events/batch-decoder.ts'
import { encodeIngestBatch } from '../../events/batch-encoder.ts'
import type { IngestGroup } from '../../project/ports.ts'
import type { SpillPiece } from './spill-queue.ts'

/**
 * A message of the spill is an `IngestBatchRequest`, as gateways send it: one format and one reader,
 * which later releases must keep able to read what earlier ones have left.
 */
export function encodeSpillMessage(id: string, pieces: readonly SpillPiece[]): Uint8Array {
  return encodeIngestBatch(
    id,
    pieces.map(({ projectId, events }) => ({ projectId, content: { kind: 'events', events } })),
  )
}

/** @throws {Error} when the bytes are no such message. */
export function decodeSpillMessage(bytes: Uint8Array): readonly IngestGroup[] {
  return decodeIngestBatch(bytes).groups.map(checkedGroup)
}
