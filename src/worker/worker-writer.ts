/** Builds the writer with its connections, its spill and their figures. */

import { randomUUID } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import {
  MICRO_BATCH_BYTES_MAX,
  SPILL_CLOCK_SKEW_MS,
  SPILL_MESSAGE_BYTES_MAX,
  WRITER_CONNECTIONS,
} from '../core/limits/limits.ts'
import { runLoop } from '../core/loop.ts'
import type { MessageLog, MessageLogStatus } from '../core/message-log.ts'
import {
  createIngestStore,
  type IngestStoreDeps,
} from '../event-store/postgres/flush/ingest-store.ts'
import type { LiveHub } from '../events/live/live-hub.ts'
import type { WarningCounts } from '../events/warnings/warning-counts.ts'
import type { NotifyDeps } from '../ingest/notify-persons-changed.ts'
import { createDrainer, type DrainerDeps } from '../ingest/spill/drainer.ts'
import { createSpillingSink } from '../ingest/spill/spilling-sink.ts'
import { createWriter } from '../ingest/writer.ts'
import { createSql } from '../postgres/connect.ts'
import type { WorkerDeps, WorkerOptions, WorkerWriter } from './types.ts'
import { flushTimer, outcomeCounter } from './worker-call-metrics.ts'
import { spillMetrics, writerMetrics } from './worker-metrics.ts'

/** Events on their way into the spill; over it they are refused. */
export const SPILL_INFLIGHT_BYTES_MAX = 16_777_216
/**
 * Bytes and messages that one drainer holds: two full messages, or as many small ones as fill them.
 * The rest of the writer's capacity is for its own traffic.
 */
export const DRAIN_BYTES_MAX = 1_048_576
export const DRAIN_MESSAGES_MAX = 64
/** The sizes of the spill are looked up this often, for metrics. */
const SPILL_STATUS_MS = 5_000
/** Ingest writer of one worker. */
export const WRITER_SLOTS = 2
/** Events waiting for which the second slot joins; below, they make the next flush larger. */
export const WRITER_JOIN_EVENTS_MIN = 256
/** Events and bytes of one flush, and bytes that wait for one. */
export const WRITER_FLUSH_EVENTS_MAX = 2_000
export const WRITER_FLUSH_BYTES_MAX = 4_194_304
export const WRITER_QUEUE_BYTES_MAX = 67_108_864
/** Share of the queue one project may fill while others wait. */
export const WRITER_PROJECT_SHARE_MAX = 0.25
assert(DRAIN_BYTES_MAX >= 2 * SPILL_MESSAGE_BYTES_MAX, 'two full messages are under way')
assert(MICRO_BATCH_BYTES_MAX <= WRITER_FLUSH_BYTES_MAX, 'a micro-batch must fit into a flush')
assert(WRITER_SLOTS <= WRITER_CONNECTIONS, 'a slow large event holds up no connection of others')

type WriterParts = Pick<WorkerDeps, 'clock' | 'log' | 'metrics' | 'messages' | 'failpoints'> &
  Pick<NotifyDeps, 'onPersonsChanged' | 'onPersonsUnknown'>

/** Recipients of the store's reports. */
type StoreTold = Pick<IngestStoreDeps, 'onGroupTypes' | 'onWarnings'> & {
  readonly warnings: Pick<WarningCounts, 'count' | 'loseAll'>
  readonly live: Pick<LiveHub, 'stored' | 'uncertain' | 'forget'>
  /** Milliseconds of each attempt to write. */
  readonly onFlush: (ms: number) => void
}

const NOTHING_LOGGED: MessageLogStatus = { messages: 0, bytes: 0, bytesMax: 0, oldestAgeMs: 0 }

const WRITER_BOUNDS = {
  slots: WRITER_SLOTS,
  joinEventsMin: WRITER_JOIN_EVENTS_MIN,
  bytesMax: WRITER_QUEUE_BYTES_MAX,
  projectShareMax: WRITER_PROJECT_SHARE_MAX,
  flushEventsMax: WRITER_FLUSH_EVENTS_MAX,
  flushBytesMax: WRITER_FLUSH_BYTES_MAX,
}

