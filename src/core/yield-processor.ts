/** Threads that let others have the processors. */
import { setPriority } from 'node:os'

/** Beside a thread of the usual priority, one with this gets a tenth of a processor. */
export const YIELDING_PRIORITY = 10

/**
 * Lowers the priority of the thread that calls it, for good: what it computes then waits for event
 * loops, not they for it. Linux alone has priorities of threads; elsewhere nothing happens, since
 * it would be the whole process.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(YIELDING_PRIORITY)
  } catch {
    // A sandbox of the system may forbid it: the thread then works as it is.
  }
}
