/** Runs the simulation for a range of seeds. */
import { type RunOptions, type RunResult, runSeed } from './run.ts'

export type Tried = {
  readonly runs: number
  readonly events: number
  /** Virtual seconds. */
  readonly seconds: number
  readonly failed: readonly RunResult[]
}

/** A few failures of one kind are enough. */
const FAILED_MAX = 5

/** Runs `count` seeds from `from` on, until some have failed. */
export async function trySeeds(
  from: number,
  count: number,
  options: RunOptions = {},
): Promise<Tried> {
  const failed: RunResult[] = []
  let events = 0
  let ms = 0
  let runs = 0
  while (runs < count && failed.length < FAILED_MAX) {
    const result = await runSeed(from + runs, options)
    runs += 1
    events += result.steps
    ms += result.ms
    if (result.failure !== undefined) failed.push(result)
    // A run is synchronous for real timers: the test's own timers run between two runs.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { runs, events, seconds: Math.round(ms / 1_000), failed }
}

/** The command that shows the run again. */
export function howToReplay({ seed, failure }: RunResult, kind: string): string {
  const setting = kind === 'faults' ? '' : `SIM_KIND=${kind} `
  return `seed ${seed}: ${failure}; ${setting}SEED=${seed} node --import tsx test/sim/seeds.test.ts`
}
