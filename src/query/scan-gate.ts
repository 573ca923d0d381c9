import { AppError } from '../core/code.ts'
import type { ProjectId } from '../core/ids.ts'
import { EVENT_SCANS_RUNNING_MAX, EVENT_SCANS_WAITING_MAX } from '../core/limits/limits.ts'
import { throttledDetail } from '../wire/details.ts'

/**
 * Lets a few filtered queries of each project run at a time. Each may read all of the project's
 * events for seconds: without this, one tenant's would hold every connection of the pool.
 */
export type ScanGate = {
  /**
   * Runs `work` when it is its turn, in the order of the calls.
   * @throws {AppError} `resource_exhausted` when too many wait already; `cancelled` when `signal`
   * aborts before the turn has come. What `work` throws.
   */
  run<T>(project: ProjectId, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Lane = { running: number; readonly waiting: Set<() => void> }

const RETRY_AFTER_S = 2

export function createScanGate(): ScanGate {
  const lanes = new Map<ProjectId, Lane>()

  const leave = (project: ProjectId, lane: Lane) => {
    const [next] = lane.waiting
    if (next === undefined) {
      lane.running--
      if (lane.running === 0) lanes.delete(project)
      return
    }
    // The place is handed on, not given back: nobody overtakes those who wait.
    lane.waiting.delete(next)
    next()
  }

  return {
    async run(project, signal, work) {
      const lane = lanes.get(project) ?? { running: 0, waiting: new Set() }
      lanes.set(project, lane)
      if (lane.running < EVENT_SCANS_RUNNING_MAX) lane.running++
      else await turn(lane, signal)
      try {
        return await work()
      } finally {
        leave(project, lane)
      }
    },
  }
}

/** Resolves when a place is handed over. */
async function turn({ waiting }: Lane, signal: AbortSignal): Promise<void> {
  if (waiting.size >= EVENT_SCANS_WAITING_MAX) {
    const detail = throttledDetail(RETRY_AFTER_S)
    throw new AppError('resource_exhausted', 'too many filtered queries of one project', { detail })
  }
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      waiting.delete(go)
      reject(new AppError('cancelled', 'the caller has gone', { cause: signal.reason }))
    }
    const go = () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    if (signal.aborted) {
      onAbort()
      return
    }
    waiting.add(go)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
