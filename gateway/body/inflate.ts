/** Inflates compressed bodies, within a bound. */

import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { INFLATE_START_BYTES } from '../../src/core/limits/limits.ts'
import { ok, type Result } from '../../src/core/result.ts'
import { type DecodeError, INVALID_PAYLOAD, TOO_LARGE } from './decode-error.ts'

/**
 * Growth above which a compressed body is inspected from its start before all of it is inflated.
 * Bodies of real events grow 5 to 30 times.
 */
const INFLATE_SUSPECT_RATIO = 100

/** Smaller than zlib's own 16 KB: most bodies inflate to a few kilobytes. */
const CHUNK_BYTES_MIN = 4_096
const CHUNK_BYTES_MAX = 262_144

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Inflates up to `bytesMax` and stops there: a bomb costs no more memory or time than the greatest
 * body allowed. Blocks its thread; callers bound it by a small `bytesMax`, or are a body thread.
 */
export function inflate(bytes: Buffer, bytesMax: number): Result<Buffer, DecodeError> {
  return inflateBy(gunzipSync, bytes, bytesMax, gzipLength(bytes))
}

/** The shortest gzip there is, of nothing. */
const GZIP_BYTES_MIN = 18

/** Reads the length in the gzip trailer: that of the last member, which is usually the only one. */
export function gzipLength(bytes: Buffer): number {
  return bytes.length < GZIP_BYTES_MIN ? 0 : bytes.readUInt32LE(bytes.length - 4)
}

/**
 * Inflates the start of a gzip whose announced size grows more than real bodies do; undefined for
 * other bodies, and where the start is less dense than the rest.
 */
export function suspectStart(bytes: Buffer): Buffer | undefined {
  const announced = gzipLength(bytes)
  const isSuspect = announced > bytes.length * INFLATE_SUSPECT_RATIO
  if (!isSuspect || announced < 2 * INFLATE_START_BYTES) return undefined
  const taken = Math.ceil((bytes.length * INFLATE_START_BYTES) / announced)
  try {
    return gunzipSync(bytes.subarray(0, taken), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 2 * INFLATE_START_BYTES,
      chunkSize: INFLATE_START_BYTES,
    })
  } catch {
    // Inflating all of it reports the error.
    return undefined
  }
}

/** Inflates `deflate`: zlib's format, or a bare stream, which some clients send. */
export function inflateDeflate(bytes: Buffer, bytesMax: number): Result<Buffer, DecodeError> {
  return inflateBy(isZlib(bytes) ? inflateSync : inflateRawSync, bytes, bytesMax)
}

/** The header of zlib's format is a multiple of 31, and 8 is the only method there is. */
function isZlib(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function inflateBy(
  algorithm: typeof gunzipSync,
  bytes: Buffer,
  bytesMax: number,
  announced = 0,
): Result<Buffer, DecodeError> {
  const guess = Math.min(Math.max(bytes.length * 4, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX)
  // Much goes into one chunk: chunks that are put together are there twice.
  const chunkSize = announced > CHUNK_BYTES_MAX ? Math.min(announced, bytesMax) + 1 : guess
  try {
    return ok(algorithm(bytes, { maxOutputLength: bytesMax, chunkSize }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : INVALID_PAYLOAD
  }
}
