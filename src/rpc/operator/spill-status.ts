/** The state of the spill as the operator's service answers it. */
import type { SpillStatus } from '../../../proto/gen/sluice/v1/SpillStatus.ts'
import type { MessageLogStatus } from '../../core/message-log.ts'
import type { BreakerStatus } from '../../ingest/breaker.ts'
import type { DrainerStatus } from '../../ingest/spill/drainer.ts'

export type SpillFigures = {
  readonly connected: boolean
  /** Last figures that were read. */
  readonly log: MessageLogStatus
  readonly spilledEvents: number
  readonly drainer: Pick<DrainerStatus, 'drainedEvents' | 'repeatedEvents' | 'redeliveredMessages'>
}

/** @param figures undefined without a spill. */
export function spillStatusMessage(
  figures: SpillFigures | undefined,
  breaker: BreakerStatus,
): SpillStatus {
  if (figures === undefined) return { configured: false, breaker: breaker.kind }
  const { connected, log, spilledEvents, drainer } = figures
  return {
    configured: true,
    connected,
    breaker: breaker.kind,
    messages: log.messages,
    bytes: log.bytes,
    bytes_max: log.bytesMax,
    oldest_age_ms: log.oldestAgeMs,
    spilled_events: spilledEvents,
    drained_events: drainer.drainedEvents,
    repeated_events: drainer.repeatedEvents,
    redelivered_messages: drainer.redeliveredMessages,
  }
}
