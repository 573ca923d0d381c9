/**
 * Marks events that plugins capture, so that a config does not process its own events in a loop.
 */

import type { Json, JsonObject } from '../../core/json.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'

const CAPTURE_LIB = 'posthog-plugin-server'

/** The name of a config in the bookkeeping properties of an event. */
export function stepLabel({ pluginName, configId }: Pick<PluginStep, 'pluginName' | 'configId'>) {
  return `${pluginName} (${configId})`
}

/**
 * Marks the properties of an event that `step` captures: the config is the first of those that have
 * processed it, so that its own `processEvent` is skipped.
 */
export function markCaptured(properties: JsonObject, step: PluginStep): JsonObject {
  const label = stepLabel(step)
  const before = labels(properties['$plugins_succeeded']).filter((each) => each !== label)
  return { ...properties, $lib: CAPTURE_LIB, $plugins_succeeded: [label, ...before] }
}

/**
 * True when this config captured the event. Its `onEvent` and `exportEvents` skip the event too.
 */
export function isCapturedBy(properties: JsonObject, step: PluginStep): boolean {
  if (properties['$lib'] !== CAPTURE_LIB) return false
  return labels(properties['$plugins_succeeded'])[0] === stepLabel(step)
}

function labels(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
