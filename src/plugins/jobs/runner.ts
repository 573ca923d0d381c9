/** Dependencies of the runners of jobs and of schedules, and their reports of calls. */
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../postgres/db.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'
import type { TakenJob } from '../../store/plugins/plugin-jobs-store.ts'
import type {
  CallAnswer,
  LoadedPlugin,
  PluginError,
  PluginRecords,
  PluginRuntime,
  PluginStates,
} from '../ports.ts'
import { describeError, errorState } from '../runtime/step-reports.ts'

export type RunnerDeps = {
  readonly sql: Db
  readonly runtime: Pick<PluginRuntime, 'use'>
  readonly records: Pick<PluginRecords, 'log' | 'count'>
  readonly states: Pick<PluginStates, 'failed'>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
}

export type Runner = {
  /** Runs until the signal aborts. Calls under way then get some seconds. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

/** The config and plugin of a call. */
type Called = Pick<TakenJob, 'projectId' | 'configId' | 'pluginId' | 'pluginName'>

/** Reports the end of a call to the plugin's listener, unless this worker has interrupted it. */
export async function calledTask(
  { calls }: LoadedPlugin,
  signal: AbortSignal,
  call: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const answer = await call()
  if (answer.ok) calls.succeeded('scheduledTask')
  else if (!signal.aborted) calls.failed('scheduledTask', answer.error)
  return answer
}

/** Writes `error` of a config whose plugin could not be called. Never rejects. */
export async function keepError(
  { states, clock, log }: RunnerDeps,
  job: TakenJob,
  error: PluginError,
): Promise<void> {
  const shown = errorState(error, undefined, clock.now())
  try {
    await states.failed(job.projectId, stepOf(job), { error: shown, disable: false })
  } catch (cause) {
    log.warn('error of a plugin was not stored', { config: job.configId, error: cause })
  }
}

function stepOf({ configId, pluginId, pluginName }: Called): PluginStep {
  return { configId, pluginId, pluginName, order: 0, stamp: '' }
}

export function logFailure(
  { records }: Pick<RunnerDeps, 'records'>,
  called: Called,
  what: { error: PluginError; headline: string; type: 'WARN' | 'ERROR' },
): void {
  const { projectId } = called
  const step = stepOf(called)
  const message = `${what.headline}\n${describeError(what.error)}`
  records.log({ projectId, step, source: 'PLUGIN', type: what.type, message })
}
