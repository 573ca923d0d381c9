import type { Clock } from '../../src/core/clock.ts'
import { AppError, type Code } from '../../src/core/code.ts'
import { withDeadline } from '../../src/core/deadline.ts'
import { noWorker } from './no-worker.ts'

/** Workers that one item is put to after the first one failed. */
const FURTHER_TRIES_MAX = 2

/** Codes after which another worker may get the same item. */
const ELSEWHERE: ReadonlySet<string> = new Set<Code>([
  'unavailable',
  'deadline_exceeded',
  'not_owner',
])

/** A kind of items that any worker may answer, and more than one without harm. */
export type Kind<Item, Answer, Worker> = {
  best(item: Item): Worker | undefined
  next(item: Item, tried: readonly Worker[], only?: 'healthy'): Worker | undefined
  submit(worker: Worker, item: Item): Promise<Answer>
  /** Code of an answer that means a failure; empty in a real answer. */
  codeOf(answer: Answer): string
  /** Milliseconds for all tries together. */
  deadlineMs(item: Item): number
}

export type Failover<Item, Answer, Worker> = {
  /**
   * Sends the item to the best worker. At most FURTHER_TRIES_MAX others get it when that one does
   * not answer, and one other when it says that it cannot.
   * @throws {AppError} what the last one failed with.
   */
  ask(item: Item): Promise<Answer>
  /**
   * Sends an item that `from` does not answer to others. `undefined` when no healthy one is left.
   */
  hedge(from: Worker, item: Item, submittedAt: number): Promise<Answer> | undefined
}

/** Result of a try. An answer may mean a failure. */
type Tried<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly error: unknown }

export function createFailover<Item extends object, Answer, Worker>(
  deps: { clock: Clock; onFailover: () => void; onHedge: () => void },
  kind: Kind<Item, Answer, Worker>,
): Failover<Item, Answer, Worker> {
  const { clock } = deps
  /**
   * Items whose hedge goes through the other workers already: no worker is left for a second one.
   */
  const hedged = new WeakSet<Item>()

  const attempt = async (worker: Worker, item: Item, ms: number): Promise<Tried<Answer>> => {
    try {
      const work = kind.submit(worker, item)
      return { kind: 'answer', answer: await withDeadline(clock, { ms, what: 'a retry' }, work) }
    } catch (error) {
      if (!goesElsewhere(error)) throw error
      return { kind: 'error', error }
    }
  }

  /** @param first why others are tried; the result when no other can be. */
  const tryOthers = async (
    { item, startedAt, first }: { item: Item; startedAt: number; first: Tried<Answer> },
    tried: Worker[],
    go: () => boolean,
  ): Promise<Answer> => {
    let last = first
    const triesMax = first.kind === 'answer' ? 1 : FURTHER_TRIES_MAX
    for (let tries = 0; tries < triesMax; tries++) {
      const worker = kind.next(item, tried)
      const leftMs = startedAt + kind.deadlineMs(item) - clock.monotonic()
      if (worker === undefined || leftMs <= 0 || !go()) break
      tried.push(worker)
      last = await attempt(worker, item, leftMs)
      if (last.kind === 'answer') return last.answer
    }
    if (first.kind === 'answer') return first.answer
    throw last.kind === 'error' ? last.error : noWorker()
  }

  return {
    async ask(item) {
      const worker = kind.best(item)
      if (worker === undefined) throw noWorker()
      const startedAt = clock.monotonic()
      let first: Tried<Answer>
      try {
        const answer = await kind.submit(worker, item)
        const code = kind.codeOf(answer)
        if (code === '' || !ELSEWHERE.has(code)) return answer
        first = { kind: 'answer', answer }
      } catch (error) {
        if (!goesElsewhere(error)) throw error
        first = { kind: 'error', error }
      }
      return tryOthers({ item, startedAt, first }, [worker], () => {
        if (hedged.has(item)) return false
        deps.onFailover()
        return true
      })
    },
    hedge(from, item, submittedAt) {
      if (kind.next(item, [from], 'healthy') === undefined) return undefined
      hedged.add(item)
      deps.onHedge()
      const first = { kind: 'error', error: noWorker() } as const
      return tryOthers({ item, startedAt: submittedAt, first }, [from], () => true)
    },
  }
}

function goesElsewhere(error: unknown): boolean {
  return error instanceof AppError && ELSEWHERE.has(error.code)
}
