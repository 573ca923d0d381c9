/**
 * Writes logs and counts of plugins. Both wait in bounded memory and are written in batches. While
 * the database is away, they are kept and written later.
 */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import type { PluginCounts, PluginRecordsStore } from '../../store/plugins/plugin-records-store.ts'
import type { CallCategory, CallOutcome, PluginRecords } from '../ports.ts'
import { createWaitingLogs, type LogEntry } from './waiting-logs.ts'

/** Log entries and counts are written this often. */
export const PLUGIN_LOG_FLUSH_MS = 500
export const PLUGIN_COUNTS_FLUSH_MS = 20_000
/** Rows of counts waiting of one worker, and of one statement. */
export const PLUGIN_COUNTS_WAITING_MAX = 50_000
const PLUGIN_COUNTS_BATCH_ROWS_MAX = 1_000

export type PluginRecordsDeps = {
  readonly store: PluginRecordsStore
  readonly clock: Clock
  readonly log: Log
  /** UUID of this worker. */
  readonly instanceId: string
}

export function createPluginRecords(deps: PluginRecordsDeps): PluginRecords {
  const logs = createLogs(deps)
  const counts = createCounts(deps)
  const flush = async () => {
    await Promise.all([logs.flusher.flush(), counts.flusher.flush()])
  }
  return {
    log: logs.add,
    count: counts.add,
    flush,
    async close() {
      logs.flusher.stop()
      counts.flusher.stop()
      logs.end()
      await flush()
      const lost = { entries: logs.size(), counts: counts.size() }
      if (lost.entries + lost.counts > 0) deps.log.warn('plugin records lost at shutdown', lost)
    },
  }
}

function createLogs({ store, clock, log, instanceId }: PluginRecordsDeps) {
  const waiting = createWaitingLogs(clock, instanceId)
  const drops = createDrops(log, 'log entries of plugins are dropped')
  const flusher: Flusher = createFlusher(clock, PLUGIN_LOG_FLUSH_MS, async () => {
    const hasDropped = waiting.closeSeconds(false)
    for (let batch = waiting.batch(); batch.length > 0; batch = waiting.batch()) {
      const isDone = await attempt(log, 'log entries', () => store.writeLogs(batch))
      if (!isDone) return true
      waiting.taken(batch.length)
    }
    drops.end()
    return hasDropped
  })
  return {
    flusher,
    add(entry: LogEntry) {
      if (!waiting.add(entry)) drops.add(1)
      flusher.touch()
    },
    end: () => waiting.closeSeconds(true),
    size: () => waiting.size(),
  }
}

type Tally = {
  readonly config: number
  readonly minute: number
  readonly category: CallCategory
} & {
  readonly [Outcome in CallOutcome]: number
}

const MINUTE_MS = 60_000

function createCounts({ store, clock, log }: PluginRecordsDeps) {
  const waiting = new Map<string, Tally>()
  const drops = createDrops(log, 'counts of plugin calls are dropped')
  const add = (more: Tally) => {
    const key = `${more.config} ${more.minute} ${more.category}`
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= PLUGIN_COUNTS_WAITING_MAX) {
      drops.add(1)
      return
    }
    waiting.set(key, known === undefined ? more : sum(known, more))
  }
  const flusher: Flusher = createFlusher(clock, PLUGIN_COUNTS_FLUSH_MS, async () => {
    while (waiting.size > 0) {
      const keys = [...waiting.keys()].slice(0, PLUGIN_COUNTS_BATCH_ROWS_MAX)
      // Calls are counted while these are written.
      const batch = keys.flatMap((key) => waiting.get(key) ?? [])
      for (const key of keys) waiting.delete(key)
      const rows = batch.map(toRow)
      if (!(await attempt(log, 'counts of calls', () => store.addCounts(rows)))) {
        for (const tally of batch) add(tally)
        return true
      }
    }
    drops.end()
    return false
  })
  return {
    flusher,
    size: () => waiting.size,
    add(config: number, category: CallCategory, outcome: CallOutcome, calls: number) {
      if (calls <= 0) return
      const minute = Math.floor(clock.now() / MINUTE_MS)
      const none = { success: 0, success_on_retry: 0, failure: 0 }
      add({ config, minute, category, ...none, [outcome]: calls })
      flusher.touch()
    },
  }
}

function sum(one: Tally, other: Tally): Tally {
  return {
    ...one,
    success: one.success + other.success,
    success_on_retry: one.success_on_retry + other.success_on_retry,
    failure: one.failure + other.failure,
  }
}

function toRow(tally: Tally): PluginCounts {
  return {
    configId: tally.config,
    minute: new Date(tally.minute * MINUTE_MS).toISOString(),
    category: tally.category,
    successes: tally.success,
    successesOnRetry: tally.success_on_retry,
    failures: tally.failure,
  }
}

/** False when the write may be repeated. Records that the database refuses are dropped. */
async function attempt(log: Log, what: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    const isAway = error instanceof AppError && error.code === 'unavailable'
    if (isAway) log.debug('plugin records not written yet', { what, error })
    else log.warn('plugin records refused', { what, error })
    return !isAway
  }
}

/** Logs the first drop at once, and their number when drops have ended. */
function createDrops(log: Log, message: string) {
  let dropped = 0
  return {
    add(entries: number) {
      if (dropped === 0) log.warn(message)
      dropped += entries
    },
    end() {
      if (dropped > 0) log.info('plugin records are stored again', { dropped })
      dropped = 0
    },
  }
}

/** Calls `write` some time after `touch`, and never twice at once. */
type Flusher = {
  /** Asks for a write within the delay. A write that is due already covers it. */
  touch(): void
  /** Writes now, after the write under way. Rejects as `write` does. */
  flush(): Promise<void>
  /** Cancels the timer. A write under way continues. */
  stop(): void
}

/**
 * @param write must not reject. It is true when more is to be written, or a write is to be
 * repeated.
 */
function createFlusher(clock: Clock, everyMs: number, write: () => Promise<boolean>): Flusher {
  let cancel: (() => void) | undefined
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let isStopped = false

  const touch = () => {
    if (isStopped) return
    cancel ??= clock.after(everyMs, () => {
      cancel = undefined
      void flush()
    })
  }
  const run = (): Promise<void> => {
    cancel?.()
    cancel = undefined
    const work = async () => {
      const hasMore = await write()
      running = undefined
      if (hasMore) touch()
    }
    running = work()
    return running
  }
  const flush = (): Promise<void> => {
    if (running === undefined) return run()
    queued ??= running.then(() => {
      queued = undefined
      return run()
    })
    return queued
  }
  return {
    touch,
    flush,
    stop() {
      isStopped = true
      cancel?.()
      cancel = undefined
    },
  }
}
