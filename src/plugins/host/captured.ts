/** The marks of events that plugins capture, by which a config does not meet its own for ever. */
import type { Json, JsonObject } from '../../wire/proto/value.ts'
import type { PluginStep } from '../ports.ts'

export const CAPTURE_LIB = 'posthog-plugin-server'

/** How the bookkeeping properties of an event name a config. */
export function stepLabel({ pluginName, configId }: Pick<PluginStep, 'pluginName' | 'configId'>) {
  return `${pluginName} (${configId})`
}

/**
 * Marks the properties of an event that `step` captures: the config stands first among those that
 * have processed it, so that its `processEvent` is skipped.
 */
export function markCaptured(properties: JsonObject, step: PluginStep): JsonObject {
  const label = stepLabel(step)
  const before = labels(properties['$plugins_succeeded']).filter((each) => each !== label)
  return { ...properties, $lib: CAPTURE_LIB, $plugins_succeeded: [label, ...before] }
}

/** True when this very config captured the event: not for its `onEvent` and `exportEvents` either. */
export function isCapturedBy(properties: JsonObject, step: PluginStep): boolean {
  if (properties['$lib'] !== CAPTURE_LIB) return false
  return labels(properties['$plugins_succeeded'])[0] === stepLabel(step)
}

function labels(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
