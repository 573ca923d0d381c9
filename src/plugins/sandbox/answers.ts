/** Events on their way into a sandbox and out of it, as JSON text. */
import { SANDBOX_BATCH_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import type { PluginError, ProcessAnswer } from '../ports.ts'
import { parseError, sandboxError } from './protocol.ts'

/** JSON lists of consecutive events, each list within the bound or of one event. */
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
 * What a sandbox says of a batch: `[event]` when it is kept, 0 when it is dropped, an error as an
 * object; at most `count`. A plugin may have forged it. Never throws.
 */
export function parseAnswers(text: string, count: number): ProcessAnswer[] {
  let list: unknown
  try {
    list = JSON.parse(`[${text}]`)
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

/** Fills up with failures. */
export function completed(
  answers: readonly ProcessAnswer[],
  count: number,
  error: PluginError = UNREADABLE,
): ProcessAnswer[] {
  const missing = Math.max(0, count - answers.length)
  return [...answers, ...Array.from({ length: missing }, () => failed(error))]
}
