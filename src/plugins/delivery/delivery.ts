/**
 * Delivers durable events: to `onEvent` of each plugin, and to the buffers of `exportEvents`. An
 * instance gets events until its config is flushed or has another instance. Events that were added
 * before still go to the old instance, which must stay until a flush has ended.
 */
import type { Clock } from '../../core/clock.ts'
import { isCapturedBy } from '../host/captured.ts'
import type { LoadedPlugin, PluginDelivery, PluginInstance, StoredPluginEvent } from '../ports.ts'
import { createDeliveryRoom } from './delivery-room.ts'
import {
  createDeliveryReport,
  createEventCalls,
  type Delivery,
  type DeliveryCategory,
  type DeliveryDeps,
  type ReportDeps,
} from './event-calls.ts'
import { createExportBuffer } from './export-buffer.ts'

/** Longest wait of an unload for events under way. */
const PLUGIN_UNLOAD_MS = 30_000

export type PluginDeliveryDeps = ReportDeps & {
  readonly clock: Clock
  readonly random: () => number
}

/** The deliveries of one instance. */
type Unit = {
  readonly deliveries: readonly Delivery[]
  /** Aborts when there is no time left for events that wait. */
  readonly ended: AbortController
  finished: Promise<void> | undefined
}

const CATEGORIES = ['onEvent', 'exportEvents'] as const satisfies readonly DeliveryCategory[]
const STOPPING = 'the server is stopping'

export function createPluginDelivery(deps: PluginDeliveryDeps): PluginDelivery {
  const { clock, random, records, log } = deps
  const unitDeps = { clock, random, records, log, room: createDeliveryRoom() }
  const bytesOf = createEventBytes()
  const configs = new Map<number, Map<PluginInstance, Unit>>()
  let isClosed = false

  const unitOf = (loaded: LoadedPlugin, categories: readonly DeliveryCategory[]): Unit => {
    const { configId } = loaded.definition.step
    const units = configs.get(configId) ?? new Map<PluginInstance, Unit>()
    const known = units.get(loaded.instance)
    if (known !== undefined) return known
    void endAll(configId, PLUGIN_UNLOAD_MS)
    const unit = createUnit(unitDeps, loaded, categories)
    units.set(loaded.instance, unit)
    configs.set(configId, units)
    return unit
  }

  const end = async (configId: number, instance: PluginInstance, unit: Unit, ms: number) => {
    const cancel = deps.clock.after(ms, () => unit.ended.abort())
    const { signal } = unit.ended
    unit.finished ??= Promise.all(unit.deliveries.map((each) => each.finish(signal))).then(() => {
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
      const { deliveries } = unitOf(loaded, categories)
      for (const event of events) {
        if (isCapturedBy(event.properties, definition.step)) continue
        const bytes = bytesOf(event)
        for (const each of deliveries) each.add(event, bytes)
      }
    },
    flush: (configId, instance) => endAll(configId, PLUGIN_UNLOAD_MS, instance),
    async close(deadlineMs) {
      isClosed = true
      await Promise.all([...configs.keys()].map((configId) => endAll(configId, deadlineMs)))
    },
  }
}

function createUnit(
  deps: DeliveryDeps,
  loaded: LoadedPlugin,
  categories: readonly DeliveryCategory[],
): Unit {
  const deliveries = categories.map((category) =>
    category === 'onEvent' ? createEventCalls(deps, loaded) : createExportBuffer(deps, loaded),
  )
  return { deliveries, ended: new AbortController(), finished: undefined }
}

/** The size of an event as JSON text, measured once for all plugins that get it. */
function createEventBytes(): (event: StoredPluginEvent) => number {
  const known = new WeakMap<StoredPluginEvent, number>()
  return (event) => {
    const bytes = known.get(event) ?? Buffer.byteLength(JSON.stringify(event))
    known.set(event, bytes)
    return bytes
  }
}
