/** Waits between the attempts at one thing. */

/** The first wait, which doubles up to `maxMs`; without `maxMs` the attempts must be bounded. */
export type Backoff = { readonly firstMs: number; readonly maxMs?: number }

/** Milliseconds to wait after this many failures in a row (from 1), without jitter. */
export function backoffMs(
  { firstMs, maxMs = Number.POSITIVE_INFINITY }: Backoff,
  failures: number,
): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs)
}

/** Half to all of the wait: callers that failed together do not retry together. */
export function halfJitter(ms: number, random: () => number): number {
  return ms * (0.5 + random() / 2)
}
