/**
 * Calls `onEvent` of one loaded plugin, with bounds on concurrent calls and waiting events, and
 * retries.
 */
import type { Clock } from '../../core/clock.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_RETRY_MS,
} from '../../core/limits/limits-plugins.ts'
import type { LoadedPlugin, StoredPluginEvent } from '../ports.ts'
import { createDeliveryReport, type DeliveryReport, type ReportDeps } from './delivery-report.ts'
import type { DeliveryRoom } from './delivery-room.ts'
import { answerOf, retryAfterMs } from './retry-calls.ts'

/** Calls of `onEvent` of one config at a time, and events that wait for them. */
const PLUGIN_DELIVERY_CALLS_MAX = 64
const PLUGIN_DELIVERY_EVENTS_MAX = 10_000

export type DeliveryDeps = ReportDeps & {
  readonly clock: Clock
  readonly random: () => number
  readonly room: DeliveryRoom
}

/** Delivers stored events to a plugin by `onEvent` or `exportEvents`. */
export type Delivery = {
  /**
   * Drops the event when a bound is reached.
   * @param bytes of its JSON text.
   */
  add(event: StoredPluginEvent, bytes: number): void
  /** Waits for all added events. When the signal aborts, the rest is dropped. Never rejects. */
  finish(signal: AbortSignal): Promise<void>
}

export const TOO_MANY_WAIT = 'too many wait already'
export const NO_TIME_LEFT = 'the plugin was unloaded before'

type Entry = { readonly event: StoredPluginEvent; readonly bytes: number; calls: number }

const RULE = { callsMax: PLUGIN_ATTEMPTS_MAX, firstMs: PLUGIN_RETRY_MS }

export function createEventCalls(deps: DeliveryDeps, loaded: LoadedPlugin): Delivery {
  return new EventCalls(deps, loaded)
}

class EventCalls implements Delivery {
  readonly #deps: DeliveryDeps
  readonly #loaded: LoadedPlugin
  readonly #report: DeliveryReport
  /** Events that are not settled: ready, being called, or waiting for the next attempt. */
  readonly #entries = new Set<Entry>()
  readonly #ready: Entry[] = []
  #running = 0
  #bytesHeld = 0
  #onIdle = () => {}

  constructor(deps: DeliveryDeps, loaded: LoadedPlugin) {
    this.#deps = deps
    this.#loaded = loaded
    this.#report = createDeliveryReport(deps, loaded, 'onEvent')
  }

  add(event: StoredPluginEvent, bytes: number): void {
    const isFull = this.#entries.size >= PLUGIN_DELIVERY_EVENTS_MAX
    if (isFull || !this.#deps.room.take(bytes, this.#bytesHeld, PLUGIN_DELIVERY_BYTES_MAX)) {
      this.#report.dropped(1, TOO_MANY_WAIT)
      return
    }
    this.#bytesHeld += bytes
    const entry = { event, bytes, calls: 0 }
    this.#entries.add(entry)
    this.#ready.push(entry)
    this.#start()
  }

  async finish(signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#giveUp()
    if (signal.aborted) giveUp()
    if (this.#entries.size === 0) return
    signal.addEventListener('abort', giveUp, { once: true })
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    signal.removeEventListener('abort', giveUp)
  }

  #start(): void {
    while (this.#running < PLUGIN_DELIVERY_CALLS_MAX) {
      const entry = this.#ready.shift()
      if (entry === undefined) return
      void this.#call(entry)
    }
  }

  async #call(entry: Entry): Promise<void> {
    const { log, random } = this.#deps
    this.#running++
    entry.calls++
    const answer = await answerOf(log, () => this.#loaded.instance.onEvent(entry.event))
    this.#running--
    if (!this.#entries.has(entry)) return // Dropped and counted meanwhile.
    const waitMs = retryAfterMs(answer, entry.calls, RULE, random)
    if (waitMs !== undefined) {
      this.#callAgain(entry, waitMs)
    } else {
      if (answer.ok) this.#report.succeeded(1, entry.calls)
      else this.#report.failed(1, answer.error)
      this.#settle(entry)
    }
    this.#start()
  }

  #callAgain(entry: Entry, waitMs: number): void {
    this.#deps.clock.after(waitMs, () => {
      if (!this.#entries.has(entry)) return
      this.#ready.push(entry)
      this.#start()
    })
  }

  #settle(entry: Entry): void {
    this.#entries.delete(entry)
    this.#bytesHeld -= entry.bytes
    this.#deps.room.give(entry.bytes)
    if (this.#entries.size === 0) this.#onIdle()
  }

  #giveUp(): void {
    if (this.#entries.size === 0) return
    this.#report.dropped(this.#entries.size, NO_TIME_LEFT)
    this.#ready.length = 0
    for (const entry of this.#entries) this.#settle(entry)
  }
}
