import { type RunOptions, type RunResult, runSeed } from './run.ts'

export type Tried = {
  readonly runs: number
  readonly events: number
  /** Virtual seconds. */
  readonly seconds: number
  readonly failed: readonly RunResult[]
}

/** Failures of one kind are enough to begin with. */
const FAILED_MAX = 5

/**
 * Runs `count` seeds from `from` on, until some have failed, or until real time has passed that
 * somebody would rather spend otherwise.
 */
export async function trySeeds(
  from: number,
  count: number,
  { secondsMax = Number.POSITIVE_INFINITY, ...options }: RunOptions & { secondsMax?: number } = {},
): Promise<Tried> {
  const until = performance.now() + 1_000 * secondsMax
  const failed: RunResult[] = []
  let events = 0
  let ms = 0
  let runs = 0
  while (runs < count && failed.length < FAILED_MAX && performance.now() < until) {
    const result = await runSeed(from + runs, options)
    runs += 1
    events += result.steps
    ms += result.ms
    if (result.failure !== undefined) failed.push(result)
    // A run lets nothing real happen: a test's own timers have their turn between two.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { runs, events, seconds: Math.round(ms / 1_000), failed }
}

/** What to type to see the run again. */
export function howToReplay({ seed, failure }: RunResult, kind: string): string {
  const setting = kind === 'faults' ? '' : `SIM_KIND=${kind} `
  return `seed ${seed}: ${failure}; ${setting}SEED=${seed} node --import tsx test/sim/seeds.test.ts`
}
