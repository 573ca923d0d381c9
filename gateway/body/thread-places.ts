/** Assignment of bodies to threads, and their queue. */

import { assert } from '../../src/core/code.ts'
import { type Budgets, createBudgets } from '../../src/core/limits/budgets.ts'
import {
  BODY_BYTES_MAX,
  BODY_PEER_SHARE_MAX,
  BODY_THREAD_DEADLINE_MS,
} from '../../src/core/limits/limits.ts'
import { DecodedRoom, type RoomTicket } from './decoded-room.ts'
import { FairQueue, type Judge, type Sender } from './fair-queue.ts'
import { type BodyThread, type BodyThreadDeps, startBodyThread } from './thread.ts'
import type { ThreadData } from './thread-protocol.ts'

/** Bodies that one thread holds at a time. */
const BODY_THREAD_HANDLES_MAX = 3
/**
 * Bodies of one peer, and of one project, that a thread holds on average: one place is left to
 * others.
 */
export const BODY_PEER_HANDLES_MAX = BODY_THREAD_HANDLES_MAX - 1
/**
 * Bytes of large bodies, decoded, that one peer may have refused for one project: at once, and each
 * millisecond after that. Its next large body for that project waits until they are paid for.
 */
export const BODY_REFUSED_BURST_BYTES = 67_108_864
export const BODY_REFUSED_BYTES_PER_MS = 4_194
assert(BODY_PEER_HANDLES_MAX > 0, 'a peer alone gets a place')
assert(3 * BODY_BYTES_MAX < BODY_REFUSED_BURST_BYTES, 'a mistake or two cost nobody a pause')

export type PlacesOptions = {
  readonly script: URL
  readonly data: ThreadData
  readonly threadsMax: number
  /** Bytes of bodies that wait or are placed, as they were sent. */
  readonly bytesMax: number
  /** Bytes of bodies that are placed or being stored, as they are decoded. */
  readonly decodedBytesMax: number
}

/** Room for one body on one thread. */
export type Place = {
  readonly thread: BodyThread
  /** Names the body to the thread. */
  readonly id: number
  /**
   * Counts it for the group that its body turned out to be of. False: that holds its share, and
   * others wait; the place is to be freed.
   */
  move(group: string): boolean
  /** Lets the next body in, while this one keeps its room. May be called twice. */
  free(): void
  /** Reservation for its decoded form, until that is stored. */
  readonly room: RoomTicket
  /** Frees the place, and the room too. */
  end(): void
  /** Its body was refused: its sender pays for the work with a pause. */
  refuse(): void
}

export type Demand = {
  /** As it was sent. */
  readonly bytes: number
  /** Expected bytes of its decoded form. */
  readonly expected: number
  /** Upper bound of its decoded bytes. */
  readonly worst: number
}

/** A thread with the number of places that are taken on it. */
type SharedThread = { readonly thread: BodyThread; places: number }
type Granted = { readonly shared: SharedThread; readonly room: RoomTicket }
type Waiting = {
  readonly sender: Sender
  readonly expected: number
  settle(granted: Granted | undefined): void
}

/**
 * Assigns bodies to threads. Threads start when they are needed; each has a few places. Bodies
 * without one wait: groups take turns, then peers, and the bodies of one peer go in order of
 * arrival. Waiting and placed bodies together are bounded in bytes, and so are the decoded forms of
 * bodies that are placed or being stored. Neither a peer nor a group ever holds all places or all
 * bytes while others want some. A peer whose bodies for a group were refused has to pause, since
 * the threads compete with the event loop: refused bodies cost as much as stored ones.
 */
export class ThreadPlaces {
  readonly #deps: BodyThreadDeps
  readonly #options: PlacesOptions
  readonly #threads = new Set<SharedThread>()
  readonly #queue = new FairQueue<Waiting>()
  readonly #room: DecodedRoom
  readonly #refused: Budgets<string>
  #bytesHeld = 0
  #isClosed = false
  #lastId = 0

