/**
 * Calls `exportEvents` of one loaded plugin. Events fill a buffer, which is exported when it is
 * full or old. One export runs at a time, retries included, while the next buffer fills. Full
 * buffers queue behind it; a buffer that is only old continues to fill.
 */

import type { Json, JsonObject } from '../../core/json.ts'
import {
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_EXPORT_BUFFER_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { LoadedPlugin, StoredPluginEvent } from '../ports.ts'
import {
  answerOf,
  createDeliveryReport,
  type Delivery,
  type DeliveryDeps,
  type DeliveryReport,
  NO_TIME_LEFT,
  retryAfterMs,
  TOO_MANY_WAIT,
} from './event-calls.ts'

/** The same for exports. */
const PLUGIN_EXPORT_RETRY_MS = 6_000
const PLUGIN_EXPORT_ATTEMPTS_MAX = 4
/** Bytes that an event in memory takes beside its JSON text. */
const PLUGIN_DELIVERY_OVERHEAD_BYTES = 512
/** The buffer of `exportEvents`: its defaults, and the most that settings may ask for. */
const PLUGIN_EXPORT_BUFFER_BYTES = 1_048_576
const PLUGIN_EXPORT_BUFFER_S = 10
const PLUGIN_EXPORT_BUFFER_S_MAX = 600

export type ExportSettings = {
  readonly bytesMax: number
  readonly ageMsMax: number
  readonly ignored: ReadonlySet<string>
}

/** Reads the settings of a config. A value that is no number counts as absent. */
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

/** `bytes` is the size of the JSON text. */
type Batch = { readonly events: StoredPluginEvent[]; bytes: number }

/** Adds an overhead for each event, because a small event costs more than its text. */
function memoryOf({ events, bytes }: Batch): number {
  return bytes + events.length * PLUGIN_DELIVERY_OVERHEAD_BYTES
}

const RULE = { callsMax: PLUGIN_EXPORT_ATTEMPTS_MAX, firstMs: PLUGIN_EXPORT_RETRY_MS }

export function createExportBuffer(deps: DeliveryDeps, loaded: LoadedPlugin): Delivery {
  return new ExportBuffer(deps, loaded)
}

class ExportBuffer implements Delivery {
  readonly #deps: DeliveryDeps
  readonly #loaded: LoadedPlugin
  readonly #settings: ExportSettings
  readonly #report: DeliveryReport
  /** Bytes of the filling buffer and the one before it. */
  readonly #heldMax: number
  readonly #full: Batch[] = []
  readonly #ended = new AbortController()
  #filling: Batch = { events: [], bytes: 0 }
  #exporting: Batch | undefined
  #bytesHeld = 0
  #isDue = false
  #cancelAge = () => {}
  #onIdle = () => {}

  constructor(deps: DeliveryDeps, loaded: LoadedPlugin) {
    this.#deps = deps
    this.#loaded = loaded
    this.#settings = exportSettings(loaded.definition.settings)
    this.#report = createDeliveryReport(deps, loaded, 'exportEvents')
    this.#heldMax = Math.max(PLUGIN_DELIVERY_BYTES_MAX, 2 * this.#settings.bytesMax)
  }

  add(event: StoredPluginEvent, bytes: number): void {
    const { bytesMax, ageMsMax, ignored } = this.#settings
    if (ignored.has(event.event)) return
    const cost = bytes + PLUGIN_DELIVERY_OVERHEAD_BYTES
    const isEnded = this.#ended.signal.aborted
    if (isEnded || !this.#deps.room.take(cost, this.#bytesHeld, this.#heldMax)) {
      this.#report.dropped(1, isEnded ? NO_TIME_LEFT : TOO_MANY_WAIT)
      if (this.#exporting === undefined) this.#seal() // No room is left for more events.
      return
    }
    this.#bytesHeld += cost
    if (this.#filling.events.length > 0 && this.#filling.bytes + bytes > bytesMax) this.#seal()
    if (this.#filling.events.length === 0) {
      this.#cancelAge = this.#deps.clock.after(ageMsMax, () => this.#onAge())
    }
    this.#filling.events.push(event)
    this.#filling.bytes += bytes
    const isFull = this.#filling.bytes >= bytesMax || memoryOf(this.#filling) >= this.#heldMax / 2
    if (isFull) this.#seal()
  }

  async finish(signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#giveUp()
    if (signal.aborted) giveUp()
    this.#seal()
    if (this.#exporting === undefined || this.#ended.signal.aborted) return
    signal.addEventListener('abort', giveUp, { once: true })
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    signal.removeEventListener('abort', giveUp)
  }

  /** Closes the buffer to further events. It is exported after those before it. */
  #seal(): void {
    this.#cancelAge()
    this.#isDue = false
    if (this.#filling.events.length > 0) this.#full.push(this.#filling)
    this.#filling = { events: [], bytes: 0 }
    this.#start()
  }

  #onAge(): void {
    this.#isDue = true
    if (this.#exporting === undefined) this.#seal()
  }

  #start(): void {
    if (this.#exporting !== undefined) return
    const batch = this.#full.shift()
    if (batch !== undefined) void this.#run(batch)
    else if (this.#isDue) this.#seal()
    else if (this.#filling.events.length === 0) this.#onIdle()
  }

  async #run(batch: Batch): Promise<void> {
    this.#exporting = batch
    await this.#exportWithRetries(batch)
    if (this.#ended.signal.aborted) return // Dropped and counted meanwhile.
    this.#settle(batch)
    this.#exporting = undefined
    this.#start()
  }

  async #exportWithRetries({ events }: Batch): Promise<void> {
    const { clock, log, random } = this.#deps
    const { signal } = this.#ended
    for (let calls = 1; ; calls++) {
      const answer = await answerOf(log, () => this.#loaded.instance.exportEvents(events))
      if (signal.aborted) return
      const waitMs = retryAfterMs(answer, calls, RULE, random)
      if (waitMs === undefined) {
        if (answer.ok) this.#report.succeeded(events.length, calls)
        else this.#report.failed(events.length, answer.error)
        return
      }
      await clock.sleep(waitMs, signal).catch(() => {
        // Aborted: the next line ends the work.
      })
      if (signal.aborted) return
    }
  }

  #settle(batch: Batch): void {
    this.#bytesHeld -= memoryOf(batch)
    this.#deps.room.give(memoryOf(batch))
  }

  #giveUp(): void {
    this.#ended.abort()
    this.#cancelAge()
    const exporting = this.#exporting === undefined ? [] : [this.#exporting]
    const batches = [...exporting, ...this.#full, this.#filling]
    const events = batches.reduce((sum, batch) => sum + batch.events.length, 0)
    if (events > 0) this.#report.dropped(events, NO_TIME_LEFT)
    for (const batch of batches) this.#settle(batch)
    this.#full.length = 0
    this.#filling = { events: [], bytes: 0 }
    this.#onIdle()
  }
}
