/** Events through one step. */

import type {
  LoadedPlugin,
  PluginError,
  PluginEvent,
  PluginInstance,
  ProcessAnswer,
} from '../ports.ts'
import type { Slot } from '../slot.ts'
import { beforeStep, type EventBefore, judgeEvent } from './judge-event.ts'

/** An event on its way through the steps. */
export type Track = {
  /** Undefined once a plugin has dropped it. */
  event: PluginEvent | undefined
  /** The event before the step under way, from which it is restored when that fails. */
  restore: () => PluginEvent
  /** Labels of plugins that have had it, in an earlier run or in this one. */
  readonly succeeded: string[]
  readonly failed: string[]
  /** Those of an earlier run: they do not get it again. */
  readonly done: ReadonlySet<string>
  /** Something is to be noted: a plugin has had it, or has missed it. */
  isNoted: boolean
}

/**
 * Takes the events through a step that is loaded: one call for several, fewer after a time-out, so
 * that a plugin that hangs is disabled after `PLUGIN_TIMEOUTS_MAX` calls, not after a whole batch.
 * Whatever fails, the event goes on as it was. Never rejects.
 */
export async function runStep(slot: Slot, tracks: readonly Track[]): Promise<void> {
  const due = tracks.filter(({ event, done }) => event !== undefined && !done.has(slot.label))
  if (due.length === 0) return
  if (slot.isLoading()) {
    for (const track of due) note(track, track.failed, slot)
    slot.reports.missed(due.length, 'the plugin is still being loaded.')
    return
  }
  for (let at = 0; at < due.length; ) {
    const loaded = slot.usable()
    if (loaded === undefined || !takesEvents(loaded.instance)) return
    const events = due.slice(at, at + slot.slice.size()).flatMap(({ event }) => event ?? [])
    const befores = events.map(beforeStep)
    const answers = await answersOf(loaded, events)
    let succeeded = 0
    for (const [index, answer] of answers.entries()) {
      const track = due[at + index]
      const before = befores[index]
      if (track === undefined || before === undefined) break
      if (settle(slot, track, before, answer)) succeeded += 1
    }
    slot.reports.succeeded(succeeded)
    slot.slice.took(answers.some((answer) => answer.kind === 'failed' && answer.error.isTimeout))
    at += answers.length
  }
}

export function takesEvents(instance: PluginInstance): boolean {
  const { methods } = instance.capabilities
  return methods.includes('processEvent') || methods.includes('processEventBatch')
}

/** At least one, at most one for each event: an instance that has begun anew may answer fewer. */
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

/** @returns whether the call went well. */
function settle(slot: Slot, track: Track, before: EventBefore, answer: ProcessAnswer): boolean {
  const judged = answer.kind === 'kept' ? judgeEvent(answer.event, before) : undefined
  if (answer.kind === 'failed') fail(slot, track, answer.error)
  else if (judged?.ok === false) fail(slot, track, failure(judged.error).error)
  else {
    const { event, text } = judged?.value ?? { event: undefined, text: '' }
    track.event = event
    track.restore = () => JSON.parse(text)
    note(track, track.succeeded, slot)
    slot.calls.succeeded('processEvent')
    return true
  }
  return false
}

function note(track: Track, list: string[], { label }: Slot): void {
  list.push(label)
  track.isNoted = true
}

function fail(slot: Slot, track: Track, error: PluginError): void {
  const event = track.restore()
  track.event = event
  note(track, track.failed, slot)
  slot.reports.failed(error)
  slot.calls.failed('processEvent', error, { ...event })
}
