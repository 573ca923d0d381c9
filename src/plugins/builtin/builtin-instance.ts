/** A built-in plugin in the form that the runtime uses for every plugin: no method rejects. */
import type { Clock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import { PLUGIN_CALL_MS } from '../../core/limits/limits-plugins.ts'
import type {
  CallAnswer,
  PluginError,
  PluginEvent,
  PluginHost,
  PluginInstance,
  ProcessAnswer,
} from '../ports.ts'
import type { Builtin, BuiltinWork } from './define.ts'
import { RetryError, TimeoutError } from './errors.ts'
import { readSettings } from './setting-reader.ts'

const OK: CallAnswer = { ok: true }
const DROPPED: ProcessAnswer = { kind: 'dropped' }

/**
 * `setup` reads the settings. Other calls fail before it, and after it has failed. A call that
 * waits is cut off after 30 s, and at once by `teardown`.
 */
export function createBuiltinInstance(
  builtin: Builtin,
  settings: JsonObject,
  host: PluginHost,
  clock: Pick<Clock, 'after'>,
): PluginInstance {
  let work: BuiltinWork | undefined
  const waiting = new Set<AbortController>()

  async function call(run: (signal: AbortSignal) => Promise<void>): Promise<CallAnswer> {
    const controller = new AbortController()
    const { signal } = controller
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const cancel = clock.after(PLUGIN_CALL_MS, () =>
      controller.abort(new TimeoutError(`The call took more than ${PLUGIN_CALL_MS / 1_000} s.`)),
    )
    waiting.add(controller)
    try {
      await Promise.race([run(signal), aborted])
      return OK
    } catch (error) {
      return { ok: false, error: toPluginError(error) }
    } finally {
      cancel()
      waiting.delete(controller)
    }
  }

  return {
    capabilities: builtin.capabilities,

    setup: () =>
      call(async () => {
        work = await builtin.create(readSettings(builtin.schema, settings), host)
      }),

    async process(events) {
      const answers: ProcessAnswer[] = []
      for (const event of events) {
        const answer = processed(work, event)
        answers.push(answer instanceof Promise ? await answer : answer)
      }
      return answers
    },

    onEvent: async () => (work === undefined ? notSetUp() : OK),

    async exportEvents(events) {
      if (work === undefined) return notSetUp()
      const { exportEvents } = work
      if (exportEvents === undefined) return OK
      return await call((signal) => exportEvents(events, signal))
    },

    runJob: async (name) => failed(`The plugin has no job "${name}".`),
    runScheduled: async (schedule) => failed(`The plugin has no ${schedule}.`),

    async teardown() {
      work = undefined
      for (const controller of waiting) controller.abort(new Error('The plugin is unloaded.'))
    },
  }
}

/** Answers at once when the plugin does not wait. */
function processed(
  work: BuiltinWork | undefined,
  event: PluginEvent,
): ProcessAnswer | Promise<ProcessAnswer> {
  if (work === undefined) return { kind: 'failed', error: toPluginError(new Error(NOT_SET_UP)) }
  if (work.processEvent === undefined) return { kind: 'kept', event }
  try {
    const answer = work.processEvent(event)
    return answer instanceof Promise ? answer.then(toAnswer, toFailure) : toAnswer(answer)
  } catch (error) {
    return toFailure(error)
  }
}

function toAnswer(event: PluginEvent | null): ProcessAnswer {
  return event === null ? DROPPED : { kind: 'kept', event }
}

function toFailure(error: unknown): ProcessAnswer {
  return { kind: 'failed', error: toPluginError(error) }
}

const NOT_SET_UP = 'The plugin is not set up.'

function notSetUp(): CallAnswer {
  return failed(NOT_SET_UP)
}

function failed(message: string): CallAnswer {
  return { ok: false, error: toPluginError(new Error(message)) }
}

/** The stack is left out: its frames are the server's. */
export function toPluginError(error: unknown): PluginError {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return {
    name,
    message,
    stack: `${name}: ${message}`,
    isRetry: error instanceof RetryError,
    isTimeout: error instanceof TimeoutError,
  }
}
