import { AppError } from '../../src/core/code.ts'

/**
 * Collects calls to one worker into micro-batches. What arrives within one turn of the event loop
 * goes out together, and while every call slot is busy the next batch grows: no timer, so a lone
 * request never waits. Bounded by bytes.
 *
 *   submit -> waiting (bytes) -> [slot free] -> send(items) -> answers in the order of the items
 */
export type Batcher<Item, Answer> = {
  /**
   * @throws {AppError} `resource_exhausted` when the bytes waiting are at their bound (nothing was
   * sent), or what `send` failed with (the outcome is unknown).
   */
  submit(item: Item, bytes: number, weight?: number): Promise<Answer>
  waiting(): { readonly items: number; readonly bytes: number }
  inFlight(): number
  /** Resolves when nothing waits and no call is in flight. */
  drained(): Promise<void>
}

export type BatcherOptions<Item, Answer> = {
  /** Answers one value for each item, in order. */
  send: (items: readonly Item[]) => Promise<readonly Answer[]>
  /** Calls under way before the next batch waits and grows. */
  slots: number
  /** The same for batches that cannot grow: what is full gains nothing by waiting. */
  fullSlots: number
  /** Sum of the weights of one batch; a single heavier item travels alone. */
  weightMax: number
  /** Of one batch; a single larger item travels alone. */
  batchBytesMax: number
  waitingBytesMax: number
  /** Runs the callback after the I/O of this turn of the event loop. */
  defer: (run: () => void) => void
}

type Waiter<Item, Answer> = {
  readonly item: Item
  readonly bytes: number
  readonly weight: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export function createBatcher<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
): Batcher<Item, Answer> {
  let queue: Waiter<Item, Answer>[] = []
  let queueBytes = 0
  let queueWeight = 0
  let busySlots = 0
  let deferred = false
  const idleWaiters: (() => void)[] = []

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
    busySlots < options.slots ||
    (busySlots < options.fullSlots &&
      (queueWeight >= options.weightMax || queueBytes >= options.batchBytesMax))

  const flush = () => {
    deferred = false
    while (queue.length > 0 && mayStart()) {
      busySlots++
      void sendBatch(take())
    }
  }

  const sendBatch = async (batch: readonly Waiter<Item, Answer>[]) => {
    try {
      const answers = await options.send(batch.map(({ item }) => item))
      if (answers.length !== batch.length) {
        throw new AppError('internal', `${answers.length} answers to ${batch.length} items`)
      }
      for (const [index, waiter] of batch.entries()) waiter.resolve(answers[index] as Answer)
    } catch (error) {
      for (const waiter of batch) waiter.reject(error)
    }
    busySlots--
    if (queue.length > 0) flush()
    else if (busySlots === 0) for (const wake of idleWaiters.splice(0)) wake()
  }

  return {
    submit(item, bytes, weight = 1) {
      if (queueBytes + bytes > options.waitingBytesMax && queueBytes > 0) {
        const detail = { type: 'server_error', code: 'server_error', detail: 'Server is busy.' }
        return Promise.reject(
          new AppError('resource_exhausted', 'batcher is full', {
            detail: { ...detail, attr: null, retryAfterS: 1 },
          }),
        )
      }
      return new Promise<Answer>((resolve, reject) => {
        queue.push({ item, bytes, weight, resolve, reject })
        queueBytes += bytes
        queueWeight += weight
        if (deferred || !mayStart()) return
        deferred = true
        options.defer(flush)
      })
    },
    waiting: () => ({ items: queue.length, bytes: queueBytes }),
    inFlight: () => busySlots,
    drained() {
      if (queue.length === 0 && busySlots === 0) return Promise.resolve()
      return new Promise((resolve) => {
        idleWaiters.push(resolve)
      })
    },
  }
}
