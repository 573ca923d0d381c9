/** Reports of one step that people read: its log, its counts, and the state of its config. */
import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { exactJson } from '../../core/json-text/exact-numbers.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  PLUGIN_ERROR_STACK_CHARS_MAX,
  PLUGIN_RETRY_MS,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'
import type { Capabilities, LogType, PluginError, PluginRecords, PluginStates } from '../ports.ts'

/** `error` of a config is written at most once in this time. */
export const PLUGIN_ERROR_WRITE_MS = 1_000
/** Characters of the event of a shown `error`. */
export const PLUGIN_ERROR_EVENT_CHARS_MAX = 16_384

export type ReportDeps = {
  readonly records: PluginRecords
  readonly states: PluginStates
  readonly clock: Clock
  readonly log: Log
}

/** Nothing here waits or throws. */
export type StepReports = {
  /** Writes a log entry of the runtime itself. */
  system(type: LogType, message: string): void
  /** Counts calls of `processEvent` that succeeded. */
  succeeded(calls: number): void
  /** Counts and logs a call that failed. */
  failed(error: PluginError): void
  /** Writes `error` of the config: the newest one in `PLUGIN_ERROR_WRITE_MS`. */
  keep(error: PluginError, event: JsonObject | undefined): void
  /** Counts events that continued without the plugin. */
  missed(events: number, why: string): void
  /** Disables the config, and repeats that while the store does not answer. */
  disabled(why: string, error: PluginError, event: JsonObject | undefined): void
  /** Takes the step as it was read, which may be newer than the plan's. */
  read(step: PluginStep): void
  loaded(capabilities: Capabilities): void
  /** Ends all writes of the state: another instance has begun, or the config is gone. */
  end(): void
}

export function createStepReports(
  deps: ReportDeps,
  projectId: ProjectId,
  planned: PluginStep,
): StepReports {
  return new Reports(deps, projectId, planned)
}

/** At most one write of a config's state is under way, and the newest failure waits. */
class Reports implements StepReports {
  readonly #deps: ReportDeps
  readonly #projectId: ProjectId
  readonly #configId: number
  readonly #ended = new AbortController()
  #step: PluginStep
  #waiting: JsonObject | undefined
  #isPaced = false
  #isDisabled = false
  /** The write that clears the previous error. It must not clear the error of the first call. */
  #begun = Promise.resolve()

  constructor(deps: ReportDeps, projectId: ProjectId, planned: PluginStep) {
    this.#deps = deps
    this.#projectId = projectId
    this.#configId = planned.configId
    this.#step = planned
  }

  system(type: LogType, message: string): void {
    this.#write(type, 'SYSTEM', message)
  }

  succeeded(calls: number): void {
    if (calls > 0) this.#deps.records.count(this.#configId, 'processEvent', 'success', calls)
  }

  failed(error: PluginError): void {
    this.#deps.records.count(this.#configId, 'processEvent', 'failure', 1)
    this.#write('ERROR', 'PLUGIN', describeError(error))
  }

  keep(error: PluginError, event: JsonObject | undefined): void {
    if (this.#ended.signal.aborted || this.#isDisabled) return
    const kept = errorState(error, event, this.#deps.clock.now())
    if (this.#isPaced) this.#waiting = kept
    else void this.#keepError(kept)
  }

  missed(events: number, why: string): void {
    this.#deps.records.count(this.#configId, 'processEvent', 'failure', events)
    const what = `${events} ${events === 1 ? 'event' : 'events'} not seen`
    this.#write('ERROR', 'SYSTEM', `${what}: ${why}`)
  }

  disabled(why: string, error: PluginError, event: JsonObject | undefined): void {
    if (this.#ended.signal.aborted) return
    this.#isDisabled = true
    this.#write('ERROR', 'SYSTEM', `Plugin disabled: ${why}\n${describeError(error)}`)
    void this.#disable(errorState(error, event, this.#deps.clock.now()))
  }

  read(newer: PluginStep): void {
    this.#step = newer
  }

  loaded(capabilities: Capabilities): void {
    const { states } = this.#deps
    this.#begun = states
      .loaded(this.#projectId, this.#step, capabilities)
      .catch((error: unknown) => this.#warn('state of a plugin was not kept', error))
  }

  end(): void {
    this.#ended.abort(new Error('the plugin is being unloaded'))
  }

  #write(type: LogType, source: 'SYSTEM' | 'PLUGIN', message: string): void {
    const projectId = this.#projectId
    this.#deps.records.log({ projectId, step: this.#step, source, type, message })
  }

  async #keepError(shown: JsonObject): Promise<void> {
    const { states, clock } = this.#deps
    this.#isPaced = true
    await this.#begun
    try {
      await states.failed(this.#projectId, this.#step, { error: shown, disable: false })
    } catch (error) {
      this.#warn('error of a plugin was not stored', error)
    }
    clock.after(PLUGIN_ERROR_WRITE_MS, () => {
      this.#isPaced = false
      const next = this.#waiting
      this.#waiting = undefined
      const isOver = this.#ended.signal.aborted || this.#isDisabled
      if (next !== undefined && !isOver) void this.#keepError(next)
    })
  }

  async #disable(shown: JsonObject): Promise<void> {
    const { states, clock } = this.#deps
    const { signal } = this.#ended
    await this.#begun
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await states.failed(this.#projectId, this.#step, { error: shown, disable: true })
        return
      } catch (error) {
        this.#warn('plugin was not disabled', error)
      }
      if (attempt === PLUGIN_ATTEMPTS_MAX) return
      await clock.sleep(backoffMs({ firstMs: PLUGIN_RETRY_MS }, attempt), signal).catch(() => {
        // Ended: the loop checks it.
      })
    }
  }

  #warn(message: string, error: unknown): void {
    this.#deps.log.warn(message, { project: this.#projectId, config: this.#configId, error })
  }
}

/** The error with its stack, which in some engines includes the message. */
export function describeError({ name, message, stack }: PluginError): string {
  const headline = `${name}: ${message}`
  return stack === '' || stack.startsWith(headline) ? stack || headline : `${headline}\n${stack}`
}

/** The value of a config's `error`. */
export function errorState(
  { name, message, stack }: PluginError,
  event: JsonObject | undefined,
  nowMs: number,
): JsonObject {
  return {
    message: message.slice(0, PLUGIN_ERROR_MESSAGE_CHARS_MAX),
    time: new Date(nowMs).toISOString(),
    name: name.slice(0, PLUGIN_ERROR_MESSAGE_CHARS_MAX),
    stack: stack.slice(0, PLUGIN_ERROR_STACK_CHARS_MAX),
    ...(event === undefined ? {} : { event: shownEvent(event) }),
  }
}

/** The event, or for a long one only the members that identify it. */
function shownEvent(event: JsonObject): Json {
  const text = exactJson(event)
  // Shown with doubles, as the plugin had it.
  if (text.length <= PLUGIN_ERROR_EVENT_CHARS_MAX) return parseJson(text)
  const { uuid = null, event: name = null, distinct_id: id = null, timestamp = null } = event
  return { uuid, event: name, distinct_id: id, timestamp }
}
