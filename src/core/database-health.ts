/**
 * Judges whether the database answers a worker's reads, in one place, for all callers that can
 * answer without it, for example from what they knew before.
 *
 *   here -> (a read is late or cannot reach it, and its probe fails too) -> away
 *   away -> (a probe is answered) -> here
 *
 * `here`: each read is made. A late or lost read proves nothing: this process may have been paused,
 * or may have asked for too much. So a probe asks the database for nothing, on a connection that no
 * read can hold up. `away`: each read is refused at once, so that no caller waits, while probes
 * continue beside the callers, one at a time.
 *
 * The writer alone judges whether the database takes writes: see ADR 38.
 */
import type { Clock } from './clock.ts'
import { AppError, assert } from './code.ts'
import { withDeadline, within } from './deadline.ts'
import type { Log } from './log.ts'

/** Interval of probes while the database is away, beside the answers. */
export const AWAY_PROBE_MS = 250
/** A database that is away has at most one such question at a time, given up after this. */
export const AWAY_PROBE_ATTEMPT_MS = 2_000
/** A late read is repeated once; the database is away when that takes this long, too. */
export const LATE_PROBE_ATTEMPT_MS = 1_000
assert(AWAY_PROBE_MS < AWAY_PROBE_ATTEMPT_MS, 'a late answer of a probe still counts')

export type DatabaseHealthDeps = {
  readonly clock: Clock
  readonly log: Log
  /** True for a failure to reach the database; false for an error that it has answered. */
  readonly isUnreachable: (error: unknown) => boolean
  /** Reads nothing, apart from all reads; rejects when the database does not answer. */
  readonly probe: () => Promise<unknown>
}

/** Reads of one kind. */
export type GuardedReads = {
  /** @throws errors of `read`; `unavailable` when it is late or not made. Both are logged. */
  ask<T>(read: () => Promise<T>): Promise<T>
}

export type DatabaseHealth = {
  readonly isAway: boolean
  /**
   * @param what name of the reads in the log.
   * @param ms after which a read is late.
   */
  reads(what: string, ms: number): GuardedReads
}

export function createDatabaseHealth(deps: DatabaseHealthDeps): DatabaseHealth {
  return new ReadHealth(deps)
}

/** A read that was not answered by its deadline. */
class LateReadError extends AppError {}

class ReadHealth implements DatabaseHealth {
  readonly #deps: DatabaseHealthDeps
  #away: { readonly probeAt: number } | undefined
  #isProbed = false

  constructor(deps: DatabaseHealthDeps) {
    this.#deps = deps
  }

  get isAway(): boolean {
    return this.#away !== undefined
  }

  reads(what: string, ms: number): GuardedReads {
    const { clock, log } = this.#deps
    // A defect may fail every read: only the first of a row is logged.
    let isFailing = false
    return {
      ask: async (read) => {
        if (this.#away !== undefined) {
          if (clock.monotonic() >= this.#away.probeAt) void this.#probe(AWAY_PROBE_ATTEMPT_MS, what)
          throw new AppError('unavailable', `${what}: the database is away`)
        }
        try {
          const answer = await within(clock, { ms }, read(), (): never => {
            throw new LateReadError('unavailable', `${what} took longer than ${ms} ms`)
          })
          isFailing = false
          return answer
        } catch (error) {
          const isLate = error instanceof LateReadError
          if (isLate) log.warn('read is late', { what, ms })
          // It never rejects.
          if (isLate || this.#isAbsence(error)) void this.#probe(LATE_PROBE_ATTEMPT_MS, what, error)
          else if (!isFailing) log.error('read failed', { what, error })
          isFailing = true
          throw error
        }
      },
    }
  }

  /** The error says that the database is away. A deadline that ran out is `unavailable` too. */
  #isAbsence(error: unknown): boolean {
    const isUnavailable = error instanceof AppError && error.code === 'unavailable'
    return isUnavailable || this.#deps.isUnreachable(error)
  }

  /** Never rejects. @param cause reason for the probe while the database counts as here. */
  async #probe(ms: number, what: string, cause?: unknown): Promise<void> {
    if (this.#isProbed) return
    this.#isProbed = true
    try {
      await withDeadline(this.#deps.clock, { ms, what: 'probe of the database' }, this.#ask())
      this.#come(what)
    } catch (error) {
      // Any response, even an error, shows that the database is reachable.
      if (this.#isAbsence(error)) this.#leave(what, cause ?? error)
      else this.#come(what)
    } finally {
      this.#isProbed = false
    }
  }

  /** Turns a synchronous throw of the probe into a rejection. */
  async #ask(): Promise<void> {
    await this.#deps.probe()
  }

  #leave(what: string, error: unknown): void {
    const { clock, log } = this.#deps
    if (this.#away === undefined) log.warn('database is away', { what, error })
    this.#away = { probeAt: clock.monotonic() + AWAY_PROBE_MS }
  }

  #come(what: string): void {
    if (this.#away === undefined) return
    this.#away = undefined
    this.#deps.log.info('database is back', { what })
  }
}
