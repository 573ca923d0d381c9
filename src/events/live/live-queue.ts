/**
 * Queue of one reader of live events. Events are in a ring: while it is full, a new one replaces
 * the oldest, which counts as dropped. So a slow reader takes no more memory than its ring, and
 * delays no other reader. Other messages are few, and never dropped.
 *
 *   open -> (bye) -> ending -> (the queue was read, then the bye) -> ended
 *   open, ending -> (close) -> ended
 */
import type { Clock } from '../../core/clock.ts'
import {
  type ByeReason,
  byeMessage,
  droppedMessage,
  eventMessage,
  type LiveEvent,
  type LiveMessage,
  UNKNOWN_NUMBER,
} from './live-message.ts'

export type LiveQueueOptions = {
  /** Events that are read in a second. */
  readonly perSecond: number
  /** Events that wait. */
  readonly ringMax: number
  /** Called for events that the reader does not get. */
  readonly onDropped?: (count: number) => void
}

/** Takes what is stored. */
export type LiveSink = {
  offer(event: LiveEvent): void
  /** Counts events as missed; `UNKNOWN_NUMBER` if their number is unknown. */
  miss(count: number): void
  /** Events that are deleted while they wait count as missed. */
  forget(isDeleted: (event: LiveEvent) => boolean): void
  /** Ends the stream of events. */
  bye(reason: ByeReason): void
}

export type LiveQueue = LiveSink & {
  /** Queues a message before all waiting events; a later revision replaces an earlier one. */
  tell(message: LiveMessage): void
  /**
   * The next message, once there is one. One reader at a time.
   * @returns undefined when the stream has ended.
   */
  next(): Promise<LiveMessage | undefined>
  /** Ends the stream at once; waiting messages are dropped. */
  close(): void
}

const SECOND = 1_000

export function createLiveQueue(clock: Clock, options: LiveQueueOptions): LiveQueue {
  return new RingQueue(clock, options)
}

class RingQueue implements LiveQueue {
  readonly #clock: Clock
  readonly #options: LiveQueueOptions
  readonly #ring: LiveEvent[] = []
  readonly #told: LiveMessage[] = []
  #missing = 0
  #isGap = false
  #sent = 0
  /** Monotonic time at which the next window of `perSecond` events begins. */
  #windowEnds = Number.NEGATIVE_INFINITY
  #phase: 'open' | 'ending' | 'ended' = 'open'
  #bye: LiveMessage | undefined
  #wake: () => void = () => {}

  constructor(clock: Clock, options: LiveQueueOptions) {
    this.#clock = clock
    this.#options = options
  }

  offer(event: LiveEvent): void {
    if (this.#phase !== 'open') return
    if (this.#ring.length >= this.#options.ringMax) {
      this.#ring.shift()
      this.miss(1)
    }
    this.#ring.push(event)
    this.#wake()
  }

  miss(count: number): void {
    if (this.#phase !== 'open') return
    if (count === UNKNOWN_NUMBER) this.#isGap = true
    this.#missing += count
    this.#options.onDropped?.(count)
    this.#wake()
  }

  forget(isDeleted: (event: LiveEvent) => boolean): void {
    const left = this.#ring.filter((event) => !isDeleted(event))
    const gone = this.#ring.length - left.length
    if (gone === 0) return
    this.#ring.splice(0, this.#ring.length, ...left)
    this.miss(gone)
  }

  tell(message: LiveMessage): void {
    if (this.#phase !== 'open') return
    const last = this.#told.at(-1)
    if (last !== undefined && last.kind === message.kind) this.#told.pop()
    this.#told.push(message)
    this.#wake()
  }

  bye(reason: ByeReason): void {
    if (this.#phase !== 'open') return
    this.#phase = 'ending'
    this.#bye = byeMessage(reason)
    // A reader whose access was revoked gets none of the queued events.
    if (reason === 'revoked') this.#ring.length = 0
    this.#wake()
  }

  close(): void {
    this.#phase = 'ended'
    this.#ring.length = 0
    this.#wake()
  }

  async next(): Promise<LiveMessage | undefined> {
    for (;;) {
      if (this.#phase === 'ended') return undefined
      const message = this.#take()
      if (message !== undefined) return message
      await this.#woken()
    }
  }

  #take(): LiveMessage | undefined {
    const told = this.#told.shift()
    if (told !== undefined) return told
    if (this.#isGap) {
      this.#isGap = false
      return droppedMessage(UNKNOWN_NUMBER)
    }
    const isEnding = this.#phase === 'ending'
    const now = this.#clock.monotonic()
    const isNewWindow = now >= this.#windowEnds
    // Reported once per window, so that a busy project does not cause a stream of numbers.
    if (this.#missing > 0 && (isNewWindow || isEnding)) return this.#takeMissing(now)
    const event = this.#ring[0]
    if (event !== undefined && (isNewWindow || isEnding || this.#sent < this.#options.perSecond)) {
      if (isNewWindow) this.#beginWindow(now)
      this.#sent++
      this.#ring.shift()
      return eventMessage(event)
    }
    if (!isEnding || event !== undefined) return undefined
    this.#phase = 'ended'
    return this.#bye
  }

  #takeMissing(now: number): LiveMessage {
    this.#beginWindow(now)
    const message = droppedMessage(this.#missing)
    this.#missing = 0
    return message
  }

  #beginWindow(now: number): void {
    this.#windowEnds = now + SECOND
    this.#sent = 0
  }

  /** Resolves when there may be something to take. */
  async #woken(): Promise<void> {
    let cancel = () => {}
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#ring.length === 0 && this.#missing === 0) return
      const ms = Math.max(1, this.#windowEnds - this.#clock.monotonic())
      cancel = this.#clock.after(ms, resolve)
    })
    cancel()
    this.#wake = () => {}
  }
}

/**
 * The messages of a queue, for one reader.
 * @param onEnd called once, when the queue has ended or its reader has left.
 */
export function readLive(queue: LiveQueue, onEnd: () => void): AsyncIterableIterator<LiveMessage> {
  let hasEnded = false
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    queue.close()
    onEnd()
  }
  return {
    async next() {
      const message = await queue.next()
      if (message !== undefined) return { done: false, value: message }
      end()
      return { done: true, value: undefined }
    },
    // A reader may leave while it waits for the next message, which then resolves.
    async return() {
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
