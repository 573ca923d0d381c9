/** Takes recorded events through a plugin call by call, and records each result. */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'
import { PLUGIN_TRIAL_JOBS_MAX } from '../../core/limits/limits-plugins.ts'
import { exportSettings } from '../../plugins/delivery/export-buffer.ts'
import type {
  CallAnswer,
  Capabilities,
  PluginError,
  PluginEvent,
  PluginInstance,
  PluginLoader,
  ProcessAnswer,
  StoredPluginEvent,
} from '../../plugins/ports.ts'
import { beforeStep, judgeEvent } from '../../plugins/runtime/judge-event.ts'
import type { PluginDefinition, Schedule } from '../../project/plugin-ports.ts'
import { UsageError } from '../command-end.ts'
import type { RecordedEvent } from './plugin-events.ts'
import {
  createTrialHost,
  type TrialHost,
  type TrialHostDeps,
  type TrialJob,
  type TrialLog,
} from './plugin-trial-host.ts'

export type TrialCall = {
  /** Name of the call, such as `processEvent` or `job refreshRates`. */
  readonly call: string
  readonly outcome: 'ok' | 'kept' | 'dropped' | 'failed'
  /** Milliseconds. */
  readonly tookMs: number
  /** The error with its stack, if it has one. */
  readonly error: string | null
  readonly logs: readonly TrialLog[]
  /** Only for `processEvent`. `after` is null when the event was dropped. */
  readonly before?: PluginEvent
  readonly after?: PluginEvent | null
}

export type Trial = {
  readonly capabilities: Capabilities
  readonly calls: readonly TrialCall[]
  /** Jobs that are not due yet. */
  readonly waiting: readonly TrialJob[]
}

export type TrialDeps = TrialHostDeps & { readonly loader: PluginLoader }

export type TrialOptions = {
  readonly definition: PluginDefinition
  /** Names of jobs and schedules that are called before the events. */
  readonly run: readonly string[]
  readonly events: readonly RecordedEvent[]
}

/**
 * Sets the plugin up, calls what `run` names, then each event in order, then `onEvent` and
 * `exportEvents` for the events that are left. Jobs run when they are due. A plugin whose set-up
 * fails gets no events, as on the server.
 * @throws {AppError} `failed_precondition` when the plugin cannot be loaded.
 * @throws {UsageError} when it has no such job or schedule.
 */
export async function tryPlugin(deps: TrialDeps, options: TrialOptions): Promise<Trial> {
  const trial = new RunningTrial(deps, options.definition)
  try {
    await trial.run(options)
    return trial.result()
  } finally {
    await trial.end()
  }
}

class RunningTrial {
  readonly #clock: Clock
  readonly #loader: PluginLoader
  readonly #definition: PluginDefinition
  readonly #host: TrialHost
  readonly #calls: TrialCall[] = []
  #instance: PluginInstance | undefined
  #jobsRun = 0

  constructor(deps: TrialDeps, definition: PluginDefinition) {
    this.#clock = deps.clock
    this.#loader = deps.loader
    this.#definition = definition
    this.#host = createTrialHost(deps, definition)
  }

