import { gunzipSync } from 'node:zlib'
import { ok, type Result } from '../../src/core/result.ts'
import { type DecodeError, INVALID_PAYLOAD, TOO_LARGE } from './decode-error.ts'

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
  const chunkSize = Math.min(Math.max(bytes.length * 4, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX)
  try {
    return ok(gunzipSync(bytes, { maxOutputLength: bytesMax, chunkSize }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : INVALID_PAYLOAD
  }
}
