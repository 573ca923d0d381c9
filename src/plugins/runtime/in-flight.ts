/** Bounds the work that a loop starts. */
import type { Clock } from '../../core/clock.ts'
import { within } from '../../core/deadline.ts'

/** Work under way beside a loop, by key, in a bounded number of pieces. */
export type InFlight<Key, Piece> = {
  free(): number
  pieces(): readonly Piece[]
  /** The caller must start no more than are free. `work` must not reject. */
  start(key: Key, piece: Piece, work: Promise<void>): void
  /** Resolves after the time, at the abort, or with `orEnd` when a piece has ended. */
  rest(ms: number, signal: AbortSignal, orEnd: boolean): Promise<void>
  /** Resolves when nothing is under way, or after the time. */
  settle(ms: number): Promise<void>
}

export function createInFlight<Key, Piece>(clock: Clock, max: number): InFlight<Key, Piece> {
  const running = new Map<Key, { readonly piece: Piece; readonly ended: Promise<void> }>()
  let ends = 0
  let onEnd: () => void = () => {}

  return {
    free: () => max - running.size,
    pieces: () => [...running.values()].map(({ piece }) => piece),
    start(key, piece, work) {
      const ended = work.then(() => {
        running.delete(key)
        ends += 1
        onEnd()
      })
      running.set(key, { piece, ended })
    },
    async rest(ms, signal, orEnd) {
      // A piece that ended since the last rest counts too.
      const hasEnded = ends > 0
      ends = 0
      if (orEnd && hasEnded) return
      const woken = new AbortController()
      const wake = () => woken.abort()
      if (orEnd) onEnd = wake
      if (signal.aborted) wake()
      signal.addEventListener('abort', wake, { once: true })
      await clock.sleep(ms, woken.signal).catch(() => {
        // Aborted: the loop checks its signal.
      })
      signal.removeEventListener('abort', wake)
      onEnd = () => {}
      ends = 0
    },
    async settle(ms) {
      const all = Promise.all([...running.values()].map(({ ended }) => ended))
      await within(clock, { ms }, all, () => {})
    },
  }
}
