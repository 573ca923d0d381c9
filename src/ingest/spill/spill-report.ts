import type { MessageLogStatus } from '../../core/message-log.ts'
import type { DrainerStatus } from './drainer.ts'

/** The state of the spill, as operators and figures show it. */
export type SpillReport = {
  readonly connected: boolean
  readonly log: MessageLogStatus
  readonly spilledEvents: number
  readonly isFull: boolean
  readonly drainer: DrainerStatus
}
