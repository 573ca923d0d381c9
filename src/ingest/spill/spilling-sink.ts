import type { MessageLog } from '../../core/message-log.ts'
import type { EventSink, IngestGroup } from '../../project/ports.ts'
import { StoreError } from '../store-port.ts'
import type { IngestWriter } from '../writer-port.ts'
import { Spill, type SpillBounds, type SpillDeps, type SpillStatus } from './spill.ts'

export type SpillingSinkDeps = Omit<SpillDeps, 'messages'> & {
  readonly writer: Pick<IngestWriter, 'submit' | 'status'>
  /** Undefined where there is none: then the writer's word is final. */
  readonly messages: MessageLog | undefined
}

export type SpillingSink = EventSink & {
  /** Undefined without a message log. */
  spill(): SpillStatus | undefined
  /** After the writer is closed, before the log is. Never rejects. */
  close(): Promise<void>
}

/**
 * The writer with a second place: what the store does not take because it is away, slow or behind
 * goes into the message log, and is acknowledged once it is durable there. The writer knows nothing
 * of it. A group may end up in both places, which the uuids of its events make harmless.
 */
export function createSpillingSink(
  { writer, messages, ...deps }: SpillingSinkDeps,
  bounds: SpillBounds,
): SpillingSink {
  if (messages === undefined) {
    return {
      submit: (group) => writer.submit(group),
      spill: () => undefined,
      close: async () => {},
    }
  }
  const spill = new Spill({ ...deps, messages }, bounds)
  return {
    async submit(group: IngestGroup) {
      const outcome = await writer.submit(group)
      if (outcome.kind === 'stored') spill.storeAnswers()
      if (outcome.kind !== 'unavailable') return outcome
      const isAway = writer.status().breaker.kind === 'open'
      return isAway || !isDefect(outcome.cause) ? spill.add(group, outcome.cause) : outcome
    },
    spill: () => spill.status(),
    close: () => spill.close(),
  }
}

/**
 * Events that run into a defect of ours would come back from the spill and run into it again,
 * taking those of others along: their clients are told, as without a spill.
 */
function isDefect(cause: unknown): boolean {
  return cause instanceof StoreError ? cause.kind === 'fault' : cause instanceof Error
}
