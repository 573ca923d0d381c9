/**
 * Guesses the key of a large body from its first bytes, before a thread reads it, so that the right
 * sender is charged for it. The key that counts is read later, with the body.
 */

import { constants, gunzipSync } from 'node:zlib'
import { isGzip } from './inflate.ts'

/** Bytes at either end of a large body in which its key is looked for. */
const BODY_PEEK_BYTES = 8_192
/** Bytes of a compressed one that are inflated for it; a thousand times as many at most. */
const BODY_PEEK_GZIP_BYTES = 512

/** The names by which libraries send a project's key. */
const KEY = /"(?:api_key|\$?token|writeKey)"\s*:\s*"([!#-[\]-~]{1,64})"/

/** Undefined where none is found: most libraries write it first, some after all events. */
export function peekToken(body: Buffer): string | undefined {
  if (isGzip(body)) return keyIn(inflatedStart(body))
  return keyIn(body) ?? keyIn(body.subarray(-BODY_PEEK_BYTES))
}

function keyIn(bytes: Buffer): string | undefined {
  return KEY.exec(bytes.toString('latin1', 0, BODY_PEEK_BYTES))?.[1]
}

function inflatedStart(body: Buffer): Buffer {
  try {
    const start = body.subarray(0, BODY_PEEK_GZIP_BYTES)
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return EMPTY // Broken: whoever reads the body says so.
  }
}

const EMPTY = Buffer.alloc(0)
