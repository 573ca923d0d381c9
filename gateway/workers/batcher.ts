/** Collects frequent calls to a worker into micro-batches. */
import { yieldToEventLoop } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'

/** Waiting bytes above which `BATCHER_WAIT_MAX_MS` is enforced. */
export const BACKLOG_BYTES_MIN = 4_194_304

/** Answers that are sent in one turn of the event loop. */
const ANSWERS_OF_TURN = 64

/**
 * Collects calls to one worker into micro-batches. Items that arrive within one tick of the event
 * loop go out together, and the next batch grows while every call slot is busy. There is no timer,
 * so a lone request never waits. Bounded by bytes.
 *
 *   submit -> waiting (bytes) -> [slot free] -> in flight -> answers in the order of the items
 *                |                                 |
 *                +---- rescue: another worker      +---- rescue: another worker as well
 */
export type Batcher<Item, Answer> = {
  /**
   * @throws {AppError} `resource_exhausted` when too many bytes wait or the item has waited for too
   * long (it was not sent); what `send` failed with (the outcome is unknown).
   */
  submit(item: Item, bytes: number, weight?: number): Promise<Answer>
  /**
   * Called when the worker is silent. Items that wait were never sent and go to another worker.
   * Items in flight since `sentBefore` (monotonic ms) or longer go to another worker as well, once:
   * the first answer counts, and an item fails when all its calls have failed.
   */
  rescue(sentBefore: number): void
  waiting(): { readonly items: number; readonly bytes: number }
  /** The bytes of `waiting()`, without making an object. */
  waitingBytes(): number
  inFlight(): number
  /** Resolves when nothing waits and no call is in flight. */
  drained(): Promise<void>
}

export type BatcherOptions<Item, Answer> = {
  /** Answers one value for each item, in order. */
  send: (items: readonly Item[]) => Promise<readonly Answer[]>
  /**
   * Sends an item that came at `submittedAt` to another worker; `undefined` when there is none now.
   */
  elsewhere: (item: Item, submittedAt: number) => Promise<Answer> | undefined
  /** How many calls may be under way before the next batch waits and grows. */
  slots: () => number
  /** The same for full batches, which gain nothing by waiting. */
  fullSlots: number
  /** The most weight of one batch. A heavier item travels alone. */
  weightMax: number
  /** The most bytes of one batch. A larger item travels alone. */
  batchBytesMax: number
  waitingBytesMax: number
  /**
   * Longest wait of an item in milliseconds; then the item is refused, unless the queue is so short
   * that it is soon sent. Otherwise a backlog would be answered after its clients have given up.
   */
  waitMsMax: number
  /** Runs the callback after the I/O of this tick of the event loop. */
  defer: (run: () => void) => void
  /** Monotonic milliseconds. */
  now: () => number
}

type Waiter<Item, Answer> = {
  readonly item: Item
  readonly bytes: number
  readonly weight: number
  readonly submittedAt: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  /** How many calls may still answer it. */
  pending: number
}

type Flight<Item, Answer> = {
  readonly sentAt: number
  /** Items that have not been sent to another worker. */
  alone: readonly Waiter<Item, Answer>[]
}

export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Batcher<Item, Answer> {
  return new MicroBatcher(options)
}