export function startWriter(
  deps: WriterParts,
  options: WorkerOptions,
  told: StoreTold,
): WorkerWriter {
  const { clock, log, metrics, messages, failpoints, onPersonsChanged, onPersonsUnknown } = deps
  const random = Math.random
  const store = openStore(deps, options, told)
  const figures = writerMetrics(metrics)
  const time = flushTimer(metrics)
  const writer = createWriter(
    {
      store,
      clock,
      log,
      random,
      failpoints,
      onPersonsChanged,
      onPersonsUnknown,
      onCommitted: figures.committed,
      onLost: told.warnings.loseAll,
      onAttempt: (outcome, ms) => {
        time(outcome, ms)
        told.onFlush(ms)
      },
      live: told.live,
    },
    WRITER_BOUNDS,
  )
  figures.watch(() => writer.status())
  const onOutcome = outcomeCounter(metrics)
  const sink = createSpillingSink(
    { writer, messages, clock, log, random, failpoints, newId: randomUUID, onOutcome },
    { messageBytesMax: SPILL_MESSAGE_BYTES_MAX, inflightBytesMax: SPILL_INFLIGHT_BYTES_MAX },
  )
  const onLost = told.warnings.count
  const draining = messages && startDraining({ messages, writer, clock, log, failpoints, onLost })
  const spill = () => {
    const put = sink.spill()
    if (put === undefined || draining === undefined || messages === undefined) return undefined
    const { spilledEvents, isFull } = put
    return { connected: messages.connected(), spilledEvents, isFull, ...draining.report() }
  }
  if (draining !== undefined) spillMetrics(metrics, spill)
  return {
    writer,
    sink,
    spill,
    unready() {
      if (writer.status().state === 'up') return []
      const report = spill()
      if (report === undefined) return ['the database does not answer']
      return report.connected && !report.isFull
        ? []
        : ['the database does not answer, nor does the spill']
    },
    forgetDistinctIds(ids) {
      store.forgetDistinctIds(ids)
      told.live.forget(ids)
    },
    isSpillPast: (timeMs) => isSpillPast(messages, clock, timeMs),
    ping: () => store.reach(),
    async close(deadlineMs) {
      await draining?.stop()
      await writer.close(deadlineMs)
      await sink.close()
    },
    release: () => store.close(),
  }
}

/** @throws {AppError} `unavailable` while the log does not answer. */
async function isSpillPast(
  messages: MessageLog | undefined,
  clock: Clock,
  timeMs: number,
): Promise<boolean> {
  if (messages === undefined) return true
  const report = await messages.status()
  return report.messages === 0 || clock.now() - report.oldestAgeMs > timeMs + SPILL_CLOCK_SKEW_MS
}

/** Opens the writer's connections to the database. */
function openStore({ clock, log }: WriterParts, options: WorkerOptions, told: StoreTold) {
  const open = () =>
    createSql(options.database, {
      applicationName: 'sluice writer',
      connectionsMax: 1,
      lookupsOnly: true,
      log,
    })
  return createIngestStore(
    { open, clock, onGroupTypes: told.onGroupTypes, onWarnings: told.onWarnings },
    {
      connections: WRITER_CONNECTIONS + 1,
      countSlot: options.countSlot,
      replicates: options.eventsUrl !== undefined,
    },
  )
}

/** Stores spilled events and reads the size of the spill until it is stopped. */
function startDraining({
  messages,
  writer,
  clock,
  log,
  failpoints,
  onLost,
}: Omit<DrainerDeps, 'random' | 'onDrained' | 'onUnreadable'>) {
  const random = Math.random
  const drainer = createDrainer(
    { messages, writer, clock, log, random, failpoints, onLost },
    {
      bytesMax: DRAIN_BYTES_MAX,
      messagesMax: DRAIN_MESSAGES_MAX,
      writerBytesMax: WRITER_QUEUE_BYTES_MAX,
    },
  )
  const abort = new AbortController()
  let last = NOTHING_LOGGED
  const looking = runLoop(
    { clock, log, random },
    { name: 'look at the spill', intervalMs: SPILL_STATUS_MS, jitterMs: SPILL_STATUS_MS / 10 },
    abort.signal,
    async () => {
      if (messages.connected()) last = await messages.status()
    },
  )
  const running = [drainer.run(abort.signal), looking]
  return {
    report: () => ({ log: last, drainer: drainer.status() }),
    async stop() {
      abort.abort()
      await Promise.all(running)
    },
  }
}
