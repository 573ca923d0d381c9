/**
 * Runs the jobs of plugins, each at least once: a job is taken by a lease, which is renewed while
 * it runs, and goes when it has succeeded or its attempts are used up. A worker that dies leaves
 * its jobs to whoever looks once their leases have run out.
 */
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_JOB_KEPT_HOURS,
  PLUGIN_JOB_LEASE_MS,
  PLUGIN_JOB_POLL_MS,
  PLUGIN_JOB_RENEW_MS,
  PLUGIN_JOB_REST_MS,
  PLUGIN_JOB_RESTING_MAX,
  PLUGIN_JOB_SWEEP_MS,
  PLUGIN_JOB_WRITE_MS,
  PLUGIN_JOB_WRITES_MAX,
  PLUGIN_JOBS_OF_PROJECT_MAX,
  PLUGIN_JOBS_RUNNING_MAX,
  PLUGIN_RETRY_MS,
  PLUGIN_RUNNERS_STOP_MS,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import {
  finishJob,
  putBackJob,
  removeStaleJobs,
  renewJobs,
  retryJob,
  type TakenJob,
  takeJobs,
} from '../../store/plugins/plugin-jobs-store.ts'
import type { Db } from '../../store/pool/db.ts'
import type {
  CallAnswer,
  LoadedPlugin,
  PluginError,
  PluginRecords,
  PluginRuntime,
  PluginStates,
  PluginStep,
} from '../ports.ts'
import { createInFlight } from '../runtime/in-flight.ts'
import { describeError, errorState } from '../step-reports.ts'

export type RunnerDeps = {
  readonly sql: Db
  readonly runtime: Pick<PluginRuntime, 'use'>
  readonly records: Pick<PluginRecords, 'log' | 'count'>
  readonly states: Pick<PluginStates, 'failed'>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
}

export type JobRunnerOptions = {
  readonly leaseMs: number
  readonly renewMs: number
  readonly pollMs: number
  /** The first wait after a failure, which doubles. */
  readonly retryMs: number
  /** For what is under way once `run` is aborted. */
  readonly stopMs: number
}

const DEFAULTS: JobRunnerOptions = {
  leaseMs: PLUGIN_JOB_LEASE_MS,
  renewMs: PLUGIN_JOB_RENEW_MS,
  pollMs: PLUGIN_JOB_POLL_MS,
  retryMs: PLUGIN_RETRY_MS,
  stopMs: PLUGIN_RUNNERS_STOP_MS,
}

const HOUR_MS = 3_600_000

/** Its attempts were used up by workers that died of it, or with it. */
const NOT_ENDED: PluginError = {
  name: 'Error',
  message: 'The worker ended before the job did.',
  stack: '',
  isRetry: false,
  isTimeout: false,
}

