/** Tries inputs until the time is up, and makes what fails small. */
import type { Benches } from './benches.ts'
import { type CorpusFile, inputOf } from './inputs.ts'
import { minimise } from './minimise.ts'
import type { Bench, TargetName } from './target.ts'

/** Inputs that are under way beside each other. */
const LANES = 8
/** Inputs between two looks at the process. */
const ROUND = 64
/** Others of the same target are likely the same mistake. */
const FAULTS_MAX = 5

export type Found = {
  readonly target: TargetName
  readonly seed: number
  readonly fault: string
  readonly path: string
}
export type Outcome = { readonly inputs: number; readonly found: readonly Found[] }

export type RunOptions = {
  /** The first input's; the others count up. */
  readonly seed: number
  /** Whether another round is begun. */
  readonly goesOn: (tried: number) => boolean
  readonly inputsMax: number
  readonly corpus: readonly CorpusFile[]
  /** Keeps a failing input that was made small, and answers where. */
  readonly keep: (target: TargetName, seed: number, input: Buffer) => string
}

/** Rounds of one target. What it finds is written to the corpus. */
export async function runTarget(
  benches: Benches,
  target: TargetName,
  { seed, goesOn, inputsMax, corpus, keep }: RunOptions,
): Promise<Outcome> {
  const bench = benches.of(target)
  const found: Found[] = []
  let tried = 0
  while (tried < inputsMax && found.length < FAULTS_MAX && goesOn(tried)) {
    const count = Math.min(ROUND, inputsMax - tried)
    const seeds = Array.from({ length: count }, (_, index) => seed + tried + index)
    const input = (each: number) => inputOf(target, each, corpus)
    const suspects = await tryRound(bench, seeds, input)
    for (const each of suspects) {
      const fault = await tryAlone(bench, input(each))
      if (fault === undefined) continue
      const small = await minimise(
        input(each),
        async (less) => (await tryAlone(bench, less)) !== undefined,
      )
      found.push({ target, seed: each, fault, path: keep(target, each, small) })
      if (found.length >= FAULTS_MAX) break
    }
    tried += count
  }
  return { inputs: tried, found }
}

/** Seeds that may be at fault: one alone where its own verdict says so, all where the process does. */
async function tryRound(
  bench: Bench,
  seeds: readonly number[],
  input: (seed: number) => Buffer,
): Promise<readonly number[]> {
  const waiting = [...seeds]
  const failed: number[] = []
  const lane = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      if ((await verdictOf(bench, input(seed))) !== undefined) failed.push(seed)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const fault = await bench.look()
  if (failed.length > 0) return failed
  if (fault === undefined) return []
  process.stderr.write(`a round of inputs: ${fault}\n`)
  return seeds
}

/** Undefined unless it fails twice: what a busy machine or a first use took is no fault of it. */
async function tryAlone(bench: Bench, input: Buffer): Promise<string | undefined> {
  const fault = await tryOnce(bench, input)
  return fault === undefined ? undefined : await tryOnce(bench, input)
}

/** Effect of an input on a process that is well. */
export async function tryOnce(bench: Bench, input: Buffer): Promise<string | undefined> {
  if ((await bench.look()) !== undefined && (await bench.look()) !== undefined) await bench.renew()
  const verdict = await verdictOf(bench, input)
  const fault = await bench.look()
  return verdict ?? fault
}

async function verdictOf(bench: Bench, input: Buffer): Promise<string | undefined> {
  try {
    return await bench.judge(input)
  } catch (error) {
    // A connection that is refused: the process has ended, which the look says better.
    return (await bench.look()) ?? `the input could not be sent: ${String(error)}`
  }
}