class MicroBatcher<Item, Answer> implements Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>
  #queue: Waiter<Item, Answer>[] = []
  #queueBytes = 0
  #queueWeight = 0
  #isFlushDue = false
  readonly #flights = new Set<Flight<Item, Answer>>()
  readonly #idleWaiters: (() => void)[] = []

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options
  }

  submit(item: Item, bytes: number, weight = 1): Promise<Answer> {
    const { waitingBytesMax, now, defer } = this.#options
    if (this.#queueBytes + bytes > waitingBytesMax && this.#queueBytes > 0) {
      return Promise.reject(overloaded('batcher is full'))
    }
    return new Promise<Answer>((resolve, reject) => {
      const submittedAt = now()
      this.#queue.push({ item, bytes, weight, submittedAt, resolve, reject, pending: 1 })
      this.#queueBytes += bytes
      this.#queueWeight += weight
      if (this.#isFlushDue || !this.#mayStart()) return
      this.#isFlushDue = true
      defer(() => this.#flush())
    })
  }

  rescue(sentBefore: number): void {
    for (const flight of this.#flights) {
      if (flight.sentAt > sentBefore || flight.alone.length === 0) continue
      flight.alone = flight.alone.filter((waiter) => !this.#putElsewhere(waiter))
    }
    this.#rescueWaiting()
    if (this.#queue.length === 0) this.#wakeIdle()
  }

  waiting() {
    return { items: this.#queue.length, bytes: this.#queueBytes }
  }

  waitingBytes(): number {
    return this.#queueBytes
  }

  inFlight(): number {
    return this.#flights.size
  }

  drained(): Promise<void> {
    if (this.#queue.length === 0 && this.#flights.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
    })
  }

  #mayStart(): boolean {
    const { slots, fullSlots, weightMax, batchBytesMax } = this.#options
    return (
      this.#flights.size < slots() ||
      (this.#flights.size < fullSlots &&
        (this.#queueWeight >= weightMax || this.#queueBytes >= batchBytesMax))
    )
  }

  #flush(): void {
    this.#isFlushDue = false
    this.#shedLate()
    while (this.#queue.length > 0 && this.#mayStart()) void this.#send(this.#take())
    if (this.#queue.length === 0) this.#wakeIdle()
  }

  /** Refuses items that have waited for too long. The oldest come first. */
  #shedLate(): void {
    const before = this.#options.now() - this.#options.waitMsMax
    let late = 0
    for (const { submittedAt, bytes, weight } of this.#queue) {
      if (submittedAt >= before || this.#queueBytes <= BACKLOG_BYTES_MIN) break
      late++
      this.#queueBytes -= bytes
      this.#queueWeight -= weight
    }
    if (late === 0) return
    for (const { reject } of this.#queue.splice(0, late)) reject(overloaded('waited for too long'))
  }

  /** The next micro-batch: one item, or as many as fit. */
  #take(): Waiter<Item, Answer>[] {
    const { weightMax, batchBytesMax } = this.#options
    let bytes = 0
    let weight = 0
    let count = 0
    for (const waiter of this.#queue) {
      if (count > 0 && weight + waiter.weight > weightMax) break
      if (count > 0 && bytes + waiter.bytes > batchBytesMax) break
      bytes += waiter.bytes
      weight += waiter.weight
      count++
    }
    this.#queueBytes -= bytes
    this.#queueWeight -= weight
    if (count === this.#queue.length) {
      const all = this.#queue
      this.#queue = []
      return all
    }
    return this.#queue.splice(0, count)
  }

  /** Sends a batch and settles its items. Never rejects. */
  async #send(batch: readonly Waiter<Item, Answer>[]): Promise<void> {
    const { now, send } = this.#options
    const flight: Flight<Item, Answer> = { sentAt: now(), alone: batch }
    this.#flights.add(flight)
    try {
      const answers = await send(batch.map(({ item }) => item))
      if (answers.length !== batch.length) {
        throw new AppError('internal', `${answers.length} answers to ${batch.length} items`)
      }
      for (const [index, waiter] of batch.entries()) {
        // Each answer is sent at once: this many in a turn, then other work.
        if (index > 0 && index % ANSWERS_OF_TURN === 0) await yieldToEventLoop()
        waiter.resolve(answers[index] as Answer)
      }
    } catch (error) {
      for (const waiter of batch) fail(waiter, error)
    }
    this.#flights.delete(flight)
    if (this.#queue.length > 0) this.#flush()
    else this.#wakeIdle()
  }

  #rescueWaiting(): void {
    const kept: Waiter<Item, Answer>[] = []
    for (const waiter of this.#queue) {
      if (this.#putElsewhere(waiter)) {
        waiter.pending-- // It was never sent from here.
        this.#queueBytes -= waiter.bytes
        this.#queueWeight -= waiter.weight
      } else kept.push(waiter)
    }
    this.#queue = kept
  }

  /** Sends the item to another worker. True when there is one. */
  #putElsewhere(waiter: Waiter<Item, Answer>): boolean {
    const answer = this.#options.elsewhere(waiter.item, waiter.submittedAt)
    if (answer === undefined) return false
    waiter.pending++
    answer.then(waiter.resolve, (error: unknown) => fail(waiter, error))
    return true
  }

  #wakeIdle(): void {
    if (this.#flights.size > 0) return
    for (const wake of this.#idleWaiters.splice(0)) wake()
  }
}

/** Nothing was sent. */
function overloaded(why: string): AppError {
  const detail = { type: 'server_error', code: 'server_error', detail: 'Server is busy.' }
  return new AppError('resource_exhausted', why, {
    detail: { ...detail, attr: null, retryAfterS: 1 },
  })
}

/** Settles an item whose call failed, unless another call may still answer it. */
function fail<Item, Answer>(waiter: Waiter<Item, Answer>, error: unknown): void {
  waiter.pending--
  if (waiter.pending === 0) waiter.reject(error)
}
