/** Which body may use which thread, and who waits. */

import {
  BODY_PEER_HANDLES_MAX,
  BODY_PEER_SHARE_MAX,
  BODY_THREAD_DEADLINE_MS,
  BODY_THREAD_HANDLES_MAX,
  BODY_THREADS_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
import { PeerTurns } from './peer-turns.ts'
import { type BodyThread, type BodyThreadDeps, startBodyThread } from './thread.ts'
import type { ThreadData } from './thread-protocol.ts'

export type PlacesOptions = {
  readonly script: URL
  readonly data: ThreadData
  readonly threadsMax: number
}

/** Room for one body on one thread. */
export type Place = {
  readonly thread: BodyThread
  /** Names the body to the thread. */
  readonly id: number
  /** Lets the next body in. May be called twice. */
  free(): void
}

/** A thread with the number of places that are taken on it. */
type SharedThread = { readonly thread: BodyThread; places: number }
type Waiting = (shared: SharedThread | undefined) => void

/**
 * Who may use which thread. Threads start when they are needed; each has a few places. Bodies
 * without one wait: peers take turns, and the bodies of one peer go in order of arrival. Waiting
 * and placed bodies together are bounded in bytes. One peer never holds all places or all bytes.
 */
export class ThreadPlaces {
  readonly #deps: BodyThreadDeps
  readonly #options: PlacesOptions
  readonly #threads = new Set<SharedThread>()
  readonly #turns = new PeerTurns<Waiting>()
  #bytesHeld = 0
  #isClosed = false
  #lastId = 0

  constructor(deps: BodyThreadDeps, options: PlacesOptions) {
    this.#deps = deps
    this.#options = options
  }

  /**
   * Undefined when full, when closed, or when no place became free in time.
   * @param peer who sends the body, such as its address.
   */
  async take(bytes: number, peer: string): Promise<Place | undefined> {
    if (this.#isClosed || !this.#hasRoom(bytes, peer)) return undefined
    this.#bytesHeld += bytes
    this.#turns.enter(peer, bytes)
    const leave = () => {
      this.#bytesHeld -= bytes
      this.#turns.leave(peer, bytes)
    }
    const shared = await this.#takeThread(peer)
    if (shared === undefined) {
      leave()
      return undefined
    }
    this.#lastId += 1
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      shared.places -= 1
      this.#turns.release(peer)
      leave()
      this.#serveWaiting()
    }
    return { thread: shared.thread, id: this.#lastId, free }
  }

  /** Ends all threads. Whoever waits for one is turned away. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#serveWaiting()
    await Promise.all([...this.#threads].map((shared) => shared.thread.end()))
  }

  /** Whoever has a body here already leaves the last share of the bytes to those who have none. */
  #hasRoom(bytes: number, peer: string): boolean {
    const share = this.#turns.bytesOf(peer) > 0 ? BODY_PEER_SHARE_MAX : 1
    return this.#bytesHeld + bytes <= BODY_THREADS_BYTES_MAX * share
  }

  #takeThread(peer: string): Promise<SharedThread | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(BODY_THREAD_DEADLINE_MS, () => {
        this.#turns.giveUp(peer, settle)
        resolve(undefined)
      })
      const settle: Waiting = (shared) => {
        cancel()
        resolve(shared)
      }
      this.#turns.wait(peer, settle)
      this.#serveWaiting()
    })
  }

  #serveWaiting(): void {
    const placesMax = this.#isClosed
      ? Number.POSITIVE_INFINITY
      : this.#options.threadsMax * BODY_PEER_HANDLES_MAX
    while (this.#turns.hasNext(placesMax)) {
      const shared = this.#isClosed ? undefined : this.#findThread()
      if (shared === undefined && !this.#isClosed) return
      if (shared !== undefined) shared.places += 1
      this.#turns.next(placesMax)?.(shared)
    }
  }

  /** An idle thread first, then a new one, then another place on a busy one. */
  #findThread(): SharedThread | undefined {
    let best: SharedThread | undefined
    for (const shared of this.#threads) {
      if (best === undefined || shared.places < best.places) best = shared
    }
    if (best?.places === 0) return best
    if (this.#threads.size < this.#options.threadsMax) return this.#startThread()
    return best !== undefined && best.places < BODY_THREAD_HANDLES_MAX ? best : undefined
  }

  #startThread(): SharedThread {
    const { script, data } = this.#options
    const onEnd = () => {
      this.#threads.delete(shared)
      this.#serveWaiting()
    }
    const shared: SharedThread = {
      thread: startBodyThread(this.#deps, script, data, onEnd),
      places: 0,
    }
    this.#threads.add(shared)
    return shared
  }
}
