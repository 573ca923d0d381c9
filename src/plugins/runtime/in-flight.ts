import type { Clock } from '../../core/clock.ts'

/** Work under way beside a loop: so many pieces at a time, by key. */
export type InFlight<Key, Piece> = {
  free(): number
  pieces(): readonly Piece[]
  /** The loop starts no more than are free. `work` must not reject. */
  start(key: Key, piece: Piece, work: Promise<void>): void
  /** Resolves after the time, with the abort, or once a piece has ended if `orEnd`. */
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
      // What has ended since the last rest is as good as what ends now.
      const hasEnded = ends > 0
      ends = 0
      if (orEnd && hasEnded) return
      const woken = new AbortController()
      const wake = () => woken.abort()
      if (orEnd) onEnd = wake
      if (signal.aborted) wake()
      signal.addEventListener('abort', wake, { once: true })
      await clock.sleep(ms, woken.signal).catch(() => {
        // Woken: the loop looks why.
      })
      signal.removeEventListener('abort', wake)
      onEnd = () => {}
      ends = 0
    },
    async settle(ms) {
      let cancel: () => void = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(ms, resolve)
      })
      const all = Promise.all([...running.values()].map(({ ended }) => ended))
      await Promise.race([all, late])
      cancel()
    },
  }
}
