import {
  HTTP_LARGE_BODIES_SHARE_MAX,
  HTTP_SMALL_BODY_BYTES_MAX,
} from '../../src/core/limits/limits.ts'

/** Requests and body bytes a server holds, against their bounds. */
export class Inflight {
  requests = 0
  bytes = 0
  /** Requests ever entered: a drain sees by it whether one has come and gone. */
  entered = 0
  readonly #requestsMax: number
  readonly #bytesMax: number
  #idleWaiters: (() => void)[] = []

  constructor(requestsMax: number, bytesMax: number) {
    this.#requestsMax = requestsMax
    this.#bytesMax = bytesMax
  }

  /** Counts a request in. False: there are too many, and this one can only be refused. */
  enter(): boolean {
    this.requests++
    this.entered++
    return this.requests <= this.#requestsMax
  }

  /** Counts a request out, with all the bytes reserved for it. */
  leave(bytes: number): void {
    this.requests--
    this.bytes -= bytes
    if (this.requests > 0) return
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const wake of waiters) wake()
  }

  /**
   * Sets `bytes` aside for a body of `bodyBytes` in all. Large bodies leave a quarter to the small
   * ones: else a handful of announced and slowly sent uploads would refuse every capture.
   */
  reserve(bytes: number, bodyBytes: number): boolean {
    const share = bodyBytes > HTTP_SMALL_BODY_BYTES_MAX ? HTTP_LARGE_BODIES_SHARE_MAX : 1
    if (this.bytes + bytes > this.#bytesMax * share) return false
    this.bytes += bytes
    return true
  }

  /** Gives back bytes of a request that stays in flight without them. */
  release(bytes: number): void {
    this.bytes -= bytes
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    if (this.requests === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
    })
  }
}