  async run({ run, events }: TrialOptions): Promise<void> {
    const { capabilities } = await this.#load()
    const calls = run.map((name) => ({ name, work: workOf(capabilities, name) }))
    if (!(await this.#setUp())) return
    await this.#runJobs()
    for (const { name, work } of calls) {
      await this.#call(name, work)
      await this.#runJobs()
    }
    const stored: StoredPluginEvent[] = []
    for (const recorded of events) {
      const processed = await this.#process(recorded.event)
      if (processed !== undefined) stored.push(recorded.stored(processed))
    }
    await this.#deliver(stored)
    await this.#runJobs()
  }

  result(): Trial {
    const { capabilities } = this.#loaded()
    return { capabilities, calls: this.#calls, waiting: [...this.#host.waiting] }
  }

  async end(): Promise<void> {
    await this.#instance?.teardown()
  }

  async #load(): Promise<PluginInstance> {
    const answer = await this.#loader.load(this.#definition, this.#host.host)
    if (!answer.ok) {
      throw new AppError(
        'failed_precondition',
        `the plugin cannot be loaded: ${wordsOf(answer.error)}`,
      )
    }
    this.#instance = answer.instance
    return answer.instance
  }

  #loaded(): PluginInstance {
    if (this.#instance === undefined) throw new AppError('internal', 'no plugin is loaded')
    return this.#instance
  }

  async #setUp(): Promise<boolean> {
    const { methods } = this.#loaded().capabilities
    if (!methods.includes('setupPlugin')) return (await this.#loaded().setup()).ok
    return await this.#call('setupPlugin', (instance) => instance.setup())
  }

  /** The event to be stored; undefined when the plugin dropped it. */
  async #process(event: PluginEvent): Promise<PluginEvent | undefined> {
    const { methods } = this.#loaded().capabilities
    const call = (['processEvent', 'processEventBatch'] as const).find((each) =>
      methods.includes(each),
    )
    if (call === undefined) return event
    const startedAt = this.#clock.monotonic()
    const before = beforeStep(event)
    const [answer] = await this.#loaded().process([structuredClone(event)])
    const done = { call, tookMs: this.#since(startedAt), before: event }
    const outcome = outcomeOf(answer, event, before)
    this.#calls.push({ ...done, ...outcome, logs: this.#host.takeLogs() })
    return outcome.after ?? undefined
  }

  /** @returns whether the call succeeded. */
  async #call(
    call: string,
    work: (instance: PluginInstance) => Promise<CallAnswer>,
  ): Promise<boolean> {
    const startedAt = this.#clock.monotonic()
    const answer = await work(this.#loaded())
    const error = answer.ok ? null : wordsOf(answer.error)
    const done = { call, outcome: answer.ok ? ('ok' as const) : ('failed' as const), error }
    this.#calls.push({ ...done, tookMs: this.#since(startedAt), logs: this.#host.takeLogs() })
    return answer.ok
  }

  async #deliver(stored: readonly StoredPluginEvent[]): Promise<void> {
    const { methods } = this.#loaded().capabilities
    if (methods.includes('onEvent')) {
      for (const event of stored) {
        await this.#call(`onEvent ${event.event}`, (instance) => instance.onEvent(event))
      }
    }
    const { ignored } = exportSettings(this.#definition.settings)
    const exported = stored.filter(({ event }) => !ignored.has(event))
    if (methods.includes('exportEvents') && exported.length > 0) {
      const call = `exportEvents of ${exported.length}`
      await this.#call(call, (instance) => instance.exportEvents(exported))
    }
  }

  async #runJobs(): Promise<void> {
    for (;;) {
      if (this.#jobsRun === PLUGIN_TRIAL_JOBS_MAX) return
      const job = this.#host.takeJob()
      if (job === undefined) return
      this.#jobsRun += 1
      const payload = isObject(job.payload) ? job.payload : {}
      await this.#call(`job ${job.name}`, (instance) => instance.runJob(job.name, payload))
    }
  }

  #since(startedAt: number): number {
    return Math.round(this.#clock.monotonic() - startedAt)
  }
}

type Work = (instance: PluginInstance) => Promise<CallAnswer>

function workOf({ jobs, scheduledTasks }: Capabilities, name: string): Work {
  const schedule: Schedule | undefined = scheduledTasks.find((each) => each === name)
  if (schedule !== undefined) return (instance) => instance.runScheduled(schedule)
  if (jobs.includes(name)) return (instance) => instance.runJob(name, {})
  const known = [...scheduledTasks, ...jobs].join(', ')
  const hint = known === '' ? 'it has none' : `one of: ${known}`
  throw new UsageError(`the plugin has no job or schedule ${JSON.stringify(name)}; ${hint}`)
}

type Outcome = Pick<TrialCall, 'outcome' | 'error'> & { readonly after: PluginEvent | null }

/** The result of a call. A failed call leaves the event as it was. */
function outcomeOf(
  answer: ProcessAnswer | undefined,
  event: PluginEvent,
  before: ReturnType<typeof beforeStep>,
): Outcome {
  if (answer === undefined) return { outcome: 'failed', error: 'no answer', after: event }
  if (answer.kind === 'dropped') return { outcome: 'dropped', error: null, after: null }
  if (answer.kind === 'failed') {
    return { outcome: 'failed', error: wordsOf(answer.error), after: event }
  }
  const judged = judgeEvent(answer.event, before)
  if (!judged.ok) return { outcome: 'failed', error: judged.error, after: event }
  return { outcome: 'kept', error: null, after: judged.value.event }
}

function wordsOf({ name, message, stack }: PluginError): string {
  const head = `${name}: ${message}`
  return stack === '' || stack.startsWith(head) ? stack || head : `${head}\n${stack}`
}
