/**
 * Runs the scheduled tasks of plugins. At each due time the task of a config runs once in the
 * cluster, on the worker that claims it first. When that worker dies, this run is skipped.
 */

import { PLUGIN_RUNNERS_STOP_MS } from '../../core/limits/limits-plugins.ts'
import {
  beginSchedules,
  type ClaimedTask,
  claimTasks,
} from '../../store/plugins/plugin-schedule-store.ts'
import type { CallAnswer } from '../ports.ts'
import { createInFlight } from '../runtime/in-flight.ts'
import { dueTimeAt, SCHEDULES } from './due-times.ts'
import { calledTask, logFailure, type Runner, type RunnerDeps } from './runner.ts'

/** Scheduled tasks under way in one worker, and how often it looks for due ones. */
const PLUGIN_SCHEDULES_RUNNING_MAX = 16
const PLUGIN_SCHEDULE_POLL_MS = 2_000
/** Attempts to use a plugin that is still being loaded, and the pause between them. */
const PLUGIN_SCHEDULE_LOADS_MAX = 6
const PLUGIN_SCHEDULE_LOAD_MS = 5_000

export type ScheduleRunnerOptions = {
  readonly pollMs: number
  /** Milliseconds that tasks under way get after `run` is aborted. */
  readonly stopMs: number
}

const DEFAULTS: ScheduleRunnerOptions = {
  pollMs: PLUGIN_SCHEDULE_POLL_MS,
  stopMs: PLUGIN_RUNNERS_STOP_MS,
}

export function createScheduleRunner(
  deps: RunnerDeps,
  options: Partial<ScheduleRunnerOptions> = {},
): Runner {
  const { sql, runtime, records, clock, log, random } = deps
  const { pollMs, stopMs } = { ...DEFAULTS, ...options }
  const inFlight = createInFlight<string, ClaimedTask>(clock, PLUGIN_SCHEDULES_RUNNING_MAX)

  /** @returns whether more tasks may be due. */
  const claim = async (signal: AbortSignal): Promise<boolean> => {
    const free = inFlight.free()
    if (free === 0) return true
    const nowMs = clock.now()
    const dueTimes = SCHEDULES.map((schedule) => ({ schedule, dueMs: dueTimeAt(schedule, nowMs) }))
    await beginSchedules(sql, dueTimes)
    // A task that takes longer than its period does not run twice at a time.
    const busy = inFlight.pieces().map(({ configId }) => configId)
    const claimed = await claimTasks(sql, dueTimes, free, busy)
    for (const task of claimed) {
      inFlight.start(`${task.configId} ${task.schedule}`, task, work(task, signal))
    }
    return claimed.length === free
  }

  /** Never rejects. */
  const work = async (task: ClaimedTask, signal: AbortSignal): Promise<void> => {
    const answer = await call(task, signal)
    // The end of this worker has interrupted it, which says nothing about the plugin.
    if (answer === undefined || (!answer.ok && signal.aborted)) return
    records.count(task.configId, 'scheduledTask', answer.ok ? 'success' : 'failure', 1)
    if (answer.ok) return
    const headline = `Scheduled task ${task.schedule} failed.`
    logFailure(deps, task, { error: answer.error, headline, type: 'ERROR' })
  }

  /** Undefined when the plugin was not called. A plugin that is still loading is waited for. */
  const call = async (task: ClaimedTask, signal: AbortSignal): Promise<CallAnswer | undefined> => {
    const { projectId, configId, schedule } = task
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await runtime.use(projectId, configId, (loaded) =>
          calledTask(loaded, signal, () => loaded.instance.runScheduled(schedule)),
        )
        if (answer !== undefined) return answer
      } catch (error) {
        log.warn('scheduled task not run', { project: projectId, config: configId, error })
      }
      if (attempt === PLUGIN_SCHEDULE_LOADS_MAX || signal.aborted) return undefined
      await clock.sleep(PLUGIN_SCHEDULE_LOAD_MS, signal).catch(() => {
        // Aborted: one last attempt, because the task is claimed.
      })
    }
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        let hasMore = false
        try {
          hasMore = await claim(signal)
        } catch (error) {
          if (!signal.aborted) log.warn('scheduled tasks of plugins not claimed', { error })
        }
        await inFlight.rest(pollMs * (0.75 + random() / 2), signal, hasMore)
      }
      await inFlight.settle(stopMs)
    },
  }
}
