/** Writes events for a sandbox and reads its answers, as JSON text. */

import { parseJson } from '../../core/json-text/parse-json.ts'
import type { PluginError, ProcessAnswer } from '../ports.ts'
import { parseError, sandboxError } from './protocol.ts'

/** Characters of the JSON text of events handed to a sandbox at a time. */
const SANDBOX_BATCH_CHARS_MAX = 1_048_576

/** Consecutive events as a JSON list, which is within the bound or has one event. */
export type Batch = { readonly text: string; readonly size: number }

export function batchesOf(events: readonly string[], isOneByOne: boolean): Batch[] {
  const batches: Batch[] = []
  let from = 0
  let chars = 0
  const cut = (to: number) => {
    if (to > from) batches.push({ text: `[${events.slice(from, to).join(',')}]`, size: to - from })
    from = to
    chars = 0
  }
  for (const [at, { length }] of events.entries()) {
    if (isOneByOne || chars + length > SANDBOX_BATCH_CHARS_MAX) cut(at)
    chars += length
  }
  cut(events.length)
  return batches
}

const UNREADABLE: PluginError = sandboxError('What the plugin answered cannot be read.')

/**
 * Reads the answers of a sandbox for a batch: `[event]` for a kept event, 0 for a dropped one, an
 * object for an error; at most `count`. A plugin may have forged them. Never throws.
 */
export function parseAnswers(text: string, count: number): ProcessAnswer[] {
  let list: unknown
  try {
    list = parseJson(`[${text}]`)
  } catch {
    list = [] // The caller fails the events that have no answer.
  }
  return (Array.isArray(list) ? list : []).slice(0, count).map(answerOf)
}

function answerOf(item: unknown): ProcessAnswer {
  if (item === 0) return { kind: 'dropped' }
  if (Array.isArray(item)) return { kind: 'kept', event: item[0] }
  const isError = typeof item === 'object' && item !== null
  return { kind: 'failed', error: isError ? parseError(item) : UNREADABLE }
}

export function failed(error: PluginError): ProcessAnswer {
  return { kind: 'failed', error }
}

/** Adds failures until every event has an answer. */
export function completed(
  answers: readonly ProcessAnswer[],
  count: number,
  error: PluginError = UNREADABLE,
): ProcessAnswer[] {
  const missing = Math.max(0, count - answers.length)
  return [...answers, ...Array.from({ length: missing }, () => failed(error))]
}
