/** Measures how fast a count rises. */
import type { Clock } from '../clock.ts'
import { assert } from '../code.ts'

/** Window of rates, and interval of reading counts, in milliseconds. */
const RATE_WINDOW_MS = 10_000
const RATE_SAMPLE_MS = 1_000
assert(RATE_WINDOW_MS % RATE_SAMPLE_MS === 0, 'a window is whole samples')

/** Rate of a count: over the last 10 s, or since the start while that is shorter. */
export type RateMeter = {
  perSecond(): number
  /** Ends the sampling. */
  close(): void
}

type Sample = { readonly at: number; readonly count: number }

const SAMPLES_MAX = RATE_WINDOW_MS / RATE_SAMPLE_MS + 1

/** @param read a count that only rises; read once a second. */
export function createRateMeter(clock: Pick<Clock, 'monotonic' | 'after'>, read: () => number) {
  const samples: Sample[] = []
  let cancel: () => void = () => {}

  const sample = () => {
    samples.push({ at: clock.monotonic(), count: read() })
    if (samples.length > SAMPLES_MAX) samples.shift()
    cancel = clock.after(RATE_SAMPLE_MS, sample)
  }
  sample()

  const meter: RateMeter = {
    perSecond() {
      const now = clock.monotonic()
      // After a pause of the process, samples are older than the window.
      const first = samples.find(({ at }) => now - at <= RATE_WINDOW_MS) ?? samples.at(-1)
      if (first === undefined || now <= first.at) return 0
      return (1_000 * (read() - first.count)) / (now - first.at)
    },
    close: () => cancel(),
  }
  return meter
}
