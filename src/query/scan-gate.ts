/** Bounds the queries of a worker, and those of each organization. */
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { createGate, type Gate } from '../core/gate.ts'
import type { OrganizationId } from '../core/ids.ts'
import {
  EVENT_SCANS_CONNECTIONS,
  EVENT_SCANS_RUNNING_MAX,
  EVENT_SCANS_WAIT_MS,
  EVENT_SCANS_WAITING_MAX,
  EVENT_SCANS_WORKER_WAITING_MAX,
} from '../core/limits/limits.ts'
import { throttledDetail } from '../wire/details.ts'

/** The queries of one organization. */
export type Scans = {
  /**
   * Runs `work` in the order of the organization's calls.
   * @throws {AppError} `resource_exhausted` when too many wait already, or it has waited for
   * `EVENT_SCANS_WAIT_MS`; `cancelled` when `signal` aborts before `work` has begun. What `work`
   * throws.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/**
 * A query may read all events of a project for seconds. Queries have connections of their own, and
 * no organization gets all of them: it has few places, and those of its calls that have one take
 * turns with the calls of others for the connections of the worker.
 */
export type ScanGate = { of(organization: OrganizationId): Scans }

const RETRY_AFTER_S = 2

export function createScanGate(clock: Clock): ScanGate {
  const worker = gateOf(EVENT_SCANS_CONNECTIONS, EVENT_SCANS_WORKER_WAITING_MAX)
  /** The gates of organizations with a query under way. */
  const gates = new Map<OrganizationId, Gate>()

  const inTurn = async <T>(
    organization: OrganizationId,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    const gate = gates.get(organization) ?? gateOf(EVENT_SCANS_RUNNING_MAX, EVENT_SCANS_WAITING_MAX)
    gates.set(organization, gate)
    try {
      return await gate.run(() => worker.run(work, signal), signal)
    } finally {
      if (gate.isIdle()) gates.delete(organization)
    }
  }

  return {
    of: (organization) => ({
      async run(signal, work) {
        const late = new AbortController()
        const cancel = clock.after(EVENT_SCANS_WAIT_MS, () => late.abort(refused()))
        const begin = () => {
          cancel()
          return work()
        }
        try {
          return await inTurn(organization, AbortSignal.any([signal, late.signal]), begin)
        } finally {
          cancel()
        }
      },
    }),
  }
}

function gateOf(runningMax: number, waitingMax: number): Gate {
  return createGate({
    ...{ runningMax, waitingMax, refuse: refused },
    cancelled: (reason) =>
      reason instanceof AppError
        ? reason
        : new AppError('cancelled', 'the caller has gone', { cause: reason }),
  })
}

function refused(): AppError {
  const detail = throttledDetail(RETRY_AFTER_S)
  return new AppError('resource_exhausted', 'too many queries at a time', { detail })
}
