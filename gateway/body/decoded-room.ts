/**
 * Room for large bodies in their decoded form, from when a thread takes one until its events are
 * stored. Places count compressed bytes as sent; this counts decoded bytes.
 */

import type { Sender } from './fair-queue.ts'
import { gzipLength, isGzip } from './inflate.ts'
import { startsContainer } from './json-text.ts'

export type RoomBounds = {
  /** Bound for all bodies together. */
  readonly decodedBytesMax: number
  /** Bound for one body. */
  readonly bodyBytesMax: number
}

/** Reservation of one body. */
export type RoomTicket = {
  /** Sets the actual size, which may exceed what there was room for. */
  resize(bytes: number): void
  move(group: string): void
  /** Gives all of it back. May be called twice. */
  leave(): void
}

/** `share`: the rest of the room is for other senders. `full`: there is no room for any. */
export type RoomVerdict = 'fits' | 'share' | 'full'

export class DecodedRoom {
  readonly #bounds: RoomBounds
  readonly #onLess: () => void
  readonly #peers = new Map<string, number>()
  readonly #groups = new Map<string, number>()
  #bytes = 0

  /** @param onLess called when there is more room than before. */
  constructor(bounds: RoomBounds, onLess: () => void) {
    this.#bounds = bounds
    this.#onLess = onLess
  }

  get bytes(): number {
    return this.#bytes
  }

  /** One body alone always fits. Senders who have some leave room for a whole body of another. */
  judge(bytes: number, { peer, group }: Sender): RoomVerdict {
    const { decodedBytesMax, bodyBytesMax } = this.#bounds
    if (this.#bytes === 0) return 'fits'
    const after = this.#bytes + bytes
    const hasSome = this.#peers.has(peer) || this.#groups.has(group)
    if (hasSome && after > decodedBytesMax - bodyBytesMax) return 'share'
    return after > decodedBytesMax ? 'full' : 'fits'
  }

  enter(bytes: number, sender: Sender): RoomTicket {
    let [held, { peer, group }] = [bytes, sender]
    this.#add(held, peer, group)
    const change = (toBytes: number, toGroup: string) => {
      const isLess = toBytes < held
      this.#add(-held, peer, group)
      held = toBytes
      group = toGroup
      if (held > 0) this.#add(held, peer, group)
      if (isLess) this.#onLess()
    }
    return {
      resize: (to) => change(to, group),
      move: (to) => change(held, to),
      leave: () => change(0, group),
    }
  }

  #add(bytes: number, peer: string, group: string): void {
    this.#bytes += bytes
    addTo(this.#peers, peer, bytes)
    addTo(this.#groups, group, bytes)
  }
}

function addTo(held: Map<string, number>, name: string, bytes: number): void {
  const left = (held.get(name) ?? 0) + bytes
  if (left > 0) held.set(name, left)
  else held.delete(name)
}

/** Assumed ratio for bodies that are neither JSON nor gzip: forms, base64, other compressions. */
const UNKNOWN_RATIO = 10
const INDENT_MAX = 64

/**
 * Estimates the decoded bytes of a body. Gzip gives them in its trailer; one that gives too few is
 * detected when the body is decoded.
 */
export function expectedBytes(body: Buffer, bodyBytesMax: number): number {
  const { length } = body
  if (isGzip(body)) return Math.min(bodyBytesMax, Math.max(length, gzipLength(body)))
  if (startsContainer(body.toString('latin1', 0, INDENT_MAX))) return length
  return Math.min(bodyBytesMax, UNKNOWN_RATIO * length)
}

/** Highest compression ratio of deflate. */
const INFLATE_RATIO_MAX = 1_032

/** Upper bound of a body's decoded bytes, whatever its own length field says. */
export function worstBytes(body: Buffer, bodyBytesMax: number): number {
  if (startsContainer(body.toString('latin1', 0, INDENT_MAX))) return body.length
  return Math.min(bodyBytesMax, INFLATE_RATIO_MAX * body.length)
}
