/** The bytes of a message of the spill. */

import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { projectId } from '../../core/ids.ts'
import { GRPC_MESSAGE_BYTES_MAX } from '../../core/limits/limits.ts'
import { decodeIngestRequest } from '../../events/batch-decoder.ts'
import { encodeIngestRequest } from '../../events/batch-encoder.ts'
import type { EventBatch } from '../../events/event-batch.ts'
import type { SpillPiece } from './spill-queue.ts'

/**
 * A message of the spill is an `IngestBatchRequest`, as gateways send it: one format and one
 * reader. Later releases must still read messages of earlier ones.
 */
export function encodeSpillMessage(id: string, pieces: readonly SpillPiece[]): Uint8Array {
  return encodeIngestRequest(
    id,
    pieces.map(({ projectId, events }) => ({ projectId, content: { kind: 'events', events } })),
  )
}

/**
 * The message as it is or, where the log takes no message of its length, in gzip: an event of
 * nearly a megabyte is longer than the megabyte that NATS takes by default, and its text
 * compresses.
 */
export async function fitted(message: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  return message.length <= bytesMax ? message : await compress(message)
}

const compress: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(gzip)

/** True for gzip. No message begins like that: it would be a field of an unknown type. */
function isCompressed(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** @throws {Error} when the bytes are no such message. */
export function decodeSpillMessage(bytes: Uint8Array): readonly EventBatch[] {
  const maxOutputLength = GRPC_MESSAGE_BYTES_MAX
  const message = isCompressed(bytes) ? gunzipSync(bytes, { maxOutputLength }) : bytes
  return decodeIngestRequest(message).batches.map(({ projectId: id, events, bytes }) => ({
    projectId: projectId(id),
    events,
    bytes,
  }))
}
