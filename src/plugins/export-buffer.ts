/**
 * `exportEvents` of one loaded plugin. Events fill a buffer, which is exported when it is full or
 * old. One export runs at a time, its retries included, while the next buffer fills; full ones
 * queue up behind it, an old one goes on filling.
 */
import {
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_DELIVERY_OVERHEAD_BYTES,
  PLUGIN_EXPORT_ATTEMPTS_MAX,
  PLUGIN_EXPORT_BUFFER_BYTES,
  PLUGIN_EXPORT_BUFFER_BYTES_MAX,
  PLUGIN_EXPORT_BUFFER_S,
  PLUGIN_EXPORT_BUFFER_S_MAX,
  PLUGIN_EXPORT_RETRY_MS,
} from '../core/limits/limits-plugins.ts'
import type { Json, JsonObject } from '../wire/proto/value.ts'
import { createDeliveryReport } from './delivery/delivery-report.ts'
import { answerOf, retryAfterMs } from './delivery/retry-calls.ts'
import { type Delivery, type DeliveryDeps, NO_TIME_LEFT, TOO_MANY_WAIT } from './event-calls.ts'
import type { LoadedPlugin, StoredPluginEvent } from './ports.ts'

export type ExportSettings = {
  readonly bytesMax: number
  readonly ageMsMax: number
  readonly ignored: ReadonlySet<string>
}

/** Reads them from the settings of a config; a value that is no number counts as none. */
export function exportSettings(settings: JsonObject): ExportSettings {
  const names = settings['exportEventsToIgnore']
  const seconds = PLUGIN_EXPORT_BUFFER_S_MAX
  const bytes = PLUGIN_EXPORT_BUFFER_BYTES_MAX
  return {
    bytesMax: within(settings['exportEventsBufferBytes'], PLUGIN_EXPORT_BUFFER_BYTES, bytes),
    ageMsMax:
      1_000 * within(settings['exportEventsBufferSeconds'], PLUGIN_EXPORT_BUFFER_S, seconds),
    ignored: new Set(typeof names === 'string' ? names.split(',').map((name) => name.trim()) : []),
  }
}

function within(value: Json | undefined, unset: number, max: number): number {
  const isText = typeof value === 'string' && value.trim() !== ''
  const number = isText || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? unset : Math.min(Math.max(1, number), max)
}

/** `bytes` of JSON text. */
type Batch = { readonly events: StoredPluginEvent[]; bytes: number }

/** Small events cost more than their text. */
function memoryOf({ events, bytes }: Batch): number {
  return bytes + events.length * PLUGIN_DELIVERY_OVERHEAD_BYTES
}

const RULE = { callsMax: PLUGIN_EXPORT_ATTEMPTS_MAX, firstMs: PLUGIN_EXPORT_RETRY_MS }

export function createExportBuffer(deps: DeliveryDeps, loaded: LoadedPlugin): Delivery {
  const { clock, log, random, room } = deps
  const settings = exportSettings(loaded.definition.settings)
  const report = createDeliveryReport(deps, loaded, 'exportEvents')
  /** A buffer and the one before it. */
  const heldMax = Math.max(PLUGIN_DELIVERY_BYTES_MAX, 2 * settings.bytesMax)
  const full: Batch[] = []
  let filling: Batch = { events: [], bytes: 0 }
  let exporting: Batch | undefined
  let bytesHeld = 0
  let isDue = false
  let cancelAge = () => {}
  let onIdle = () => {}
  const ended = new AbortController()

  const seal = () => {
    cancelAge()
    isDue = false
    if (filling.events.length > 0) full.push(filling)
    filling = { events: [], bytes: 0 }
    start()
  }

  const onAge = () => {
    isDue = true
    if (exporting === undefined) seal()
  }

  const start = () => {
    if (exporting !== undefined) return
    const batch = full.shift()
    if (batch !== undefined) void run(batch)
    else if (isDue) seal()
    else if (filling.events.length === 0) onIdle()
  }

  const settle = (batch: Batch) => {
    bytesHeld -= memoryOf(batch)
    room.give(memoryOf(batch))
  }

  const run = async (batch: Batch) => {
    exporting = batch
    await exportWithRetries(batch)
    if (ended.signal.aborted) return // Given up meanwhile, and counted then.
    settle(batch)
    exporting = undefined
    start()
  }

  const exportWithRetries = async ({ events }: Batch) => {
    for (let calls = 1; ; calls++) {
      const answer = await answerOf(log, () => loaded.instance.exportEvents(events))
      if (ended.signal.aborted) return
      const waitMs = retryAfterMs(answer, calls, RULE, random)
      if (waitMs === undefined) {
        if (answer.ok) report.succeeded(events.length, calls)
        else report.failed(events.length, answer.error)
        return
      }
      await clock.sleep(waitMs, ended.signal).catch(() => {
        // Woken by the end of the time, which the next line sees.
      })
      if (ended.signal.aborted) return
    }
  }

  const giveUp = () => {
    ended.abort()
    cancelAge()
    const batches = [...(exporting === undefined ? [] : [exporting]), ...full, filling]
    const events = batches.reduce((sum, batch) => sum + batch.events.length, 0)
    if (events > 0) report.dropped(events, NO_TIME_LEFT)
    for (const batch of batches) settle(batch)
    full.length = 0
    filling = { events: [], bytes: 0 }
    onIdle()
  }

  return {
    add(event, bytes) {
      if (settings.ignored.has(event.event)) return
      const cost = bytes + PLUGIN_DELIVERY_OVERHEAD_BYTES
      if (ended.signal.aborted || !room.take(cost, bytesHeld, heldMax)) {
        report.dropped(1, ended.signal.aborted ? NO_TIME_LEFT : TOO_MANY_WAIT)
        if (exporting === undefined) seal() // There is no room to wait for more.
        return
      }
      bytesHeld += cost
      if (filling.events.length > 0 && filling.bytes + bytes > settings.bytesMax) seal()
      if (filling.events.length === 0) cancelAge = clock.after(settings.ageMsMax, onAge)
      filling.events.push(event)
      filling.bytes += bytes
      if (filling.bytes >= settings.bytesMax || memoryOf(filling) >= heldMax / 2) seal()
    },
    async finish(signal) {
      if (signal.aborted) giveUp()
      seal()
      if (exporting === undefined || ended.signal.aborted) return
      signal.addEventListener('abort', giveUp, { once: true })
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
      signal.removeEventListener('abort', giveUp)
    },
  }
}
