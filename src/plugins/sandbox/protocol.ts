/**
 * The messages between the server and a project's thread. `sandbox` is the number of a virtual
 * machine, `call` that of a call to it, and `hostCall` that of a call from it. `loaded` or
 * `refused` answers `load`; `done` or `cut` answers `call`. Both sides ignore messages about a
 * sandbox that is gone.
 */

import type { JsonObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import {
  PLUGIN_ERROR_MESSAGE_CHARS_MAX,
  PLUGIN_ERROR_STACK_CHARS_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { PluginFile } from '../../project/plugin-ports.ts'
import type { LogType, PluginError } from '../ports.ts'
import type { Engine } from './engine.ts'
import type { MemoryShare } from './memory-total.ts'

export type ThreadData = {
  readonly engine: Engine
  /** Three numbers; see `beat.ts`. */
  readonly beat: SharedArrayBuffer
  readonly memory: MemoryShare
}

export type LoadRequest = {
  readonly sandbox: number
  /** Compiled code. */
  readonly code: string
  readonly settings: JsonObject
  readonly attachments: ReadonlyMap<string, PluginFile>
  readonly processMs: number
  /** Time limit of the code at the top level, in milliseconds. */
  readonly loadMs: number
}

/** `text` is JSON. The name of a job's call is `job:` and the name of the job. */
export type CallRequest = {
  readonly sandbox: number
  readonly call: number
  readonly name: string
  readonly text: string
  readonly budgetMs: number
}

export type HostAnswer = {
  readonly sandbox: number
  readonly hostCall: number
  readonly isOk: boolean
  /** JSON, empty for no value; or the message of an error. */
  readonly text: string
}

export type ThreadRequest =
  | ({ readonly kind: 'load' } & LoadRequest)
  | ({ readonly kind: 'call' } & CallRequest)
  | ({ readonly kind: 'answer' } & HostAnswer)
  | { readonly kind: 'unload'; readonly sandbox: number }

export type Loaded = { readonly methods: readonly string[]; readonly jobs: readonly string[] }

export type ThreadReply =
  | ({ readonly kind: 'loaded'; readonly sandbox: number } & Loaded)
  | { readonly kind: 'refused'; readonly sandbox: number; readonly error: PluginError }
  /** Sent before the cut calls of the sandbox. */
  | { readonly kind: 'lost'; readonly sandbox: number }
  | {
      readonly kind: 'done'
      readonly sandbox: number
      readonly call: number
      readonly text: string
    }
  | ({ readonly kind: 'cut'; readonly sandbox: number; readonly call: number } & Cut)
  | ({ readonly kind: 'ask' } & HostQuestion)
  | {
      readonly kind: 'log'
      readonly sandbox: number
      readonly type: LogType
      readonly message: string
    }

/** A call that failed. `text` has the answers before that: the first events of a batch. */
export type Cut = {
  readonly error: PluginError
  readonly text: string
  /** The sandbox is gone, and its other calls are cut too. */
  readonly isLost: boolean
  /** True when the first event without an answer is the one that was being processed. */
  readonly isExact: boolean
}

export type HostQuestion = {
  readonly sandbox: number
  readonly hostCall: number
  readonly op: string
  /** JSON. */
  readonly args: string
}

/** An error of the sandbox itself, without a stack of the plugin. */
export function sandboxError(
  message: string,
  kind: Partial<Pick<PluginError, 'name' | 'isRetry' | 'isTimeout'>> = {},
): PluginError {
  return { name: 'SandboxError', message, stack: '', isRetry: false, isTimeout: false, ...kind }
}

export function timeoutError(budgetMs: number): PluginError {
  const message = `The call took longer than ${budgetMs} ms.`
  return sandboxError(message, { name: 'TimeoutError', isTimeout: true })
}

/** The error of a call that was cut because another call of its sandbox was. */
export const LOST: PluginError = sandboxError('The sandbox was started anew during the call.', {
  isRetry: true,
})

/** Reads an error that `Describe` wrote. A plugin may have forged it. Never throws. */
export function parseError(value: unknown): PluginError {
  const given = typeof value === 'object' && value !== null ? value : {}
  const text = (key: string, charsMax: number): string => {
    const found: unknown = Reflect.get(given, key)
    return typeof found === 'string' ? found.slice(0, charsMax) : ''
  }
  const name = text('name', 200)
  return {
    name: name === '' ? 'Error' : name,
    message: text('message', PLUGIN_ERROR_MESSAGE_CHARS_MAX),
    stack: text('stack', PLUGIN_ERROR_STACK_CHARS_MAX),
    isRetry: Reflect.get(given, 'isRetry') === true,
    isTimeout: false,
  }
}

/** `parseError` for JSON text. */
export function parseErrorText(text: string): PluginError {
  try {
    return parseError(parseJson(text))
  } catch {
    return sandboxError('The plugin failed, and what it threw cannot be read.')
  }
}

/** Reads the answer of `Entries.load`. Never throws. */
export function parseLoaded(text: unknown): Loaded | { readonly error: PluginError } {
  let given: unknown
  try {
    given = typeof text === 'string' ? parseJson(text) : undefined
  } catch {
    given = undefined // A plugin has broken the text, which counts as no answer.
  }
  if (typeof given !== 'object' || given === null || 'error' in given) {
    return { error: parseError(given === null ? given : Reflect.get(Object(given), 'error')) }
  }
  const texts = (key: string): readonly string[] => {
    const list: unknown = Reflect.get(given, key)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  }
  return { methods: texts('methods'), jobs: texts('jobs') }
}