export type Runner = {
  /** Until the signal aborts; what is under way then has some seconds. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export function createJobRunner(deps: RunnerDeps, options: Partial<JobRunnerOptions> = {}): Runner {
  const { sql, runtime, clock, log, random } = deps
  const { leaseMs, renewMs, pollMs, retryMs, stopMs } = { ...DEFAULTS, ...options }
  const inFlight = createInFlight<string, TakenJob>(clock, PLUGIN_JOBS_RUNNING_MAX)
  /** Configs that could not be loaded here, and until when their jobs are left alone. */
  const resting = new Map<number, number>()
  let renewedAt = clock.monotonic()
  let sweptAt = Number.NEGATIVE_INFINITY

  /** @returns whether there may be more. */
  const takeDue = async (signal: AbortSignal): Promise<boolean> => {
    const awake = [...resting].filter(([, until]) => until <= clock.monotonic())
    for (const [config] of awake) resting.delete(config)
    const take = async (count: number, avoided: readonly ProjectId[]) => {
      const held = inFlight.pieces().map(({ id }) => id)
      const wanted = { count, leaseMs, held, resting: [...resting.keys()], avoided }
      const jobs = await takeJobs(sql, wanted)
      for (const job of jobs) inFlight.start(job.id, job, work(job, signal))
      return jobs.length
    }
    const free = inFlight.free()
    if (free === 0) return true
    // First those of whom nothing runs: one that has many jobs must not be in front of all others.
    const busy = tally(inFlight.pieces())
    const taken = await take(free, [...busy.keys()])
    if (taken === free || busy.size === 0) return taken > 0
    const full = [...busy].filter(([, jobs]) => jobs >= PLUGIN_JOBS_OF_PROJECT_MAX)
    return (
      (await take(
        free - taken,
        full.map(([project]) => project),
      )) +
        taken >
      0
    )
  }

  const renew = async () => {
    if (clock.monotonic() - renewedAt < renewMs) return
    const leases = inFlight.pieces().map(({ id, attempts }) => ({ id, attempts }))
    if (leases.length > 0) await renewJobs(sql, leases, leaseMs)
    renewedAt = clock.monotonic()
  }

  const sweep = async () => {
    if (clock.monotonic() - sweptAt < PLUGIN_JOB_SWEEP_MS) return
    sweptAt = clock.monotonic()
    const jobs = await removeStaleJobs(sql)
    if (jobs > 0) log.info('jobs of plugins that do not run removed', { jobs })
  }

  /** Never rejects. */
  const work = async (job: TakenJob, signal: AbortSignal): Promise<void> => {
    const write = (statement: () => Promise<boolean>) => insist(deps, job, signal, statement)
    const answer = await call(job, signal)
    // What the end of this worker has cut short is no attempt.
    if (answer === undefined || (!answer.ok && signal.aborted)) {
      rest(job.configId)
      const isStale = clock.now() - job.dueMs > PLUGIN_JOB_KEPT_HOURS * HOUR_MS
      if (isStale) await write(() => finishJob(sql, job))
      else await write(() => putBackJob(sql, job))
    } else if (answer.ok) {
      // Another worker answers for a job whose lease was lost.
      if (await write(() => finishJob(sql, job))) succeeded(job)
    } else if (job.attempts < PLUGIN_ATTEMPTS_MAX) {
      const waitMs = retryMs * 2 ** (job.attempts - 1)
      if (await write(() => retryJob(sql, job, waitMs))) failed(job, answer.error, waitMs)
    } else if (await write(() => finishJob(sql, job))) {
      failed(job, answer.error, undefined)
    }
  }

  /** Undefined when nothing was run. */
  const call = async (job: TakenJob, signal: AbortSignal): Promise<CallAnswer | undefined> => {
    const { projectId, configId, name, payload, attempts } = job
    if (attempts > PLUGIN_ATTEMPTS_MAX) {
      await keepError(deps, job, NOT_ENDED)
      return { ok: false, error: NOT_ENDED }
    }
    try {
      return await runtime.use(projectId, configId, (loaded) =>
        calledTask(loaded, signal, () => loaded.instance.runJob(name, payload)),
      )
    } catch (error) {
      log.warn('job of a plugin not run', { project: projectId, config: configId, error })
      return undefined
    }
  }

  const rest = (config: number) => {
    resting.delete(config)
    resting.set(config, clock.monotonic() + PLUGIN_JOB_REST_MS)
    const [oldest] = resting.keys()
    if (resting.size > PLUGIN_JOB_RESTING_MAX && oldest !== undefined) resting.delete(oldest)
  }

  const succeeded = ({ configId, attempts }: TakenJob) => {
    const outcome = attempts > 1 ? 'success_on_retry' : 'success'
    deps.records.count(configId, 'scheduledTask', outcome, 1)
  }

  /** @param waitMs until the next attempt; undefined when there is none. */
  const failed = (job: TakenJob, error: PluginError, waitMs: number | undefined) => {
    const fate =
      waitMs === undefined ? 'and is given up' : `and runs again in ${Math.ceil(waitMs / 1000)} s`
    const headline = `Job "${job.name}" failed, attempt ${job.attempts}, ${fate}.`
    const isOver = waitMs === undefined
    if (isOver) deps.records.count(job.configId, 'scheduledTask', 'failure', 1)
    logFailure(deps, job, { error, headline, type: isOver ? 'ERROR' : 'WARN' })
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        let hasMore = false
        try {
          await renew()
          hasMore = await takeDue(signal)
          await sweep()
        } catch (error) {
          if (!signal.aborted) log.warn('jobs of plugins not taken', { error })
        }
        await inFlight.rest(pollMs * (0.75 + random() / 2), signal, hasMore)
      }
      await inFlight.settle(stopMs)
    },
  }
}

function tally(jobs: readonly TakenJob[]): ReadonlyMap<ProjectId, number> {
  const counts = new Map<ProjectId, number>()
  for (const { projectId } of jobs) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  return counts
}

/**
 * What became of a job is worth some patience: a job whose end is not written runs again.
 * @returns false when the lease was lost, or it could not be written.
 */
async function insist(
  { clock, log }: RunnerDeps,
  { configId }: TakenJob,
  signal: AbortSignal,
  statement: () => Promise<boolean>,
): Promise<boolean> {
  for (let write = 1; ; write++) {
    try {
      return await statement()
    } catch (error) {
      if (write < PLUGIN_JOB_WRITES_MAX && !signal.aborted) {
        await clock.sleep(PLUGIN_JOB_WRITE_MS, signal).catch(() => {
          // Aborted: one last attempt.
        })
        continue
      }
      log.warn('end of a job of a plugin not written', { config: configId, error })
      return false
    }
  }
}

/** Whose call it was. */
type Called = Pick<TakenJob, 'projectId' | 'configId' | 'pluginId' | 'pluginName'>

/** A call whose end the plugin's listener hears of, unless this worker has cut it short. */
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

/** `error` of a config whose plugin was not called. Never rejects. */
async function keepError(
  { states, clock, log }: RunnerDeps,
  job: TakenJob,
  error: PluginError,
): Promise<void> {
  const shown = errorState(error, undefined, clock.now())
  try {
    await states.failed(job.projectId, stepOf(job), { error: shown, disable: false })
  } catch (cause) {
    log.warn('error of a plugin was not kept', { config: job.configId, error: cause })
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
