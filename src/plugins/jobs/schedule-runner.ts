/**
 * Runs the scheduled tasks of plugins: each slot of each config once in the cluster, by whichever
 * worker claims it first. One that dies with a claim leaves that slot out.
 */
import {
  PLUGIN_RUNNERS_STOP_MS,
  PLUGIN_SCHEDULE_LOAD_MS,
  PLUGIN_SCHEDULE_LOADS_MAX,
  PLUGIN_SCHEDULE_POLL_MS,
  PLUGIN_SCHEDULES_RUNNING_MAX,
} from '../../core/limits/limits-plugins.ts'
import {
  beginSchedules,
  type ClaimedSlot,
  claimSlots,
} from '../../store/plugins/plugin-schedule-store.ts'
import type { CallAnswer } from '../ports.ts'
import { createInFlight } from '../runtime/in-flight.ts'
import { SCHEDULES, slotAt } from './due-times.ts'
import { calledTask, logFailure, type Runner, type RunnerDeps } from './job-runner.ts'

export type ScheduleRunnerOptions = {
  readonly pollMs: number
  /** For what is under way once `run` is aborted. */
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
  const inFlight = createInFlight<string, ClaimedSlot>(clock, PLUGIN_SCHEDULES_RUNNING_MAX)

  /** @returns whether there may be more. */
  const claim = async (signal: AbortSignal): Promise<boolean> => {
    const free = inFlight.free()
    if (free === 0) return true
    const nowMs = clock.now()
    const slots = SCHEDULES.map((schedule) => ({ schedule, slotMs: slotAt(schedule, nowMs) }))
    await beginSchedules(sql, slots)
    // A task that takes longer than its period does not run beside itself.
    const busy = inFlight.pieces().map(({ configId }) => configId)
    const claimed = await claimSlots(sql, slots, free, busy)
    for (const slot of claimed) {
      inFlight.start(`${slot.configId} ${slot.schedule}`, slot, work(slot, signal))
    }
    return claimed.length === free
  }

  /** Never rejects. */
  const work = async (slot: ClaimedSlot, signal: AbortSignal): Promise<void> => {
    const answer = await call(slot, signal)
    // What the end of this worker has cut short says nothing of the plugin.
    if (answer === undefined || (!answer.ok && signal.aborted)) return
    records.count(slot.configId, 'scheduledTask', answer.ok ? 'success' : 'failure', 1)
    if (answer.ok) return
    const headline = `Scheduled task ${slot.schedule} failed.`
    logFailure(deps, slot, { error: answer.error, headline, type: 'ERROR' })
  }

  /** Undefined when nothing was run. A plugin that is still being loaded has some time. */
  const call = async (slot: ClaimedSlot, signal: AbortSignal): Promise<CallAnswer | undefined> => {
    const { projectId, configId, schedule } = slot
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
        // Aborted: one last attempt, for the slot is claimed.
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
