/** Sends counts of dropped, refused and changed events to a worker, which stores them. */

import type { ReportWarningsRequest } from '../proto/gen/sluice/v1/ReportWarningsRequest.ts'
import type { Clock } from '../src/core/clock.ts'
import type { Log } from '../src/core/log.ts'
import { runLoop } from '../src/core/loop.ts'
import {
  createWarningCounts,
  type WarningCounts,
  type WarningsTaken,
} from '../src/events/warnings/warning-counts.ts'
import type { OnWarned } from '../src/events/warnings/warning-metrics.ts'
import { REPORT_WARNINGS } from './workers/management-calls.ts'
import type { WorkerPool } from './workers/worker-pool.ts'

/** Time for a gateway to hand its warnings to a worker. */
const WARNING_REPORT_MS = 10_000

const INTERVAL_MS = 1_000

export type WarningReportsDeps = {
  readonly pool: Pick<WorkerPool, 'call'>
  readonly memberToken: () => string
  readonly clock: Clock
  readonly log: Log
  readonly onWarned?: OnWarned | undefined
  readonly random: () => number
}

export type WarningReports = {
  readonly warnings: WarningCounts
  /** Reports the waiting counts, once. Never rejects. */
  close(): Promise<void>
}

/** Reports once a second; counts that no worker accepts wait, within bounds. */
export function createWarningReports(deps: WarningReportsDeps): WarningReports {
  const { pool, memberToken, clock, log, onWarned, random } = deps
  const write = async (taken: WarningsTaken) => {
    await pool.call(REPORT_WARNINGS, toRequest(taken), {
      metadata: { authorization: `Bearer ${memberToken()}` },
      timeoutMs: WARNING_REPORT_MS,
    })
  }
  const warnings = createWarningCounts({ write, monotonic: clock.monotonic, onWarned })
  const abort = new AbortController()
  const loop = runLoop(
    { clock, log, random },
    { name: 'report warnings', intervalMs: INTERVAL_MS, jitterMs: INTERVAL_MS / 10 },
    abort.signal,
    () => warnings.flush(),
  )
  return {
    warnings,
    async close() {
      abort.abort()
      await loop
      await warnings.flush().catch((error: unknown) => {
        log.warn('counts of dropped events are lost', { error })
      })
    },
  }
}

function toRequest({ samples, counts }: WarningsTaken): ReportWarningsRequest {
  return {
    samples: samples.map(({ warning, count }) => ({
      project_id: warning.projectId,
      reason: warning.type,
      subject: warning.subject,
      details: JSON.stringify(warning.details),
      count,
    })),
    counts: counts.map(({ projectId, type, ageMs, count }) => ({
      project_id: projectId,
      reason: type,
      age_ms: ageMs,
      count,
    })),
  }
}
