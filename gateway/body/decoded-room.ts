/**
 * Room for the events of large bodies from when they are decoded until they are stored. Thread
 * places count what was sent, which compression makes small; what comes of it counts here.
 */
import { BODY_PEER_SHARE_MAX, DECODED_BYTES_MAX } from '../../src/core/limits/limits.ts'
import type { Sender } from './sender-turns.ts'

export class DecodedRoom {
  readonly #peers = new Map<string, number>()
  readonly #groups = new Map<string, number>()
  #bytes = 0

  /** False when a body of this sender would be decoded for nothing. */
  isOpenTo(sender: Sender): boolean {
    return this.#fits(1, sender)
  }

  /**
   * Answers how to give the bytes back, once; undefined when there is no room for them. One body
   * alone always fits.
   */
  take(bytes: number, sender: Sender): (() => void) | undefined {
    if (!this.#fits(bytes, sender)) return undefined
    this.#add(bytes, sender)
    return () => this.#add(-bytes, sender)
  }

  #fits(bytes: number, { peer, group }: Sender): boolean {
    if (this.#bytes === 0) return true
    const hasSome = this.#peers.has(peer) || this.#groups.has(group)
    return this.#bytes + bytes <= DECODED_BYTES_MAX * (hasSome ? BODY_PEER_SHARE_MAX : 1)
  }

  #add(bytes: number, { peer, group }: Sender): void {
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
