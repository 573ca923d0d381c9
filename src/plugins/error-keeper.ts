import type { Clock } from '../core/clock.ts'
import { PLUGIN_ERROR_WRITE_MS } from '../core/limits-plugins.ts'
import type { Log } from '../core/log.ts'
import type { LoadedPlugin, PluginError, PluginStates } from './ports.ts'
import { errorState } from './step-reports.ts'

/**
 * Keeps failures of calls after storage as `error` of their config, the newest in
 * `PLUGIN_ERROR_WRITE_MS`. What it answers never waits and never throws.
 */
export function createErrorKeeper({
  states,
  clock,
  log,
}: {
  readonly states: Pick<PluginStates, 'failed'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Log
}): (loaded: LoadedPlugin, error: PluginError) => void {
  /** By config: what has come since its last write. */
  const waiting = new Map<number, PluginError | undefined>()

  const keep = async (loaded: LoadedPlugin, error: PluginError): Promise<void> => {
    const { projectId, step } = loaded.definition
    waiting.set(step.configId, undefined)
    try {
      const shown = errorState(error, undefined, clock.now())
      await states.failed(projectId, step, { error: shown, disable: false })
    } catch (cause) {
      const { configId } = step
      log.warn('error of a plugin was not kept', { project: projectId, configId, error: cause })
    }
    clock.after(PLUGIN_ERROR_WRITE_MS, () => {
      const next = waiting.get(step.configId)
      waiting.delete(step.configId)
      if (next !== undefined) void keep(loaded, next) // It never rejects.
    })
  }

  return (loaded, error) => {
    const { configId } = loaded.definition.step
    if (waiting.has(configId)) waiting.set(configId, error)
    else void keep(loaded, error) // It never rejects.
  }
}
