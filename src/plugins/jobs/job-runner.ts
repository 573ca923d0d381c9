/**
 * Runs the jobs of plugins, each at least once. A worker takes a job under a lease and renews the
 * lease while the job runs. The job is deleted when it has succeeded or its attempts are used up.
 * When a worker dies, others take its jobs after their leases have expired.
 */

import { backoffMs } from '../../core/backoff.ts'
import { createBoundedMap } from '../../core/bounded-map.ts'
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_JOB_KEPT_HOURS,
  PLUGIN_JOBS_OF_PROJECT_MAX,
  PLUGIN_RETRY_MS,
  PLUGIN_RUNNERS_STOP_MS,
} from '../../core/limits/limits-plugins.ts'
import {
  finishJob,
  putBackJob,
  removeStaleJobs,
  renewJobs,
  retryJob,
  type TakenJob,
  takeJobs,
} from '../../store/plugins/plugin-jobs-store.ts'
import type { CallAnswer, PluginError } from '../ports.ts'
import { createInFlight, type InFlight } from '../runtime/in-flight.ts'
import { calledTask, keepError, logFailure, type Runner, type RunnerDeps } from './runner.ts'

/** Jobs under way in one worker. */
export const PLUGIN_JOBS_RUNNING_MAX = 16
/** Interval of looking for due jobs. */
const PLUGIN_JOB_POLL_MS = 1_000
/** Lease of a job, after which another worker may take it; interval of renewals. */
const PLUGIN_JOB_LEASE_MS = 60_000
const PLUGIN_JOB_RENEW_MS = 15_000
/** Pause of a worker for the jobs of a config that it could not load. */
const PLUGIN_JOB_REST_MS = 30_000
/** Configs that it leaves alone; of more, those it has left alone the longest are tried again. */
const PLUGIN_JOB_RESTING_MAX = 1_000
/** Interval of deleting old jobs. */
const PLUGIN_JOB_SWEEP_MS = 60_000
/** Attempts to write the outcome of a job, and the pause between them. */
const PLUGIN_JOB_WRITES_MAX = 60
const PLUGIN_JOB_WRITE_MS = 1_000
assert(PLUGIN_JOB_RENEW_MS <= PLUGIN_JOB_LEASE_MS / 3, 'two renewals may fail')

