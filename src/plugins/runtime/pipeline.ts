/** Events through the steps of a plan. */
import { PLUGIN_BATCH_EVENTS_MAX } from '../../core/limits/limits-plugins.ts'
import type { IngestEvent } from '../../events/event.ts'
import type { Json } from '../../wire/proto/value.ts'
import type { LoadedPlugin, PluginEvent } from '../ports.ts'
import type { Slot } from '../slot.ts'
import { type EventFrame, toIngestEvent, toPluginEvent } from './event-form.ts'
import { runStep, type Track } from './run-step.ts'

/** Properties that say which plugins have had an event. */
const SUCCEEDED = '$plugins_succeeded'
const FAILED = '$plugins_failed'
const DEFERRED = '$plugins_deferred'

/**
 * Takes events through the steps in order, so many at a time through one step after the other.
 * @returns what is left of each, in their order; undefined for one that a plugin has dropped.
 */
export async function runPipeline(
  slots: readonly Slot[],
  events: readonly IngestEvent[],
  frame: EventFrame,
): Promise<(IngestEvent | undefined)[]> {
  const left: (IngestEvent | undefined)[] = []
  for (let at = 0; at < events.length; at += PLUGIN_BATCH_EVENTS_MAX) {
    const batch = events.slice(at, at + PLUGIN_BATCH_EVENTS_MAX)
    const tracks = batch.map((event) => trackOf(event, frame))
    for (const slot of slots) await runStep(slot, tracks)
    const deferred = slots.filter((slot) => isDeferred(slot.usable()))
    const labels = deferred.map(({ label }) => label)
    for (const [index, event] of batch.entries()) {
      left.push(settled(event, tracks[index], labels, frame))
    }
  }
  return left
}

/** It is told of events once they are stored. */
export function isDeferred(loaded: LoadedPlugin | undefined): boolean {
  const methods = loaded?.instance.capabilities.methods ?? []
  return methods.includes('onEvent') || methods.includes('exportEvents')
}

function trackOf(event: IngestEvent, frame: EventFrame): Track {
  const made = toPluginEvent(event, frame)
  const succeeded = textsOf(made.properties[SUCCEEDED])
  const failed = textsOf(made.properties[FAILED])
  return {
    event: made,
    restore: () => toPluginEvent(event, frame),
    succeeded,
    failed,
    done: new Set([...succeeded, ...failed]),
    isNoted: false,
  }
}

function settled(
  original: IngestEvent,
  track: Track | undefined,
  labels: readonly string[],
  frame: EventFrame,
): IngestEvent | undefined {
  if (track?.event === undefined) return undefined
  const { event, succeeded, failed, done, isNoted } = track
  const deferred = labels.filter((label) => !done.has(label))
  // Nobody has had it: it stays as it came, to the byte.
  if (!isNoted && deferred.length === 0) return original
  keepLists(event, { succeeded, failed, deferred })
  return toIngestEvent(original, event, frame)
}

function keepLists(
  { properties }: PluginEvent,
  lists: { succeeded: string[]; failed: string[]; deferred: string[] },
): void {
  const deferred = new Set([...textsOf(properties[DEFERRED]), ...lists.deferred])
  properties[SUCCEEDED] = lists.succeeded
  properties[FAILED] = lists.failed
  properties[DEFERRED] = [...deferred]
}

function textsOf(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return []
  return value.filter((each): each is string => typeof each === 'string')
}
