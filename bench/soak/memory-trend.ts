/** Tells from samples whether memory grows. Pure. */

export type Sample = { readonly atMs: number; readonly mb: number }

export type Trend = {
  /** Least squares over the window, MB an hour. */
  readonly slopeMbPerHour: number
  /** Growth over the window, in percent of the mean in the window. */
  readonly growthPercent: number
  /** Two standard errors of `growthPercent`; each garbage collection moves memory. */
  readonly errorPercent: number
  /** Maximum of all samples. */
  readonly maxMb: number
  /**
   * `unclear` where the change is no larger than its error, `too short` where the window has fewer
   * than three samples.
   */
  readonly verdict: 'flat' | 'grows' | 'falls' | 'unclear' | 'too short'
}

/** The first third is left out as warm-up. */
const WINDOW_SHARE = 2 / 3
const FLAT_PERCENT = 5
const SAMPLES_MIN = 3
const HOUR_MS = 3_600_000

/** @param samples of one group, oldest first. The window is their last two thirds. */
export function trendOf(samples: readonly Sample[]): Trend {
  const maxMb = samples.reduce((max, { mb }) => Math.max(max, mb), 0)
  const window = samples.slice(samples.length - Math.floor(samples.length * WINDOW_SHARE))
  if (window.length < SAMPLES_MIN) {
    const unknown = {
      slopeMbPerHour: Number.NaN,
      growthPercent: Number.NaN,
      errorPercent: Number.NaN,
    }
    return { ...unknown, maxMb, verdict: 'too short' }
  }
  const { slope, error } = lineOf(window)
  const spanMs = (window.at(-1)?.atMs ?? 0) - (window[0]?.atMs ?? 0)
  const percent = (spanMs / meanOf(window.map(({ mb }) => mb))) * 100
  const growthPercent = slope * percent
  const errorPercent = 2 * error * percent
  return {
    slopeMbPerHour: slope * HOUR_MS,
    growthPercent,
    errorPercent,
    maxMb,
    verdict: verdictOf(growthPercent, errorPercent),
  }
}

function verdictOf(growthPercent: number, errorPercent: number): Trend['verdict'] {
  if (Math.abs(growthPercent) < FLAT_PERCENT) return 'flat'
  if (Math.abs(growthPercent) <= errorPercent) return 'unclear'
  return growthPercent > 0 ? 'grows' : 'falls'
}

/** MB a millisecond by least squares, and the standard error of that. */
function lineOf(samples: readonly Sample[]): { slope: number; error: number } {
  const meanAt = meanOf(samples.map(({ atMs }) => atMs))
  const meanMb = meanOf(samples.map(({ mb }) => mb))
  let both = 0
  let spread = 0
  for (const { atMs, mb } of samples) {
    both += (atMs - meanAt) * (mb - meanMb)
    spread += (atMs - meanAt) ** 2
  }
  const slope = both / spread
  let off = 0
  for (const { atMs, mb } of samples) off += (mb - meanMb - slope * (atMs - meanAt)) ** 2
  return { slope, error: Math.sqrt(off / (samples.length - 2) / spread) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
