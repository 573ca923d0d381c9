/** Bounds that grow with the largest body that the operator allows. */

import {
  BODY_BYTES_MAX,
  BODY_THREADS_BYTES_MAX,
  GATEWAY_INFLIGHT_BYTES_MAX,
  HTTP_DISCARD_BYTES_MAX,
} from '../../src/core/limits/limits.ts'

/**
 * Bytes of large bodies in their decoded form, from when a thread takes them until their events are
 * stored: some kilobytes in gzip become 20 MB of them. Peers and projects with bodies here leave
 * room for a whole body of another; a body that does not fit waits as long as for a place.
 */
export const DECODED_BYTES_MAX = 67_108_864

/** Bounds in bytes. */
export type BodyBounds = {
  readonly bodyBytesMax: number
  /** Bodies that a gateway holds. */
  readonly inflightBytesMax: number
  /** Part of a refused body that is read and thrown away. */
  readonly discardBytesMax: number
  /** Large bodies that wait for a thread or are held by one. */
  readonly threadsBytesMax: number
  /** Large bodies in their decoded form, until their events are stored. */
  readonly decodedBytesMax: number
}

/** Scales the bounds above the default, so that each sender's share still holds a whole body. */
export function bodyBounds(bodyBytesMax: number = BODY_BYTES_MAX): BodyBounds {
  const scale = Math.max(1, bodyBytesMax / BODY_BYTES_MAX)
  return {
    bodyBytesMax,
    inflightBytesMax: Math.ceil(GATEWAY_INFLIGHT_BYTES_MAX * scale),
    discardBytesMax: Math.ceil(HTTP_DISCARD_BYTES_MAX * scale),
    threadsBytesMax: Math.ceil(BODY_THREADS_BYTES_MAX * scale),
    decodedBytesMax: Math.ceil(DECODED_BYTES_MAX * scale),
  }
}
