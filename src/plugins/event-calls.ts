/** `onEvent` of one loaded plugin: calls at a time, what waits for them, and their retries. */
import type { Clock } from '../core/clock.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_DELIVERY_CALLS_MAX,
  PLUGIN_DELIVERY_EVENTS_MAX,
  PLUGIN_RETRY_MS,
} from '../core/limits/limits-plugins.ts'
import { createDeliveryReport, type ReportDeps } from './delivery/delivery-report.ts'
import type { DeliveryRoom } from './delivery/delivery-room.ts'
import { answerOf, retryAfterMs } from './delivery/retry-calls.ts'
import type { LoadedPlugin, StoredPluginEvent } from './ports.ts'

export type DeliveryDeps = ReportDeps & {
  readonly clock: Clock
  readonly random: () => number
  readonly room: DeliveryRoom
}

/** One way of handing stored events to a plugin. */
export type Delivery = {
  /** Over the bounds the event is dropped. @param bytes of its JSON text. */
  add(event: StoredPluginEvent, bytes: number): void
  /** Waits for all that was added; when the signal aborts, the rest is dropped. Never rejects. */
  finish(signal: AbortSignal): Promise<void>
}

export const TOO_MANY_WAIT = 'too many wait already'
export const NO_TIME_LEFT = 'the plugin was unloaded before'

type Entry = { readonly event: StoredPluginEvent; readonly bytes: number; calls: number }

const RULE = { callsMax: PLUGIN_ATTEMPTS_MAX, firstMs: PLUGIN_RETRY_MS }

export function createEventCalls(deps: DeliveryDeps, loaded: LoadedPlugin): Delivery {
  const { clock, log, random, room } = deps
  const report = createDeliveryReport(deps, loaded, 'onEvent')
  /** Everything not settled: ready, being called, or waiting for its next call. */
  const entries = new Set<Entry>()
  const ready: Entry[] = []
  let running = 0
  let bytesHeld = 0
  let onIdle = () => {}

  const settle = (entry: Entry) => {
    entries.delete(entry)
    bytesHeld -= entry.bytes
    room.give(entry.bytes)
    if (entries.size === 0) onIdle()
  }

  const call = async (entry: Entry) => {
    running++
    entry.calls++
    const answer = await answerOf(log, () => loaded.instance.onEvent(entry.event))
    running--
    if (!entries.has(entry)) return // Given up meanwhile, and counted then.
    const waitMs = retryAfterMs(answer, entry.calls, RULE, random)
    if (waitMs !== undefined) {
      clock.after(waitMs, () => {
        if (!entries.has(entry)) return
        ready.push(entry)
        start()
      })
    } else {
      if (answer.ok) report.succeeded(1, entry.calls)
      else report.failed(1, answer.error)
      settle(entry)
    }
    start()
  }

  const start = () => {
    while (running < PLUGIN_DELIVERY_CALLS_MAX) {
      const entry = ready.shift()
      if (entry === undefined) return
      void call(entry)
    }
  }

  const giveUp = () => {
    if (entries.size === 0) return
    report.dropped(entries.size, NO_TIME_LEFT)
    ready.length = 0
    for (const entry of entries) settle(entry)
  }

  return {
    add(event, bytes) {
      const isFull = entries.size >= PLUGIN_DELIVERY_EVENTS_MAX
      if (isFull || !room.take(bytes, bytesHeld, PLUGIN_DELIVERY_BYTES_MAX)) {
        report.dropped(1, TOO_MANY_WAIT)
        return
      }
      bytesHeld += bytes
      const entry = { event, bytes, calls: 0 }
      entries.add(entry)
      ready.push(entry)
      start()
    },
    async finish(signal) {
      if (signal.aborted) giveUp()
      if (entries.size === 0) return
      signal.addEventListener('abort', giveUp, { once: true })
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
      signal.removeEventListener('abort', giveUp)
    },
  }
}
