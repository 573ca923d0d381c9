/**
 * Shares of a scarce thing among peers: what each of them holds, and who is next. Peers that wait
 * take turns, so that one with many bodies does not hold up one with a single body.
 */

/** What one peer has under way and what of it waits, in order of arrival. */
type Peer<W> = { places: number; bytes: number; readonly waiting: Set<W> }

export class PeerTurns<W> {
  /** In the order of their turns: a peer that was served goes to the end. */
  readonly #peers = new Map<string, Peer<W>>()

  /** Peers that have something here. */
  get size(): number {
    return this.#peers.size
  }

  /** Bytes that a peer has waiting or placed. */
  bytesOf(name: string): number {
    return this.#peers.get(name)?.bytes ?? 0
  }

  enter(name: string, bytes: number): void {
    this.#peer(name).bytes += bytes
  }

  leave(name: string, bytes: number): void {
    const peer = this.#peer(name)
    peer.bytes -= bytes
    if (peer.bytes <= 0 && peer.places === 0 && peer.waiting.size === 0) this.#peers.delete(name)
  }

  wait(name: string, waiter: W): void {
    this.#peer(name).waiting.add(waiter)
  }

  giveUp(name: string, waiter: W): void {
    this.#peers.get(name)?.waiting.delete(waiter)
  }

  release(name: string): void {
    this.#peer(name).places -= 1
  }

  hasNext(placesMax: number): boolean {
    for (const { places, waiting } of this.#peers.values()) {
      if (places < placesMax && waiting.size > 0) return true
    }
    return false
  }

  /** Who waits and may have a place: of the peers below `placesMax`, the one whose turn it is. */
  next(placesMax: number): W | undefined {
    for (const [name, peer] of this.#peers) {
      if (peer.places >= placesMax) continue
      for (const waiter of peer.waiting) {
        peer.waiting.delete(waiter)
        peer.places += 1
        this.#peers.delete(name)
        this.#peers.set(name, peer)
        return waiter
      }
    }
    return undefined
  }

  #peer(name: string): Peer<W> {
    let peer = this.#peers.get(name)
    if (peer === undefined) {
      peer = { places: 0, bytes: 0, waiting: new Set() }
      this.#peers.set(name, peer)
    }
    return peer
  }
}
