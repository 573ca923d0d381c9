/** Bounds the queries of a worker, and those of each organization. */
import type { Clock } from '../core/clock.ts'
import { AppError, assert } from '../core/code.ts'
import { createGate, type Gate } from '../core/gate.ts'
import type { OrganizationId } from '../core/ids.ts'
import { createBudgets } from '../core/limits/budgets.ts'
import { EVENT_SCANS_CONNECTIONS, EVENT_SCANS_WAIT_MS } from '../core/limits/limits-query.ts'
import { throttledDetail } from '../wire/details.ts'

/** Queries of one organization that run at a time, and that wait; over it new ones get 429. */
export const EVENT_SCANS_RUNNING_MAX = 2
export const EVENT_SCANS_WAITING_MAX = 64
/** Queries of all organizations that wait for a connection, at most two of each. */
const EVENT_SCANS_WORKER_WAITING_MAX = 256
/** Default share of the time in which queries of one organization run, and burst in ms. */
export const EVENT_SCANS_SHARE = 0.5
export const EVENT_SCANS_BURST_MS = 2_000
/** Milliseconds charged for each MiB of an answer, for the work beside the query. */
export const EVENT_SCANS_MEBIBYTE_MS = 20
assert(EVENT_SCANS_RUNNING_MAX < EVENT_SCANS_CONNECTIONS, 'no organization has all connections')

/** The queries of one organization. */
export type Scans = {
  /**
   * Runs `work` in the order of the organization's calls, once earlier ones are paid for.
   * @param bytesOf size of the answer, which is charged too.
   * @throws {AppError} `resource_exhausted` when too many calls wait, or this one has waited or
   * would wait too long; `cancelled` when `signal` aborts before `work` has begun; errors of
   * `work`.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>, bytesOf?: (answer: T) => number): Promise<T>
}

/**
 * Bypasses the limiter, for work of the worker that asks few questions at a time: no user waits
 * behind it.
 */
export const UNLIMITED: Scans = { run: (_signal, work) => work() }

export type QueryLimiterOptions = {
  /** Share of the time that queries of an organization may run on average. */
  readonly share?: number
  /** True when other organizations use the instance; without them no pause is needed. */
  readonly hasOthers?: () => Promise<boolean>
}

/**
 * Limits the queries of organizations, each of which may read all events of a project for seconds.
 * Queries have their own connections, and no organization can occupy all of them: each has few
 * slots, and calls that hold one take turns with calls of other organizations for the worker's
 * connections. An organization also pays with pauses for the time of its queries and the bytes of
 * their answers, unless it is the only one on the instance.
 */
export type QueryLimiter = {
  /** @param waitMs longest wait for a place. @default EVENT_SCANS_WAIT_MS */
  of(organization: OrganizationId, waitMs?: number): Scans
}

type Turn = {
  readonly organization: OrganizationId
  readonly waitMs: number
  readonly signal: AbortSignal
}

const RETRY_AFTER_S = 2
const MEBIBYTE = 1_048_576

export function createQueryLimiter(clock: Clock, options: QueryLimiterOptions = {}): QueryLimiter {
  const budgets = createBudgets<OrganizationId>(clock, {
    perMs: options.share ?? EVENT_SCANS_SHARE,
    burst: EVENT_SCANS_BURST_MS,
  })
  const hasOthers = options.hasOthers ?? (async () => true)
  const worker = gateOf(EVENT_SCANS_CONNECTIONS, EVENT_SCANS_WORKER_WAITING_MAX)
  /** The gates of organizations with a query under way. */
  const gates = new Map<OrganizationId, Gate>()

  const paid = async (organization: OrganizationId, longestMs: number, signal: AbortSignal) => {
    for (;;) {
      const waitMs = budgets.waitMs(organization)
      if (waitMs === 0) return
      if (waitMs > longestMs) throw refused(waitMs)
      await clock.sleep(waitMs, signal).catch(() => {
        throw cancelled(signal.reason)
      })
    }
  }

  const inTurn = async <T>(
    { organization, waitMs, signal }: Turn,
    work: () => Promise<T>,
  ): Promise<T> => {
    const gate = gates.get(organization) ?? gateOf(EVENT_SCANS_RUNNING_MAX, EVENT_SCANS_WAITING_MAX)
    gates.set(organization, gate)
    try {
      return await gate.run(async () => {
        const owes = budgets.waitMs(organization) > 0
        if (owes && (await hasOthers())) await paid(organization, waitMs, signal)
        return await worker.run(work, signal)
      }, signal)
    } finally {
      if (gate.isIdle()) gates.delete(organization)
    }
  }

  return {
    of: (organization, waitMs = EVENT_SCANS_WAIT_MS) => ({
      async run(signal, work, bytesOf) {
        const late = new AbortController()
        const cancel = clock.after(waitMs, () => late.abort(refused()))
        const begin = async () => {
          cancel()
          const startedAt = clock.monotonic()
          let bytes = 0
          try {
            const answer = await work()
            bytes = bytesOf?.(answer) ?? 0
            return answer
          } finally {
            const ms = clock.monotonic() - startedAt
            budgets.spend(organization, ms + (bytes / MEBIBYTE) * EVENT_SCANS_MEBIBYTE_MS)
          }
        }
        try {
          const turn = { organization, waitMs, signal: AbortSignal.any([signal, late.signal]) }
          return await inTurn(turn, begin)
        } finally {
          cancel()
        }
      },
    }),
  }
}

function gateOf(runningMax: number, waitingMax: number): Gate {
  return createGate({
    runningMax,
    waitingMax,
    cancelled,
    refuse: () => refused(),
  })
}

function cancelled(reason: unknown): AppError {
  if (reason instanceof AppError) return reason
  return new AppError('cancelled', 'the caller has gone', { cause: reason })
}

function refused(waitMs = 0): AppError {
  const detail = throttledDetail(Math.max(RETRY_AFTER_S, Math.ceil(waitMs / 1_000)))
  return new AppError('resource_exhausted', 'too many queries at a time', { detail })
}
