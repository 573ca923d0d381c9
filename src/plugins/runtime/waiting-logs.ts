/** Log entries that wait for the store, bounded in all, in characters, by config and by second. */
import { v7 as uuidv7 } from 'uuid'
import { cleanText } from '../../core/clean-text.ts'
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_LOG_CHARS_MAX, PLUGIN_LOG_PER_S_MAX } from '../../core/limits/limits-plugins.ts'
import type { NewPluginLog } from '../../store/plugins/plugin-records-store.ts'
import type { PluginRecords } from '../ports.ts'

/** Log entries of one worker that wait. */
export const PLUGIN_LOG_WAITING_MAX = 10_000
/** Log entries waiting of one worker, in characters; entries and characters of one statement. */
export const PLUGIN_LOG_WAITING_CHARS_MAX = 8_388_608
export const PLUGIN_LOG_BATCH_ENTRIES_MAX = 1_000
export const PLUGIN_LOG_BATCH_CHARS_MAX = 1_048_576

export type LogEntry = Parameters<PluginRecords['log']>[0]

export type WaitingLogs = {
  /** @returns false when it was dropped because all configs together are at the bound. */
  add(entry: LogEntry): boolean
  /** The oldest entries, as many as one statement takes. They stay until `taken`. */
  batch(): readonly NewPluginLog[]
  /** Removes this many entries, which were written or given up. */
  taken(entries: number): void
  /**
   * Logs for configs whose second is over how many entries were dropped in it; for all with
   * `isOver`.
   * @returns whether other configs have dropped entries.
   */
  closeSeconds(isOver: boolean): boolean
  size(): number
}

/** The entries of one config within a second. */
type Second = { readonly startMs: number; readonly last: LogEntry; taken: number; dropped: number }

const SECOND_MS = 1_000

export function createWaitingLogs(clock: Clock, instanceId: string): WaitingLogs {
  return new BoundedLogs(clock, instanceId)
}

class BoundedLogs implements WaitingLogs {
  readonly #clock: Clock
  readonly #instanceId: string
  /**
   * Bounded by the entries of a few flushes: a full bound opens no new second, and `closeSeconds`
   * ends them.
   */
  readonly #seconds = new Map<number, Second>()
  #waiting: NewPluginLog[] = []
  #chars = 0

  constructor(clock: Clock, instanceId: string) {
    this.#clock = clock
    this.#instanceId = instanceId
  }

  add(entry: LogEntry): boolean {
    if (this.#waiting.length >= PLUGIN_LOG_WAITING_MAX) return false
    // Entries of the runtime are few, and must not be dropped for those of a plugin.
    if (entry.source !== 'SYSTEM' && !this.#admit(entry)) return true
    return this.#push(entry)
  }

  batch(): readonly NewPluginLog[] {
    let batchChars = 0
    const end = this.#waiting.slice(0, PLUGIN_LOG_BATCH_ENTRIES_MAX).findIndex(({ message }) => {
      batchChars += message.length
      return batchChars > PLUGIN_LOG_BATCH_CHARS_MAX
    })
    return this.#waiting.slice(0, end === -1 ? PLUGIN_LOG_BATCH_ENTRIES_MAX : Math.max(end, 1))
  }

  taken(entries: number): void {
    for (const { message } of this.#waiting.slice(0, entries)) this.#chars -= message.length
    this.#waiting = this.#waiting.slice(entries)
  }

  closeSeconds(isOver: boolean): boolean {
    for (const [config, second] of this.#seconds) {
      if (isOver || this.#isPast(second)) this.#close(config, second)
    }
    return [...this.#seconds.values()].some(({ dropped }) => dropped > 0)
  }

  size(): number {
    return this.#waiting.length
  }

  /** False when the config has logged enough for now. */
  #admit(entry: LogEntry): boolean {
    const { configId } = entry.step
    const known = this.#seconds.get(configId)
    const isOver = known !== undefined && this.#isPast(known)
    if (isOver) this.#close(configId, known)
    if (known === undefined || isOver) {
      const startMs = this.#clock.monotonic()
      this.#seconds.set(configId, { startMs, last: entry, taken: 1, dropped: 0 })
      return true
    }
    const isAdmitted = known.taken < PLUGIN_LOG_PER_S_MAX
    if (isAdmitted) known.taken += 1
    else known.dropped += 1
    return isAdmitted
  }

  #isPast({ startMs }: Second): boolean {
    return this.#clock.monotonic() - startMs >= SECOND_MS
  }

  #close(config: number, { last, dropped }: Second): void {
    this.#seconds.delete(config)
    if (dropped === 0) return
    const message = `Log entries dropped: ${dropped}.`
    this.#push({ ...last, source: 'SYSTEM', type: 'WARN', message })
  }

  #push(entry: LogEntry): boolean {
    const message = cleanText(entry.message.slice(0, PLUGIN_LOG_CHARS_MAX))
    const isFull =
      this.#waiting.length >= PLUGIN_LOG_WAITING_MAX ||
      this.#chars + message.length > PLUGIN_LOG_WAITING_CHARS_MAX
    if (isFull) return false
    this.#chars += message.length
    this.#waiting.push({
      id: uuidv7(),
      projectId: entry.projectId,
      pluginId: entry.step.pluginId,
      configId: entry.step.configId,
      timestamp: new Date(this.#clock.now()).toISOString(),
      source: entry.source,
      type: entry.type,
      message,
      instanceId: this.#instanceId,
    })
    return true
  }
}
