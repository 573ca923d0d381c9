import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_ERROR_EVENT_CHARS_MAX,
  PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  PLUGIN_ERROR_STACK_CHARS_MAX,
  PLUGIN_ERROR_WRITE_MS,
  PLUGIN_RETRY_MS,
} from '../core/limits/limits-plugins.ts'
import type { Log } from '../core/log.ts'
import type { Json, JsonObject } from '../wire/proto/value.ts'
import type {
  Capabilities,
  LogType,
  PluginError,
  PluginRecords,
  PluginStates,
  PluginStep,
} from './ports.ts'

export type ReportDeps = {
  readonly records: PluginRecords
  readonly states: PluginStates
  readonly clock: Clock
  readonly log: Log
}

/** What people read of one step. Nothing here waits or throws. */
export type StepReports = {
  /** An entry of the runtime itself. */
  system(type: LogType, message: string): void
  /** Calls of `processEvent` that went well. */
  succeeded(calls: number): void
  /** One that did not. */
  failed(error: PluginError): void
  /** `error` of the config: the newest in `PLUGIN_ERROR_WRITE_MS`. */
  keep(error: PluginError, event: JsonObject | undefined): void
  /** Events that went on without the plugin. */
  missed(events: number, why: string): void
  /** The config is to be switched off; tried again while the store does not take it. */
  disabled(why: string, error: PluginError, event: JsonObject | undefined): void
  /** What has been read is newer than the step of the plan, it may be. */
  read(step: PluginStep): void
  loaded(capabilities: Capabilities): void
  /** Writes nothing more of the state: another instance has begun, or the config is gone. */
  end(): void
}

/** A config has one write of its state under way, and the newest failure waiting. */
export function createStepReports(
  { records, states, clock, log }: ReportDeps,
  projectId: ProjectId,
  planned: PluginStep,
): StepReports {
  const { configId } = planned
  let step = planned
  const ended = new AbortController()
  let waiting: JsonObject | undefined
  let isPaced = false
  let isDisabled = false
  /** Its write clears the error of before, and must not clear that of the first call. */
  let begun = Promise.resolve()

  const write = (type: LogType, source: 'SYSTEM' | 'PLUGIN', message: string) =>
    records.log({ projectId, step, source, type, message })

  const keepError = async (shown: JsonObject) => {
    isPaced = true
    await begun
    try {
      await states.failed(projectId, step, { error: shown, disable: false })
    } catch (error) {
      log.warn('error of a plugin was not kept', { project: projectId, config: configId, error })
    }
    clock.after(PLUGIN_ERROR_WRITE_MS, () => {
      isPaced = false
      const next = waiting
      waiting = undefined
      if (next !== undefined && !ended.signal.aborted && !isDisabled) void keepError(next)
    })
  }

  const disable = async (shown: JsonObject) => {
    await begun
    for (let attempt = 1; !ended.signal.aborted; attempt++) {
      try {
        await states.failed(projectId, step, { error: shown, disable: true })
        return
      } catch (error) {
        log.warn('plugin was not disabled', { project: projectId, config: configId, error })
      }
      if (attempt === PLUGIN_ATTEMPTS_MAX) return
      const pause = PLUGIN_RETRY_MS * 2 ** (attempt - 1)
      await clock.sleep(pause, ended.signal).catch(() => {
        // Ended: the loop sees it.
      })
    }
  }

  return {
    system: (type, message) => write(type, 'SYSTEM', message),
    succeeded(calls) {
      if (calls > 0) records.count(configId, 'processEvent', 'success', calls)
    },
    failed(error) {
      records.count(configId, 'processEvent', 'failure', 1)
      write('ERROR', 'PLUGIN', describeError(error))
    },
    keep(error, event) {
      if (ended.signal.aborted || isDisabled) return
      const kept = errorState(error, event, clock.now())
      if (isPaced) waiting = kept
      else void keepError(kept)
    },
    missed(events, why) {
      records.count(configId, 'processEvent', 'failure', events)
      write('ERROR', 'SYSTEM', `${events} ${events === 1 ? 'event' : 'events'} not seen: ${why}`)
    },
    disabled(why, error, event) {
      if (ended.signal.aborted) return
      isDisabled = true
      write('ERROR', 'SYSTEM', `Plugin disabled: ${why}\n${describeError(error)}`)
      void disable(errorState(error, event, clock.now()))
    },
    read(newer) {
      step = newer
    },
    loaded(capabilities) {
      begun = states.loaded(projectId, step, capabilities).catch((error: unknown) => {
        log.warn('state of a plugin was not kept', { project: projectId, config: configId, error })
      })
    },
    end: () => ended.abort(new Error('the plugin is being unloaded')),
  }
}

/** With the stack, which says the message itself in some engines. */
export function describeError({ name, message, stack }: PluginError): string {
  const headline = `${name}: ${message}`
  return stack === '' || stack.startsWith(headline) ? stack || headline : `${headline}\n${stack}`
}

/** `error` of a config. */
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

/** A long one by what it is known by. */
function shownEvent(event: JsonObject): Json {
  if (JSON.stringify(event).length <= PLUGIN_ERROR_EVENT_CHARS_MAX) return event
  const { uuid = null, event: name = null, distinct_id: id = null, timestamp = null } = event
  return { uuid, event: name, distinct_id: id, timestamp }
}
