/**
 * What happens to events once they are durable: `onEvent` of each plugin, and the buffers of
 * `exportEvents`. An instance is served until its config is flushed or served by another instance;
 * what was handed over before still goes to the old one, which must stay until a flush has ended.
 */
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_UNLOAD_MS } from '../../core/limits/limits-plugins.ts'
import { createEventCalls, type Delivery } from '../event-calls.ts'
import { createExportBuffer } from '../export-buffer.ts'
import { isCapturedBy } from '../host/captured.ts'
import type { LoadedPlugin, PluginDelivery, PluginInstance, StoredPluginEvent } from '../ports.ts'
import { createDeliveryReport, type DeliveryCategory, type ReportDeps } from './delivery-report.ts'
import { createDeliveryRoom } from './delivery-room.ts'

export type PluginDeliveryDeps = ReportDeps & {
  readonly clock: Clock
  readonly random: () => number
}

/** Of one instance. */
type Unit = {
  readonly ways: readonly Delivery[]
  /** Aborts when there is no time left for what waits. */
  readonly ended: AbortController
  finished: Promise<void> | undefined
}

const CATEGORIES = ['onEvent', 'exportEvents'] as const satisfies readonly DeliveryCategory[]
const STOPPING = 'the server is stopping'

export function createPluginDelivery(deps: PluginDeliveryDeps): PluginDelivery {
  const wayDeps = { ...deps, room: createDeliveryRoom() }
  const bytesOf = createEventBytes()
  const configs = new Map<number, Map<PluginInstance, Unit>>()
  let isClosed = false

  const createUnit = (loaded: LoadedPlugin, categories: readonly DeliveryCategory[]): Unit => ({
    ways: categories.map((category) =>
      category === 'onEvent'
        ? createEventCalls(wayDeps, loaded)
        : createExportBuffer(wayDeps, loaded),
    ),
    ended: new AbortController(),
    finished: undefined,
  })

  const unitOf = (loaded: LoadedPlugin, categories: readonly DeliveryCategory[]): Unit => {
    const { configId } = loaded.definition.step
    const units = configs.get(configId) ?? new Map<PluginInstance, Unit>()
    const known = units.get(loaded.instance)
    if (known !== undefined) return known
    void endAll(configId, PLUGIN_UNLOAD_MS)
    const unit = createUnit(loaded, categories)
    units.set(loaded.instance, unit)
    configs.set(configId, units)
    return unit
  }

  const end = async (configId: number, instance: PluginInstance, unit: Unit, ms: number) => {
    const cancel = deps.clock.after(ms, () => unit.ended.abort())
    const { signal } = unit.ended
    unit.finished ??= Promise.all(unit.ways.map((way) => way.finish(signal))).then(() => {
      const units = configs.get(configId)
      units?.delete(instance)
      if (units?.size === 0) configs.delete(configId)
    })
    await unit.finished
    cancel()
  }

  const endAll = async (configId: number, ms: number, only?: PluginInstance) => {
    const all = [...(configs.get(configId) ?? [])]
    const units = only === undefined ? all : all.filter(([instance]) => instance === only)
    await Promise.all(units.map(([instance, unit]) => end(configId, instance, unit, ms)))
  }

  return {
    stored(loaded, events) {
      const { definition, instance } = loaded
      const categories = CATEGORIES.filter((each) => instance.capabilities.methods.includes(each))
      if (categories.length === 0 || events.length === 0) return
      if (isClosed) {
        for (const category of categories) {
          createDeliveryReport(deps, loaded, category).dropped(events.length, STOPPING)
        }
        return
      }
      const { ways } = unitOf(loaded, categories)
      for (const event of events) {
        if (isCapturedBy(event.properties, definition.step)) continue
        const bytes = bytesOf(event)
        for (const way of ways) way.add(event, bytes)
      }
    },
    flush: (configId, instance) => endAll(configId, PLUGIN_UNLOAD_MS, instance),
    async close(deadlineMs) {
      isClosed = true
      await Promise.all([...configs.keys()].map((configId) => endAll(configId, deadlineMs)))
    },
  }
}

/** The size of an event as JSON text, measured once for all plugins that it is handed to. */
function createEventBytes(): (event: StoredPluginEvent) => number {
  const known = new WeakMap<StoredPluginEvent, number>()
  return (event) => {
    const bytes = known.get(event) ?? Buffer.byteLength(JSON.stringify(event))
    known.set(event, bytes)
    return bytes
  }
}
