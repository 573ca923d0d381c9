/**
 * Pads messages of the spill to round sizes. Servers before 2.10.5 compare the body and headers of
 * a message with the space left in a stream, without the record around them. They then drop the
 * oldest messages to make the record fit, even in a stream that is to refuse new ones (nats-server
 * issues 4771 and 4775). When every record and the stream's size are multiples of a unit that is
 * larger than that difference, a message either fits whole or is refused.
 */
import { headers, type MsgHdrs } from 'nats'
import { assert } from '../../src/core/code.ts'

/** Every record is a multiple of this, in bytes. */
const RECORD_UNIT = 256
/** Around subject, headers and body: lengths, sequence, time and checksum. */
const RECORD_FRAME_BYTES = 34
const PADDING = 'Sluice-Padding'

/** @returns the largest size of a stream that whole records fill, at most `bytesMax`. */
export function roundStreamBytes(bytesMax: number): number {
  return bytesMax - (bytesMax % RECORD_UNIT)
}

/** @returns headers with the name of the message, and as much padding as rounds its record up. */
export function spillHeaders(id: string, subject: string, bodyBytes: number): MsgHdrs {
  const named = headers()
  named.set('Nats-Msg-Id', id)
  named.set(PADDING, '-')
  const unseen = RECORD_FRAME_BYTES + Buffer.byteLength(subject)
  assert(unseen <= RECORD_UNIT, 'what the server does not count is less than a unit')
  const size = unseen + Buffer.byteLength(String(named)) + bodyBytes
  const missing = (RECORD_UNIT - (size % RECORD_UNIT)) % RECORD_UNIT
  named.set(PADDING, '-'.repeat(1 + missing))
  return named
}
