/** Runs the simulation of the copy for a range of seeds. */
import { type CopyRunOptions, type CopyRunResult, runCopySeed } from './run.ts'

export type CopyTried = {
  readonly runs: number
  readonly steps: number
  readonly blocks: number
  readonly failed: readonly CopyRunResult[]
}

const FAILED_MAX = 5

/** Runs `count` seeds from `from` on, until some have failed. */
export async function tryCopySeeds(
  from: number,
  count: number,
  options: CopyRunOptions = {},
): Promise<CopyTried> {
  const failed: CopyRunResult[] = []
  let [runs, steps, blocks] = [0, 0, 0]
  while (runs < count && failed.length < FAILED_MAX) {
    const result = await runCopySeed(from + runs, options)
    runs += 1
    steps += result.steps
    blocks += result.counts.blocks ?? 0
    if (result.failure !== undefined) failed.push(result)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { runs, steps, blocks, failed }
}
