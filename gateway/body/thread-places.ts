import {
  BODY_THREAD_DEADLINE_MS,
  BODY_THREAD_HANDLES_MAX,
  BODY_THREADS_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
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

type Slot = { readonly thread: BodyThread; places: number }
type Waiting = (slot: Slot | undefined) => void

/**
 * Who may use which thread. Threads start when they are needed; each has a few places, and bodies
 * without one wait in order of arrival. Waiting and placed bodies together are bounded in bytes.
 */
export class ThreadPlaces {
  readonly #deps: BodyThreadDeps
  readonly #options: PlacesOptions
  readonly #slots = new Set<Slot>()
  readonly #queue = new Set<Waiting>()
  #bytesHeld = 0
  #isClosed = false
  #lastId = 0

  constructor(deps: BodyThreadDeps, options: PlacesOptions) {
    this.#deps = deps
    this.#options = options
  }

  /** Undefined when full, when closed, or when no place became free in time. */
  async take(bytes: number): Promise<Place | undefined> {
    if (this.#isClosed || this.#bytesHeld + bytes > BODY_THREADS_BYTES_MAX) return undefined
    this.#bytesHeld += bytes
    const slot = await this.#takeSlot()
    if (slot === undefined) {
      this.#bytesHeld -= bytes
      return undefined
    }
    this.#lastId += 1
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      this.#bytesHeld -= bytes
      slot.places -= 1
      this.#serveQueue()
    }
    return { thread: slot.thread, id: this.#lastId, free }
  }

  /** Ends all threads. Whoever waits for one is turned away. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#serveQueue()
    await Promise.all([...this.#slots].map((slot) => slot.thread.end()))
  }

  #takeSlot(): Promise<Slot | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(BODY_THREAD_DEADLINE_MS, () => {
        this.#queue.delete(settle)
        resolve(undefined)
      })
      const settle: Waiting = (slot) => {
        cancel()
        resolve(slot)
      }
      this.#queue.add(settle)
      this.#serveQueue()
    })
  }

  #serveQueue(): void {
    for (const settle of this.#queue) {
      const slot = this.#isClosed ? undefined : this.#findSlot()
      if (slot === undefined && !this.#isClosed) return
      if (slot !== undefined) slot.places += 1
      this.#queue.delete(settle)
      settle(slot)
    }
  }

  /** An idle thread first, then a new one, then another place on a busy one. */
  #findSlot(): Slot | undefined {
    let best: Slot | undefined
    for (const slot of this.#slots) {
      if (best === undefined || slot.places < best.places) best = slot
    }
    if (best?.places === 0) return best
    if (this.#slots.size < this.#options.threadsMax) return this.#startSlot()
    return best !== undefined && best.places < BODY_THREAD_HANDLES_MAX ? best : undefined
  }

  #startSlot(): Slot {
    const { script, data } = this.#options
    const onEnd = () => {
      this.#slots.delete(slot)
      this.#serveQueue()
    }
    const slot: Slot = { thread: startBodyThread(this.#deps, script, data, onEnd), places: 0 }
    this.#slots.add(slot)
    return slot
  }
}
