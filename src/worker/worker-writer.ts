/** Composition of the ingest writer with its connections, its spill and their figures. */
import { randomUUID } from 'node:crypto'
import type { ProjectId, Revision } from '../core/ids.ts'
import {
  DRAIN_BYTES_MAX,
  DRAIN_MESSAGES_MAX,
  SPILL_INFLIGHT_BYTES_MAX,
  SPILL_MESSAGE_BYTES_MAX,
  SPILL_STATUS_MS,
  WRITER_BATCH_BYTES_MAX,
  WRITER_BATCH_EVENTS_MAX,
  WRITER_CONNECTIONS,
  WRITER_JOIN_EVENTS_MIN,
  WRITER_PROJECT_SHARE_MAX,
  WRITER_QUEUE_BYTES_MAX,
  WRITER_SLOTS,
} from '../core/limits/limits.ts'
import { runLoop } from '../core/loop.ts'
import type { MessageLogStatus } from '../core/message-log.ts'
import type { TellDeps } from '../ingest/notify-persons-changed.ts'
import { createDrainer, type DrainerStatus } from '../ingest/spill/drainer.ts'
import { createSpillingSink } from '../ingest/spill/spilling-sink.ts'
import { createWriter } from '../ingest/writer.ts'
import type { IngestWriter } from '../ingest/writer-port.ts'
import type { EventSink } from '../project/ports.ts'
import { createIngestStore } from '../store/ingest/ingest-store.ts'
import { createSql } from '../store/pool/connect.ts'
import type { WorkerDeps, WorkerOptions } from '../worker.ts'
import { countOutcomes, timeFlushes } from './worker-call-metrics.ts'
import { spillMetrics, writerMetrics } from './worker-metrics.ts'

/** Where events of this worker go. */
export type WorkerWriter = {
  /** Postgres alone. */
  readonly writer: IngestWriter
  /** Postgres, or the spill while that does not take them. */
  readonly sink: EventSink
  /** Sizes as last looked up; `undefined` where there is no spill. */
  spill(): SpillReport | undefined
  unready(): readonly string[]
  /** Flushes or spills what was accepted; what is left at the deadline is refused. */
  close(deadlineMs: number): Promise<void>
  /** Closes the connections. */
  release(): Promise<void>
}

export type SpillReport = {
  readonly connected: boolean
  readonly log: MessageLogStatus
  readonly spilledEvents: number
  readonly isFull: boolean
  readonly drainer: DrainerStatus
}

type WriterParts = Pick<WorkerDeps, 'clock' | 'log' | 'metrics' | 'messages' | 'failpoints'> &
  Pick<TellDeps, 'onPersonsChanged' | 'onPersonsUnknown'>

const NOTHING_LOGGED: MessageLogStatus = { messages: 0, bytes: 0, bytesMax: 0, oldestAgeMs: 0 }

export function startWriter(
  deps: WriterParts,
  options: WorkerOptions,
  onGroupTypes: (project: ProjectId, raised: Revision) => Promise<void>,
): WorkerWriter {
  const { clock, log, metrics, messages } = deps
  const random = Math.random
  const ingestStore = createIngestStore(
    {
      open: () =>
        createSql(options.database, {
          applicationName: 'sluice writer',
          connectionsMax: 1,
          lookupsOnly: true,
          log,
        }),
      clock,
      onGroupTypes,
    },
    { connections: WRITER_CONNECTIONS, countSlot: options.countSlot },
  )
  const store = timeFlushes(metrics, clock, ingestStore)
  const figures = writerMetrics(metrics)
  const writer = createWriter(
    { ...deps, store, random, onCommitted: figures.committed },
    {
      slots: WRITER_SLOTS,
      joinEventsMin: WRITER_JOIN_EVENTS_MIN,
      bytesMax: WRITER_QUEUE_BYTES_MAX,
      projectShareMax: WRITER_PROJECT_SHARE_MAX,
      batchEventsMax: WRITER_BATCH_EVENTS_MAX,
      batchBytesMax: WRITER_BATCH_BYTES_MAX,
    },
  )
  figures.watch(() => writer.status())
  const spilling = createSpillingSink(
    { ...deps, writer, messages, random, newId: randomUUID },
    { messageBytesMax: SPILL_MESSAGE_BYTES_MAX, inflightBytesMax: SPILL_INFLIGHT_BYTES_MAX },
  )
  const sink = countOutcomes(metrics, spilling)
  const draining = messages === undefined ? undefined : startDraining({ ...deps, messages }, writer)
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
    async close(deadlineMs) {
      await draining?.stop()
      await writer.close(deadlineMs)
      await sink.close()
    },
    release: () => store.close(),
  }
}

/** Brings spilled events home and looks at what is left, until it is stopped. */
function startDraining(
  deps: WriterParts & { readonly messages: NonNullable<WorkerDeps['messages']> },
  writer: IngestWriter,
) {
  const { clock, log, messages } = deps
  const random = Math.random
  const drainer = createDrainer(
    { ...deps, writer, random },
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
