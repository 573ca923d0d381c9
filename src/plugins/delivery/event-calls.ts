/**
 * Calls `onEvent` of one loaded plugin, with bounds on concurrent calls and waiting events, and
 * retries.
 */

import { type Backoff, backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_RETRY_MS,
} from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type {
  CallAnswer,
  CallOutcome,
  LoadedPlugin,
  PluginError,
  PluginRecords,
  StoredPluginEvent,
} from '../ports.ts'
import { describeError } from '../runtime/step-reports.ts'
import type { DeliveryRoom } from './delivery-room.ts'

/** At most a tenth, so that calls that failed together are not repeated together. */
const JITTER = 0.1

/** Interval of logging dropped events. */
const PLUGIN_DROP_NOTE_MS = 60_000

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

/** Reports the outcomes of events in `onEvent` and `exportEvents`. */
export type ReportDeps = {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
  readonly records: Pick<PluginRecords, 'log' | 'count'>
}

export type DeliveryCategory = 'onEvent' | 'exportEvents'

/** Counts, logs and reports the deliveries of one config. */
export type DeliveryReport = {
  /** @param calls made for the events, of which the last one succeeded. */
  succeeded(events: number, calls: number): void
  failed(events: number, error: PluginError): void
  /** The events were not delivered. Logged once a minute. */
  dropped(events: number, why: string): void
}

export function createDeliveryReport(
  { clock, records }: ReportDeps,
  { definition, calls: listener }: LoadedPlugin,
  category: DeliveryCategory,
): DeliveryReport {
  const { projectId, step } = definition
  const waiting = new Map<string, number>()
  const count = (outcome: CallOutcome, events: number) => {
    records.count(step.configId, category, outcome, events)
  }
  const note = (events: number, why: string) => {
    const what = events === 1 ? '1 event was' : `${events} events were`
    const message = `${what} not handed to ${category}: ${why}`
    records.log({ projectId, step, source: 'SYSTEM', type: 'WARN', message })
    waiting.set(why, 0)
    clock.after(PLUGIN_DROP_NOTE_MS, () => {
      const more = waiting.get(why) ?? 0
      waiting.delete(why)
      if (more > 0) note(more, why)
    })
  }
  return {
    succeeded(events, calls) {
      count(calls === 1 ? 'success' : 'success_on_retry', events)
      listener.succeeded(category)
    },
    failed(events, error) {
      count('failure', events)
      const message = describeError(error)
      records.log({ projectId, step, source: 'PLUGIN', type: 'ERROR', message })
      listener.failed(category, error)
    },
    dropped(events, why) {
      count('failure', events)
      const before = waiting.get(why)
      if (before === undefined) note(events, why)
      else waiting.set(why, before + events)
    },
  }
}

/** The most calls in all, and the first pause, which doubles. */
type RetryRule = Backoff & { readonly callsMax: number }

/**
 * Milliseconds until the next call, after `calls` of them.
 * @returns undefined when there is none: the call succeeded, threw no `RetryError`, or was the
 * last.
 */
export function retryAfterMs(
  answer: CallAnswer,
  calls: number,
  rule: RetryRule,
  random: () => number,
): number | undefined {
  if (answer.ok || !answer.error.isRetry || calls >= rule.callsMax) return undefined
  return backoffMs(rule, calls) * (1 + random() * JITTER)
}

/** The answer of a call. A call must not reject; when it does, the answer is a failure. */
export async function answerOf(log: Log, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
  try {
    return await call()
  } catch (error) {
    log.error('a plugin call failed', { error })
    const message = 'The plugin could not be called'
    return {
      ok: false,
      error: { name: 'Error', message, stack: '', isRetry: false, isTimeout: false },
    }
  }
}