  constructor(deps: BodyThreadDeps, options: PlacesOptions) {
    this.#deps = deps
    this.#options = options
    const { decodedBytesMax, data } = options
    const bounds = { decodedBytesMax, bodyBytesMax: data.bodyBytesMax }
    this.#room = new DecodedRoom(bounds, () => this.#serveWaiting())
    this.#refused = createBudgets(deps.clock, {
      perMs: BODY_REFUSED_BYTES_PER_MS,
      burst: BODY_REFUSED_BURST_BYTES,
    })
  }

  /**
   * Undefined when full, when closed, or when no place became free in time: also where the sender
   * has to pause for longer.
   */
  async take({ bytes, expected, worst }: Demand, from: Sender): Promise<Place | undefined> {
    if (this.#isClosed || !this.#hasRoom(bytes, from)) return undefined
    if (this.#refused.waitMs(nameOf(from)) > BODY_THREAD_DEADLINE_MS) return undefined
    let sender = from
    this.#bytesHeld += bytes
    this.#queue.enter(sender, bytes)
    const leave = () => {
      this.#bytesHeld -= bytes
      this.#queue.leave(sender, bytes)
    }
    const granted = await this.#takeThread(sender, expected)
    if (granted === undefined) {
      leave()
      return undefined
    }
    const { shared, room } = granted
    this.#lastId += 1
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      shared.places -= 1
      this.#queue.release(sender)
      leave()
      this.#serveWaiting()
    }
    const move = (group: string) => {
      if (isFree || !this.#queue.move(sender, group, bytes, this.#shareMax)) return false
      sender = { ...sender, group }
      room.move(group)
      this.#serveWaiting()
      return true
    }
    const end = () => {
      free()
      room.leave()
    }
    const refuse = () => {
      this.#refused.spend(nameOf(from), worst)
      const waitMs = this.#refused.waitMs(nameOf(from))
      if (waitMs > 0) this.#deps.clock.after(waitMs, () => this.#serveWaiting())
    }
    return { thread: shared.thread, id: this.#lastId, move, free, room, end, refuse }
  }

  /** Ends all threads and refuses the waiting bodies. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#serveWaiting()
    await Promise.all([...this.#threads].map((shared) => shared.thread.end()))
  }

  /** Places that one peer or one group may hold. */
  get #shareMax(): number {
    return this.#options.threadsMax * BODY_PEER_HANDLES_MAX
  }

  /** A sender that already has bodies here leaves the last share of the bytes to other senders. */
  #hasRoom(bytes: number, sender: Sender): boolean {
    const share = this.#queue.holdsBytes(sender) ? BODY_PEER_SHARE_MAX : 1
    return this.#bytesHeld + bytes <= this.#options.bytesMax * share
  }

  #takeThread(sender: Sender, expected: number): Promise<Granted | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(BODY_THREAD_DEADLINE_MS, () => {
        this.#queue.giveUp(sender, waiting)
        resolve(undefined)
      })
      const settle = (granted: Granted | undefined) => {
        cancel()
        resolve(granted)
      }
      const waiting: Waiting = { sender, expected, settle }
      this.#queue.wait(sender, waiting)
      this.#serveWaiting()
    })
  }

  #serveWaiting(): void {
    const placesMax = this.#isClosed ? Number.POSITIVE_INFINITY : this.#shareMax
    const judge: Judge<Waiting> = ({ expected }, sender) => {
      if (this.#isClosed) return 'fits'
      if (this.#refused.waitMs(nameOf(sender)) > 0) return 'share'
      return this.#room.judge(expected, sender)
    }
    while (this.#queue.hasNext(placesMax, judge)) {
      const shared = this.#isClosed ? undefined : this.#findThread()
      if (shared === undefined && !this.#isClosed) return
      const next = this.#queue.next(placesMax, judge)
      if (shared === undefined || next === undefined) next?.settle(undefined)
      else {
        shared.places += 1
        next.settle({ shared, room: this.#room.enter(next.expected, next.sender) })
      }
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

function nameOf({ peer, group }: Sender): string {
  return `${peer} ${group}`
}
