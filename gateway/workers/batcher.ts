import { AppError } from '../../src/core/code.ts'
import { BACKLOG_BYTES_MIN } from '../../src/core/limits/limits.ts'

/**
 * Collects calls to one worker into micro-batches. What arrives within one turn of the event loop
 * goes out together, and while every call slot is busy the next batch grows: no timer, so a lone
 * request never waits. Bounded by bytes.
 *
 *   submit -> waiting (bytes) -> [slot free] -> in flight -> answers in the order of the items
 *                |                                 |
 *                +---- rescue: taken elsewhere     +---- rescue: put elsewhere as well
 */
export type Batcher<Item, Answer> = {
  /**
   * @throws {AppError} `resource_exhausted` when the bytes waiting are at their bound or this has
   * waited for too long (nothing was sent), or what `send` failed with (the outcome is unknown).
   */
  submit(item: Item, bytes: number, weight?: number): Promise<Answer>
  /**
   * The worker is silent. What waits was never sent and is taken elsewhere; what is in flight since
   * `sentBefore` (monotonic ms) or longer is put elsewhere as well, once: the first answer counts,
   * and an item fails when all have failed.
   */
  rescue(sentBefore: number): void
  waiting(): { readonly items: number; readonly bytes: number }
  /** The same, without making an object. */
  waitingBytes(): number
  inFlight(): number
  /** Resolves when nothing waits and no call is in flight. */
  drained(): Promise<void>
}

export type BatcherOptions<Item, Answer> = {
  /** Answers one value for each item, in order. */
  send: (items: readonly Item[]) => Promise<readonly Answer[]>
  /**
   * Puts an item that came at `submittedAt` to another worker; `undefined` when there is none now.
   */
  elsewhere: (item: Item, submittedAt: number) => Promise<Answer> | undefined
  /** Calls under way before the next batch waits and grows. */
  slots: () => number
  /** The same for batches that cannot grow: what is full gains nothing by waiting. */
  fullSlots: number
  /** Sum of the weights of one batch; a single heavier item travels alone. */
  weightMax: number
  /** Of one batch; a single larger item travels alone. */
  batchBytesMax: number
  waitingBytesMax: number
  /**
   * Milliseconds. What has waited for longer is refused, unless so little waits that it is soon
   * gone: without this a backlog would be answered when its clients have given up.
   */
  waitMsMax: number
  /** Runs the callback after the I/O of this turn of the event loop. */
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
  /** Calls that may still answer it. */
  pending: number
}

type Flight<Item, Answer> = {
  readonly sentAt: number
  /** Those that have not been put elsewhere. */
  alone: readonly Waiter<Item, Answer>[]
}

export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Batcher<Item, Answer> {
  let queue: Waiter<Item, Answer>[] = []
  let queueBytes = 0
  let queueWeight = 0
  let deferred = false
  const flights = new Set<Flight<Item, Answer>>()
  const idleWaiters: (() => void)[] = []

  /** Refuses what has waited for too long; the oldest come first. */
  const shedLate = () => {
    const before = options.now() - options.waitMsMax
    let late = 0
    for (const { submittedAt, bytes, weight } of queue) {
      if (submittedAt >= before || queueBytes <= BACKLOG_BYTES_MIN) break
      late++
      queueBytes -= bytes
      queueWeight -= weight
    }
    if (late === 0) return
    for (const { reject } of queue.splice(0, late)) reject(overloaded('waited for too long'))
  }

  const take = (): Waiter<Item, Answer>[] => {
    let bytes = 0
    let weight = 0
    let count = 0
    for (const waiter of queue) {
      if (count > 0 && weight + waiter.weight > options.weightMax) break
      if (count > 0 && bytes + waiter.bytes > options.batchBytesMax) break
      bytes += waiter.bytes
      weight += waiter.weight
      count++
    }
    queueBytes -= bytes
    queueWeight -= weight
    if (count === queue.length) {
      const all = queue
      queue = []
      return all
    }
    return queue.splice(0, count)
  }

  const mayStart = (): boolean =>
    flights.size < options.slots() ||
    (flights.size < options.fullSlots &&
      (queueWeight >= options.weightMax || queueBytes >= options.batchBytesMax))

  const flush = () => {
    deferred = false
    shedLate()
    while (queue.length > 0 && mayStart()) void sendBatch(take())
    if (queue.length === 0) wakeIdle()
  }

  const sendBatch = async (batch: readonly Waiter<Item, Answer>[]) => {
    const flight: Flight<Item, Answer> = { sentAt: options.now(), alone: batch }
    flights.add(flight)
    try {
      const answers = await options.send(batch.map(({ item }) => item))
      if (answers.length !== batch.length) {
        throw new AppError('internal', `${answers.length} answers to ${batch.length} items`)
      }
      for (const [index, waiter] of batch.entries()) waiter.resolve(answers[index] as Answer)
    } catch (error) {
      for (const waiter of batch) fail(waiter, error)
    }
    flights.delete(flight)
    if (queue.length > 0) flush()
    else wakeIdle()
  }

  const wakeIdle = () => {
    if (flights.size === 0) for (const wake of idleWaiters.splice(0)) wake()
  }

  /** True when the item is with another worker now. */
  const putElsewhere = (waiter: Waiter<Item, Answer>): boolean => {
    const answer = options.elsewhere(waiter.item, waiter.submittedAt)
    if (answer === undefined) return false
    waiter.pending++
    answer.then(waiter.resolve, (error: unknown) => fail(waiter, error))
    return true
  }

  const rescueWaiting = () => {
    const kept: Waiter<Item, Answer>[] = []
    for (const waiter of queue) {
      if (putElsewhere(waiter)) {
        waiter.pending-- // It was never sent from here.
        queueBytes -= waiter.bytes
        queueWeight -= waiter.weight
      } else kept.push(waiter)
    }
    queue = kept
  }

  return {
    submit(item, bytes, weight = 1) {
      if (queueBytes + bytes > options.waitingBytesMax && queueBytes > 0) {
        return Promise.reject(overloaded('batcher is full'))
      }
      return new Promise<Answer>((resolve, reject) => {
        const submittedAt = options.now()
        queue.push({ item, bytes, weight, submittedAt, resolve, reject, pending: 1 })
        queueBytes += bytes
        queueWeight += weight
        if (deferred || !mayStart()) return
        deferred = true
        options.defer(flush)
      })
    },
    rescue(sentBefore) {
      for (const flight of flights) {
        if (flight.sentAt > sentBefore || flight.alone.length === 0) continue
        flight.alone = flight.alone.filter((waiter) => !putElsewhere(waiter))
      }
      rescueWaiting()
      if (queue.length === 0) wakeIdle()
    },
    waiting: () => ({ items: queue.length, bytes: queueBytes }),
    waitingBytes: () => queueBytes,
    inFlight: () => flights.size,
    drained() {
      if (queue.length === 0 && flights.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        idleWaiters.push(resolve)
      })
    },
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
