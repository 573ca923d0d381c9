/** Figures of a worker; see `deploy/prometheus/alerts.yaml` for those to act on. */
import type { Metrics } from '../core/metrics/metrics.ts'
import type { FlushCounts } from '../ingest/flush-batches.ts'
import type { SpillReport } from '../ingest/spill/spill-report.ts'
import type { WriterStatus } from '../ingest/writer-port.ts'

export function writerMetrics(metrics: Metrics) {
  const stored = metrics.counter('sluice_events_stored_total', 'Events committed.')
  const duplicates = metrics.counter(
    'sluice_events_duplicate_total',
    'Events that were stored already.',
  )
  const dead = metrics.counter('sluice_events_dead_total', 'Events kept as dead letters.')
  return {
    committed(counts: FlushCounts) {
      stored.inc(counts.stored)
      duplicates.inc(counts.duplicates)
      dead.inc(counts.deadLetters)
    },
    watch(status: () => WriterStatus) {
      metrics.gauge('sluice_writer_queued_events', 'Events waiting for a flush.', () => {
        return status().queuedEvents
      })
      metrics.gauge('sluice_writer_queued_bytes', 'Bytes waiting for a flush.', () => {
        return status().queuedBytes
      })
      metrics.gauge('sluice_writer_oldest_wait_seconds', 'Age of the oldest event waiting.', () => {
        return status().oldestWaitMs / 1000
      })
      metrics.gauge('sluice_writer_up', '0 while the writer considers the database away.', () => {
        return status().breaker.kind === 'open' ? 0 : 1
      })
    },
  }
}

export function spillMetrics(metrics: Metrics, spill: () => SpillReport | undefined): void {
  const gauge = (name: string, help: string, read: (report: SpillReport) => number) =>
    metrics.gauge(name, help, () => {
      const report = spill()
      return report === undefined ? 0 : read(report)
    })
  gauge('sluice_spill_connected', '1 while NATS takes events.', ({ connected }) =>
    connected ? 1 : 0,
  )
  gauge('sluice_spill_full', '1 while the spill refuses events.', ({ isFull }) => (isFull ? 1 : 0))
  gauge('sluice_spill_messages', 'Messages in the spill.', ({ log }) => log.messages)
  gauge('sluice_spill_bytes', 'Bytes in the spill.', ({ log }) => log.bytes)
  gauge('sluice_spill_bytes_max', 'Bytes that the spill may hold.', ({ log }) => log.bytesMax)
  gauge('sluice_spill_oldest_age_seconds', 'Age of the oldest message in the spill.', ({ log }) => {
    return log.oldestAgeMs / 1000
  })
  gauge('sluice_spilled_events', 'Events put into the spill since the start.', (report) => {
    return report.spilledEvents
  })
  gauge('sluice_drained_events', 'Events stored from the spill since the start.', (report) => {
    return report.drainer.drainedEvents
  })
  gauge('sluice_spill_repeated_events', 'Drained events that Postgres had already.', (report) => {
    return report.drainer.repeatedEvents
  })
  gauge('sluice_spill_redelivered_messages', 'Messages that came once more.', (report) => {
    return report.drainer.redeliveredMessages
  })
  gauge('sluice_spill_unreadable_messages', 'Messages that this release cannot read.', (report) => {
    return report.drainer.unreadableMessages
  })
}
