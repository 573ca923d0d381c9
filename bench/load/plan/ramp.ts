/** The rates of a ramp, and the runs at each of them. */
import { err, ok, type Result } from '../../../src/core/result.ts'

const STEPS_MAX = 100
const RATE_MAX = 1_000_000

/** Reads `1000,2000,4000`: arrivals a second, each more than the one before. */
export function parseRamp(text: string): Result<number[], string> {
  const rates: number[] = []
  for (const part of text.split(',')) {
    const rate = /^\d{1,7}(\.\d{1,3})?$/.test(part.trim()) ? Number(part) : Number.NaN
    if (!(rate > 0 && rate <= RATE_MAX)) return err(`'${part}' is not a rate up to ${RATE_MAX}`)
    // A lower step after a higher one would also measure how the server recovers.
    if (rate <= (rates.at(-1) ?? 0)) return err(`${rate} is not above the rate before it`)
    rates.push(rate)
  }
  if (rates.length > STEPS_MAX) return err(`more than ${STEPS_MAX} steps`)
  return ok(rates)
}

/** Names the run of a step, also in comparisons of two ramps. */
export function stepName(ratePerS: number): string {
  return `${ratePerS}/s`
}

/**
 * One run for each rate, until the generator itself is at its limit: higher rates would tell
 * nothing about the server. Such a step is measured twice, and the second run counts: a burst of
 * another program ends, and a generator at its limit stays there.
 */
export async function climb<R extends { readonly generator: { readonly saturated?: unknown } }>(
  rates: readonly number[],
  measure: (ratePerS: number, number: number) => Promise<R>,
): Promise<(R & { readonly name: string })[]> {
  const runs: (R & { readonly name: string })[] = []
  for (const [index, ratePerS] of rates.entries()) {
    let run = await measure(ratePerS, index + 1)
    if (run.generator.saturated !== undefined) run = await measure(ratePerS, index + 1)
    runs.push({ name: stepName(ratePerS), ...run })
    if (run.generator.saturated !== undefined) break
  }
  return runs
}
