/** Waits that end at a deadline. The work itself continues; its later outcome is dropped. */
import type { Clock } from './clock.ts'
import { AppError } from './code.ts'

/**
 * `keepsAlive`: the process does not end while it waits, which a shutdown needs. Other waits do not
 * hold up the end of the process.
 */
export type Deadline = { readonly ms: number; readonly keepsAlive?: boolean }

const ENDED = 'ended'

/**
 * Resolves as `work` does, or with the result of `late` at the deadline.
 * @throws the rejection of `work` before the deadline, or the error of `late`.
 */
export async function within<T, L>(
  clock: Clock,
  { ms, keepsAlive = false }: Deadline,
  work: Promise<T>,
  late: () => L,
): Promise<T | L> {
  let cancel: () => void = () => {}
  const timeUp = new Promise<void>((resolve) => {
    if (!keepsAlive) {
      cancel = clock.after(ms, resolve)
      return
    }
    const ended = new AbortController()
    cancel = () => ended.abort(ENDED) // A reason of its own would be an error with its stack.
    clock.sleep(ms, ended.signal).then(resolve, () => {
      // The work has ended first.
    })
  })
  try {
    return await Promise.race([work, timeUp.then(late)])
  } finally {
    cancel()
  }
}

/**
 * Resolves as `work` does, unless it takes longer than `ms`.
 * @throws {AppError} `unavailable` at the deadline; the rejection of `work` before it.
 */
export function withDeadline<T>(
  clock: Clock,
  { ms, what }: { ms: number; what: string },
  work: Promise<T>,
): Promise<T> {
  return within(clock, { ms }, work, (): never => {
    throw new AppError('unavailable', `${what} took longer than ${ms} ms`)
  })
}
