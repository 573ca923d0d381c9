/** Takes events through the steps of a plan. */

import { textsIn } from '../../core/json.ts'
import { PLUGIN_BATCH_EVENTS_MAX } from '../../core/limits/limits-plugins.ts'
import type { IngestEvent } from '../../events/event.ts'
import type { LoadedPlugin, PluginEvent } from '../ports.ts'
import { type EventFrame, toIngestEvent, toPluginEvent } from './event-form.ts'
import type { PluginHolder } from './plugin-holder.ts'
import { runStep, type Track } from './run-step.ts'

/** Properties with the names of the plugins that have had an event. */
const SUCCEEDED = '$plugins_succeeded'
const FAILED = '$plugins_failed'
const DEFERRED = '$plugins_deferred'

/**
 * Takes events through the steps in order.
 * @returns the events after the last step, in order; undefined for an event that a plugin has
 * dropped.
 */
export async function runPipeline(
  holders: readonly PluginHolder[],
  events: readonly IngestEvent[],
  frame: EventFrame,
): Promise<(IngestEvent | undefined)[]> {
  const left: (IngestEvent | undefined)[] = []
  for (let at = 0; at < events.length; at += PLUGIN_BATCH_EVENTS_MAX) {
    const batch = events.slice(at, at + PLUGIN_BATCH_EVENTS_MAX)
    const tracks = batch.map((event) => trackOf(event, frame))
    for (const holder of holders) await runStep(holder, tracks)
    const deferred = holders.filter((holder) => isDeferred(holder.usable()))
    const labels = deferred.map(({ label }) => label)
    for (const [index, event] of batch.entries()) {
      left.push(settled(event, tracks[index], labels, frame))
    }
  }
  return left
}

/** True when the plugin gets events after they are stored. */
export function isDeferred(loaded: LoadedPlugin | undefined): boolean {
  const methods = loaded?.instance.capabilities.methods ?? []
  return methods.includes('onEvent') || methods.includes('exportEvents')
}

function trackOf(event: IngestEvent, frame: EventFrame): Track {
  const made = toPluginEvent(event, frame)
  const succeeded = textsIn(made.properties[SUCCEEDED])
  const failed = textsIn(made.properties[FAILED])
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
  // No plugin has seen it, so it stays as it arrived, to the byte.
  if (!isNoted && deferred.length === 0) return original
  keepLists(event, { succeeded, failed, deferred })
  return toIngestEvent(original, event, frame)
}

function keepLists(
  { properties }: PluginEvent,
  lists: { succeeded: string[]; failed: string[]; deferred: string[] },
): void {
  const deferred = new Set([...textsIn(properties[DEFERRED]), ...lists.deferred])
  properties[SUCCEEDED] = lists.succeeded
  properties[FAILED] = lists.failed
  properties[DEFERRED] = [...deferred]
}
