import { assert } from '../../src/core/code.ts'
import { BODY_BYTES_MAX, GATEWAY_INFLIGHT_BYTES_MAX } from '../../src/core/limits/limits.ts'

/** Share of the bytes in flight that bodies above `HTTP_SMALL_BODY_BYTES_MAX` may use. */
const HTTP_LARGE_BODIES_SHARE_MAX = 0.75
/** Only a peer without another large body in flight may use the quarter before it. */
const HTTP_PEER_BODIES_SHARE_MAX = 0.5
assert(
  BODY_BYTES_MAX <
    GATEWAY_INFLIGHT_BYTES_MAX * (HTTP_LARGE_BODIES_SHARE_MAX - HTTP_PEER_BODIES_SHARE_MAX),
  'beside a peer that holds its share, a body of the greatest size is read',
)

/** Bytes that one request takes of its peer's share for large bodies. */
export type PeerBytes = { readonly peer: string; bytes: number }

/** Requests and body bytes a server holds, against their bounds. */
export class Inflight {
  requests = 0
  bytes = 0
  /** Requests entered so far: a drain sees by it whether one arrived meanwhile. */
  entered = 0
  readonly #requestsMax: number
  readonly #bytesMax: number
  /** Bytes of large bodies of each peer that has any. */
  readonly #largeBytes = new Map<string, number>()
  #idleWaiters: (() => void)[] = []

  constructor(requestsMax: number, bytesMax: number) {
    this.#requestsMax = requestsMax
    this.#bytesMax = bytesMax
  }

  /**
   * Counts a request in. False: the bound is reached, refuse the request.
   * @param refused requests of these that only wait for their refusal, and take up no room.
   */
  enter(refused: number): boolean {
    this.requests++
    this.entered++
    return this.requests - refused <= this.#requestsMax
  }

  /** Counts a request out, with all the bytes reserved for it. */
  leave(bytes: number, own?: PeerBytes): void {
    this.requests--
    this.release(bytes, own)
    if (this.requests > 0) return
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const wake of waiters) wake()
  }

  /**
   * Reserves `bytes` of a body. Large bodies leave a quarter of the bound to
   * small ones: otherwise a few slow uploads would cause every capture to be refused. A peer that
   * has a large body here already leaves another quarter to peers that have none.
   * @param own given with a large body.
   */
  reserve(bytes: number, own: PeerBytes | undefined): boolean {
    if (this.bytes + bytes > this.#bytesMax * this.#shareOf(own)) return false
    this.bytes += bytes
    if (own !== undefined) {
      own.bytes += bytes
      this.#largeBytes.set(own.peer, (this.#largeBytes.get(own.peer) ?? 0) + bytes)
    }
    return true
  }

  /** Releases bytes of a request that stays in flight. */
  release(bytes: number, own?: PeerBytes): void {
    this.bytes -= bytes
    if (own === undefined) return
    const left = (this.#largeBytes.get(own.peer) ?? 0) - own.bytes
    own.bytes = 0
    if (left > 0) this.#largeBytes.set(own.peer, left)
    else this.#largeBytes.delete(own.peer)
  }

  #shareOf(own: PeerBytes | undefined): number {
    if (own === undefined) return 1
    const others = (this.#largeBytes.get(own.peer) ?? 0) - own.bytes
    return others > 0 ? HTTP_PEER_BODIES_SHARE_MAX : HTTP_LARGE_BODIES_SHARE_MAX
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    if (this.requests === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
    })
  }
}
