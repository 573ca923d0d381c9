/** Turns of a worker at things that are due, under leases. */
import type { Fields, Log } from '../core/log.ts'

export type DueTurns<Taken> = {
  readonly log: Log
  /** Message of the log about a turn that failed. */
  readonly failure: string
  /** Things that are taken at a time; their questions share the connections for queries. */
  readonly most: number
  readonly take: (count: number) => Promise<readonly Taken[]>
  readonly run: (taken: Taken) => Promise<void>
  readonly factsOf: (taken: Taken) => Fields
}

/**
 * Runs everything that is due, a few at a time. What fails for a reason of the store is due again
 * when its lease has ended.
 * @throws {PostgresError} when nothing can be taken. Safe to retry.
 */
export async function runDueTurns<Taken>(
  { log, failure, most, take, run, factsOf }: DueTurns<Taken>,
  signal: AbortSignal,
): Promise<void> {
  let taken = most
  while (taken === most && !signal.aborted) {
    const due = await take(most)
    const turns = due.map(async (each) => {
      try {
        await run(each)
      } catch (error) {
        if (!signal.aborted) log.warn(failure, { ...factsOf(each), error })
      }
    })
    await Promise.all(turns)
    taken = due.length
  }
}
