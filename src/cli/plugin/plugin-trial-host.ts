/** The host functions of a trial. It keeps the jobs and collects the logs. */
import type { Clock } from '../../core/clock.ts'
import type { Json } from '../../core/json.ts'
import { PLUGIN_TRIAL_JOBS_MAX } from '../../core/limits/limits-plugins.ts'
import type { LogType, PluginHost } from '../../plugins/ports.ts'
import type { PluginDefinition } from '../../project/plugin-ports.ts'

/** Log entries of one call in `sluice plugin test`. */
export const PLUGIN_TRIAL_LOGS_MAX = 1_000

export type TrialLog = { readonly type: LogType; readonly message: string }
export type TrialJob = { readonly name: string; readonly payload: Json; readonly runAtMs: number }

export type TrialHostDeps = {
  readonly clock: Clock
  /** Makes a host that stores nothing outside itself. */
  readonly makeHost: (definition: PluginDefinition, onLog: PluginHost['log']) => PluginHost
  /** Undefined when the plugin may not call `fetch`. */
  readonly fetch: PluginHost['fetch'] | undefined
}

export type TrialHost = {
  readonly host: PluginHost
  /** The logs since the last call. */
  takeLogs(): readonly TrialLog[]
  /** Removes and returns the next due job, if there is one. */
  takeJob(): TrialJob | undefined
  readonly waiting: readonly TrialJob[]
}

const NO_FETCH = 'fetch is off in this trial: add --fetch'

export function createTrialHost(deps: TrialHostDeps, definition: PluginDefinition): TrialHost {
  const { clock } = deps
  const waiting: TrialJob[] = []
  let logs: TrialLog[] = []
  const log = (type: LogType, message: string) => {
    if (logs.length < PLUGIN_TRIAL_LOGS_MAX) logs.push({ type, message })
    else logs[PLUGIN_TRIAL_LOGS_MAX - 1] = LOGS_LEFT_OUT
  }
  const made = deps.makeHost(definition, log)
  const host: PluginHost = {
    ...made,
    async enqueueJob(job) {
      if (waiting.length === PLUGIN_TRIAL_JOBS_MAX) throw new Error(TOO_MANY_JOBS)
      // Runs the server's checks of a job.
      const id = await made.enqueueJob(job)
      waiting.push(job)
      return id
    },
    fetch: deps.fetch ?? (async () => await Promise.reject(new Error(NO_FETCH))),
  }
  return {
    host,
    waiting,
    takeLogs() {
      const taken = logs
      logs = []
      return taken
    },
    takeJob() {
      const index = waiting.findIndex(({ runAtMs }) => runAtMs <= clock.now())
      return index === -1 ? undefined : waiting.splice(index, 1)[0]
    },
  }
}

const TOO_MANY_JOBS = `more than ${PLUGIN_TRIAL_JOBS_MAX} jobs wait`
const LOGS_LEFT_OUT: TrialLog = { type: 'WARN', message: 'further entries are left out' }
