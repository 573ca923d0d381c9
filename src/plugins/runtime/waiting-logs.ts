import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../core/clock.ts'
import {
  PLUGIN_LOG_BATCH_CHARS_MAX,
  PLUGIN_LOG_BATCH_ENTRIES_MAX,
  PLUGIN_LOG_CHARS_MAX,
  PLUGIN_LOG_PER_S_MAX,
  PLUGIN_LOG_WAITING_CHARS_MAX,
  PLUGIN_LOG_WAITING_MAX,
} from '../../core/limits/limits-plugins.ts'
import { cleanText } from '../../core/validation/clean-text.ts'
import type { NewPluginLog } from '../../store/plugins/plugin-records-store.ts'
import type { PluginRecords } from '../ports.ts'

export type LogEntry = Parameters<PluginRecords['log']>[0]

/** Log entries on their way to the store, bounded by number, characters, config and second. */
export type WaitingLogs = {
  /** @returns false when it was dropped at a full bound of all configs. */
  add(entry: LogEntry): boolean
  /** The oldest, as many as one statement takes; they stay until `taken`. */
  batch(): readonly NewPluginLog[]
  /** The first so many are written, or given up. */
  taken(entries: number): void
  /**
   * Says of configs whose second is over how many entries were dropped in it; of all with `isOver`.
   * @returns whether others have dropped some.
   */
  closeSeconds(isOver: boolean): boolean
  size(): number
}

/** What one config has logged within a second. */
type Second = { readonly startMs: number; readonly last: LogEntry; taken: number; dropped: number }

const SECOND_MS = 1_000

export function createWaitingLogs(clock: Clock, instanceId: string): WaitingLogs {
  let waiting: NewPluginLog[] = []
  let chars = 0
  /** No more than some flushes have entries: a full bound opens none, `closeSeconds` ends them. */
  const seconds = new Map<number, Second>()

  const push = (entry: LogEntry): boolean => {
    const message = cleanText(entry.message.slice(0, PLUGIN_LOG_CHARS_MAX))
    const isFull =
      waiting.length >= PLUGIN_LOG_WAITING_MAX ||
      chars + message.length > PLUGIN_LOG_WAITING_CHARS_MAX
    if (isFull) return false
    chars += message.length
    waiting.push({
      id: uuidv7(),
      projectId: entry.projectId,
      pluginId: entry.step.pluginId,
      configId: entry.step.configId,
      timestamp: new Date(clock.now()).toISOString(),
      source: entry.source,
      type: entry.type,
      message,
      instanceId,
    })
    return true
  }
  const close = (config: number, { last, dropped }: Second) => {
    seconds.delete(config)
    if (dropped === 0) return
    const message = `Log entries dropped: ${dropped}.`
    push({ ...last, source: 'SYSTEM', type: 'WARN', message })
  }
  /** False when the config has logged enough for now. */
  const admit = (entry: LogEntry): boolean => {
    const { configId } = entry.step
    const known = seconds.get(configId)
    const isOver = known !== undefined && clock.monotonic() - known.startMs >= SECOND_MS
    if (isOver) close(configId, known)
    if (known === undefined || isOver) {
      seconds.set(configId, { startMs: clock.monotonic(), last: entry, taken: 1, dropped: 0 })
      return true
    }
    const isAdmitted = known.taken < PLUGIN_LOG_PER_S_MAX
    if (isAdmitted) known.taken += 1
    else known.dropped += 1
    return isAdmitted
  }

  return {
    add(entry) {
      if (waiting.length >= PLUGIN_LOG_WAITING_MAX) return false
      // What the runtime says is little, and must not be lost in what a plugin says.
      if (entry.source !== 'SYSTEM' && !admit(entry)) return true
      return push(entry)
    },
    batch() {
      let batchChars = 0
      const end = waiting.slice(0, PLUGIN_LOG_BATCH_ENTRIES_MAX).findIndex(({ message }) => {
        batchChars += message.length
        return batchChars > PLUGIN_LOG_BATCH_CHARS_MAX
      })
      return waiting.slice(0, end === -1 ? PLUGIN_LOG_BATCH_ENTRIES_MAX : Math.max(end, 1))
    },
    taken(entries) {
      for (const { message } of waiting.slice(0, entries)) chars -= message.length
      waiting = waiting.slice(entries)
    },
    closeSeconds(isOver) {
      for (const [config, second] of seconds) {
        const isPast = clock.monotonic() - second.startMs >= SECOND_MS
        if (isOver || isPast) close(config, second)
      }
      return [...seconds.values()].some(({ dropped }) => dropped > 0)
    },
    size: () => waiting.length,
  }
}