export type JobRunnerOptions = {
  readonly leaseMs: number
  readonly renewMs: number
  readonly pollMs: number
  /** The first pause after a failure, which doubles. */
  readonly retryMs: number
  /** Milliseconds that jobs under way get after `run` is aborted. */
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

/** The error of a job whose attempts were used up by workers that ended while it ran. */
const NOT_ENDED: PluginError = {
  name: 'Error',
  message: 'The worker ended before the job did.',
  stack: '',
  isRetry: false,
  isTimeout: false,
}

export function createJobRunner(deps: RunnerDeps, options: Partial<JobRunnerOptions> = {}): Runner {
  return new JobRunner(deps, { ...DEFAULTS, ...options })
}

class JobRunner implements Runner {
  readonly #deps: RunnerDeps
  readonly #options: JobRunnerOptions
  readonly #inFlight: InFlight<string, TakenJob>
  /** Configs that could not be loaded here, with the time until which their jobs are not taken. */
  readonly #resting = createBoundedMap<number, number>({ entriesMax: PLUGIN_JOB_RESTING_MAX })
  #renewedAt: number
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(deps: RunnerDeps, options: JobRunnerOptions) {
    this.#deps = deps
    this.#options = options
    this.#inFlight = createInFlight<string, TakenJob>(deps.clock, PLUGIN_JOBS_RUNNING_MAX)
    this.#renewedAt = deps.clock.monotonic()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { log, random } = this.#deps
    const { pollMs, stopMs } = this.#options
    while (!signal.aborted) {
      let hasMore = false
      try {
        await this.#renew()
        hasMore = await this.#takeDue(signal)
        await this.#sweep()
      } catch (error) {
        if (!signal.aborted) log.warn('jobs of plugins not taken', { error })
      }
      await this.#inFlight.rest(pollMs * (0.75 + random() / 2), signal, hasMore)
    }
    await this.#inFlight.settle(stopMs)
  }

  /** @returns whether more jobs may be due. */
  async #takeDue(signal: AbortSignal): Promise<boolean> {
    this.#endRests()
    const free = this.#inFlight.free()
    if (free === 0) return true
    // Projects without a running job come first, so that a project with many jobs does not hold up
    // the others.
    const busy = tally(this.#inFlight.pieces())
    const taken = await this.#take(free, [...busy.keys()], signal)
    if (taken === free || busy.size === 0) return taken > 0
    const full = [...busy].filter(([, jobs]) => jobs >= PLUGIN_JOBS_OF_PROJECT_MAX)
    const avoided = full.map(([project]) => project)
    const more = await this.#take(free - taken, avoided, signal)
    return taken + more > 0
  }

  /** @returns how many jobs were taken and started. */
  async #take(count: number, avoided: readonly ProjectId[], signal: AbortSignal): Promise<number> {
    const jobs = await takeJobs(this.#deps.sql, {
      count,
      leaseMs: this.#options.leaseMs,
      held: this.#inFlight.pieces().map(({ id }) => id),
      resting: [...this.#resting.entries()].map(([config]) => config),
      avoided,
    })
    for (const job of jobs) this.#inFlight.start(job.id, job, this.#work(job, signal))
    return jobs.length
  }

  #endRests(): void {
    const now = this.#deps.clock.monotonic()
    const awake = [...this.#resting.entries()].filter(([, until]) => until <= now)
    for (const [config] of awake) this.#resting.delete(config)
  }

  async #renew(): Promise<void> {
    const { sql, clock } = this.#deps
    if (clock.monotonic() - this.#renewedAt < this.#options.renewMs) return
    const leases = this.#inFlight.pieces().map(({ id, attempts }) => ({ id, attempts }))
    if (leases.length > 0) await renewJobs(sql, leases, this.#options.leaseMs)
    this.#renewedAt = clock.monotonic()
  }

  async #sweep(): Promise<void> {
    const { sql, clock, log } = this.#deps
    if (clock.monotonic() - this.#sweptAt < PLUGIN_JOB_SWEEP_MS) return
    this.#sweptAt = clock.monotonic()
    const jobs = await removeStaleJobs(sql)
    if (jobs > 0) log.info('jobs of plugins that do not run removed', { jobs })
  }

  /** Never rejects. */
  async #work(job: TakenJob, signal: AbortSignal): Promise<void> {
    const { sql, clock } = this.#deps
    const write = (statement: () => Promise<boolean>) =>
      writeEnd(this.#deps, job, signal, statement)
    const answer = await this.#call(job, signal)
    // The end of this worker has interrupted it, so it does not count as an attempt.
    if (answer === undefined || (!answer.ok && signal.aborted)) {
      this.#resting.set(job.configId, clock.monotonic() + PLUGIN_JOB_REST_MS)
      const isStale = clock.now() - job.dueMs > PLUGIN_JOB_KEPT_HOURS * HOUR_MS
      if (isStale) await write(() => finishJob(sql, job))
      else await write(() => putBackJob(sql, job))
    } else if (answer.ok) {
      // When the lease was lost, another worker reports the job.
      if (await write(() => finishJob(sql, job))) this.#succeeded(job)
    } else if (job.attempts < PLUGIN_ATTEMPTS_MAX) {
      const waitMs = backoffMs({ firstMs: this.#options.retryMs }, job.attempts)
      if (await write(() => retryJob(sql, job, waitMs))) this.#failed(job, answer.error, waitMs)
    } else if (await write(() => finishJob(sql, job))) {
      this.#failed(job, answer.error, undefined)
    }
  }

  /** Undefined when the plugin was not called. */
  async #call(job: TakenJob, signal: AbortSignal): Promise<CallAnswer | undefined> {
    const { projectId, configId, name, payload, attempts } = job
    const { runtime, log } = this.#deps
    if (attempts > PLUGIN_ATTEMPTS_MAX) {
      await keepError(this.#deps, job, NOT_ENDED)
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

  #succeeded({ configId, attempts }: TakenJob): void {
    const outcome = attempts > 1 ? 'success_on_retry' : 'success'
    this.#deps.records.count(configId, 'scheduledTask', outcome, 1)
  }

  /** @param waitMs until the next attempt; undefined when there is none. */
  #failed(job: TakenJob, error: PluginError, waitMs: number | undefined): void {
    const fate =
      waitMs === undefined ? 'and is given up' : `and runs again in ${Math.ceil(waitMs / 1000)} s`
    const headline = `Job "${job.name}" failed, attempt ${job.attempts}, ${fate}.`
    const isOver = waitMs === undefined
    if (isOver) this.#deps.records.count(job.configId, 'scheduledTask', 'failure', 1)
    logFailure(this.#deps, job, { error, headline, type: isOver ? 'ERROR' : 'WARN' })
  }
}

function tally(jobs: readonly TakenJob[]): ReadonlyMap<ProjectId, number> {
  const counts = new Map<ProjectId, number>()
  for (const { projectId } of jobs) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  return counts
}

/**
 * Writes the end of a job, with retries. A job whose end is not written runs again.
 * @returns false when the lease was lost or the end could not be written.
 */
async function writeEnd(
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
