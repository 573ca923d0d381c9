import { messageType } from '../core/proto.ts'
import type { IngestGroup } from '../project/ports.ts'
import { encodeIngestBatch } from './group-encoder.ts'
import type { SpillPiece } from './spill-queue.ts'
import { toGroup, type WireBatch } from './wire-group.ts'

/**
 * A message of the spill is an `IngestBatchRequest`, as gateways send it: one format and one reader,
 * which later releases must keep able to read what earlier ones have left.
 */
const TYPE = 'sluice.v1.IngestBatchRequest'
const DECODED = { longs: Number, enums: String, defaults: true, oneofs: false } as const

export function encodeSpillMessage(id: string, pieces: readonly SpillPiece[]): Uint8Array {
  return encodeIngestBatch(
    id,
    pieces.map(({ projectId, events }) => ({ projectId, content: { kind: 'events', events } })),
  )
}

/** @throws {Error} when the bytes are no such message. */
export function decodeSpillMessage(bytes: Uint8Array): readonly IngestGroup[] {
  const type = messageType(TYPE)
  const decoded: object = type.toObject(type.decode(bytes), DECODED)
  const { groups } = decoded as WireBatch // Decoded as that, defaults filled in.
  return groups.map(toGroup)
}
