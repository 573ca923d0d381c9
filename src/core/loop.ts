import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export type LoopDeps = { clock: Clock; log: Log; random: () => number }
export type LoopOptions = { name: string; intervalMs: number; jitterMs: number }

/**
 * Calls `work`, pauses `intervalMs` plus up to `jitterMs`, and repeats until `signal` aborts. Calls
 * never overlap. Resolves when the last call has ended. A failed call is logged and the loop
 * continues: a process whose loop has ended silently would look healthy.
 */
export async function runLoop(
  { clock, log, random }: LoopDeps,
  { name, intervalMs, jitterMs }: LoopOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) log.warn('loop tick failed', { loop: name, error })
    }
    await clock.sleep(intervalMs + random() * jitterMs, signal).catch(() => {
      // The abort ended the sleep; the condition above ends the loop.
    })
  }
}
