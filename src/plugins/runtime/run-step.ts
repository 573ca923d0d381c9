/** Takes events through one step. */

import { parseJson } from '../../core/json-text/parse-json.ts'
import type {
  LoadedPlugin,
  PluginError,
  PluginEvent,
  PluginInstance,
  ProcessAnswer,
} from '../ports.ts'
import { beforeStep, type EventBefore, judgeEvent } from './judge-event.ts'
import type { PluginHolder } from './plugin-holder.ts'

/** An event on its way through the steps. */
export type Track = {
  /** Undefined when a plugin has dropped it. */
  event: PluginEvent | undefined
  /** The event before the current step, which it becomes again when that step fails. */
  restore: () => PluginEvent
  /** Labels of plugins that have had it, in an earlier run or in this one. */
  readonly succeeded: string[]
  readonly failed: string[]
  /** Labels from an earlier run. These plugins do not get it again. */
  readonly done: ReadonlySet<string>
  /** True when a plugin has had it or has missed it, which its properties must show. */
  isNoted: boolean
}

/**
 * Takes the events through a loaded step. One call has several events, and fewer after a time-out,
 * so that a plugin that hangs is disabled after `PLUGIN_TIMEOUTS_MAX` calls and not after a whole
 * batch. When a call fails, the event continues as it was. Never rejects.
 */
export async function runStep(holder: PluginHolder, tracks: readonly Track[]): Promise<void> {
  const due = tracks.filter(({ event, done }) => event !== undefined && !done.has(holder.label))
  if (due.length === 0) return
  if (holder.isLoading()) {
    for (const track of due) note(track, track.failed, holder)
    holder.reports.missed(due.length, 'the plugin is still being loaded.')
    return
  }
  for (let at = 0; at < due.length; ) {
    const loaded = holder.usable()
    if (loaded === undefined || !takesEvents(loaded.instance)) return
    const events = due.slice(at, at + holder.slice.size()).flatMap(({ event }) => event ?? [])
    const befores = events.map(beforeStep)
    const answers = await answersOf(loaded, events)
    let succeeded = 0
    for (const [index, answer] of answers.entries()) {
      const track = due[at + index]
      const before = befores[index]
      if (track === undefined || before === undefined) break
      if (settle(holder, track, before, answer)) succeeded += 1
    }
    holder.reports.succeeded(succeeded)
    holder.slice.took(answers.some((answer) => answer.kind === 'failed' && answer.error.isTimeout))
    at += answers.length
  }
}

export function takesEvents(instance: PluginInstance): boolean {
  const { methods } = instance.capabilities
  return methods.includes('processEvent') || methods.includes('processEventBatch')
}

/**
 * At least one answer and at most one for each event. An instance that was started anew may answer
 * fewer.
 */
async function answersOf(
  { instance }: LoadedPlugin,
  events: readonly PluginEvent[],
): Promise<readonly ProcessAnswer[]> {
  try {
    const answers = (await instance.process(events)).slice(0, events.length)
    return answers.length > 0 ? answers : [failure('The plugin gave no answer.')]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [failure(message, error instanceof Error ? (error.stack ?? '') : '')]
  }
}

function failure(message: string, stack = ''): { kind: 'failed'; error: PluginError } {
  return {
    kind: 'failed',
    error: { name: 'Error', message, stack, isRetry: false, isTimeout: false },
  }
}

/** @returns whether the call succeeded. */
function settle(
  holder: PluginHolder,
  track: Track,
  before: EventBefore,
  answer: ProcessAnswer,
): boolean {
  const judged = answer.kind === 'kept' ? judgeEvent(answer.event, before) : undefined
  if (answer.kind === 'failed') fail(holder, track, answer.error)
  else if (judged?.ok === false) fail(holder, track, failure(judged.error).error)
  else {
    const { event, text } = judged?.value ?? { event: undefined, text: '' }
    track.event = event
    track.restore = () => parseJson(text) as PluginEvent
    note(track, track.succeeded, holder)
    holder.calls.succeeded('processEvent')
    return true
  }
  return false
}

function note(track: Track, list: string[], { label }: PluginHolder): void {
  list.push(label)
  track.isNoted = true
}

function fail(holder: PluginHolder, track: Track, error: PluginError): void {
  const event = track.restore()
  track.event = event
  note(track, track.failed, holder)
  holder.reports.failed(error)
  holder.calls.failed('processEvent', error, { ...event })
}
