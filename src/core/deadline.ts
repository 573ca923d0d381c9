import type { Clock } from './clock.ts'
import { AppError } from './code.ts'

/**
 * What `work` resolves with, unless it takes longer than `ms`. The work itself is not ended: its
 * later outcome is dropped.
 * @throws {AppError} `unavailable` at the deadline; what `work` rejects with before it.
 */
export async function withDeadline<T>(
  clock: Clock,
  { ms, what }: { ms: number; what: string },
  work: Promise<T>,
): Promise<T> {
  let cancel: () => void = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(ms, () => {
      reject(new AppError('unavailable', `${what} took longer than ${ms} ms`))
    })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
