import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideBatchResponse__Output } from '../../proto/gen/sluice/v1/DecideBatchResponse.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { KeyQuestion__Output } from '../../proto/gen/sluice/v1/KeyQuestion.ts'
import type { ResolveKeysResponse__Output } from '../../proto/gen/sluice/v1/ResolveKeysResponse.ts'
import { afterIo } from '../../src/core/clock.ts'
import {
  BATCHER_BYTES_MAX,
  CALL_SLOTS_MAX,
  DECIDE_DEADLINE_MS,
  FULL_CALL_SLOTS_MAX,
  INGEST_DEADLINE_MS,
  MICRO_BATCH_BYTES_MAX,
  MICRO_BATCH_EVENTS_MAX,
} from '../../src/core/limits.ts'
import { createBatcher } from './batcher.ts'
import type { EncodedGroup } from './ingest-codec.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

/** The calls to one worker, the frequent ones in micro-batches. */
export type WorkerCalls = {
  ingest(group: EncodedGroup): Promise<IngestOutcome__Output>
  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
  call(method: string, request: object, options: CallOptions): Promise<object>
  waiting(): { readonly items: number; readonly bytes: number }
  drained(): Promise<void>
  close(): void
}

/** Texts of a question and its place in the batch, in bytes. */
const QUESTION_BYTES = 128

export function createWorkerCalls(deps: {
  link: WorkerLink
  /** Proves to the worker that a member of the cluster calls. */
  memberToken: string
  newBatchId: () => string
}): WorkerCalls {
  const { link } = deps
  const metadata = { authorization: `Bearer ${deps.memberToken}` }
  const shared = {
    slots: CALL_SLOTS_MAX,
    fullSlots: FULL_CALL_SLOTS_MAX,
    batchBytesMax: MICRO_BATCH_BYTES_MAX,
    waitingBytesMax: BATCHER_BYTES_MAX,
    defer: afterIo,
  }

  const ingest = createBatcher<EncodedGroup, IngestOutcome__Output>({
    ...shared,
    weightMax: MICRO_BATCH_EVENTS_MAX,
    send: async (groups) => {
      const options = { metadata, timeoutMs: INGEST_DEADLINE_MS }
      return (await link.ingestBatch(deps.newBatchId(), groups, options)).outcomes
    },
  })
  const decide = createBatcher<DecideQuestion__Output, DecideAnswer__Output>({
    ...shared,
    weightMax: MICRO_BATCH_EVENTS_MAX,
    send: async (questions) => {
      const response = (await link.call(
        '/sluice.v1.DecideService/DecideBatch',
        { questions },
        { metadata, timeoutMs: DECIDE_DEADLINE_MS },
      )) as DecideBatchResponse__Output
      return response.answers
    },
  })
  const keys = createBatcher<KeyQuestion__Output, KeyAnswer__Output>({
    ...shared,
    weightMax: MICRO_BATCH_EVENTS_MAX,
    send: async (questions) => {
      const response = (await link.call(
        '/sluice.v1.DirectoryService/ResolveKeys',
        { questions },
        { metadata, timeoutMs: DECIDE_DEADLINE_MS },
      )) as ResolveKeysResponse__Output
      return response.answers
    },
  })

  return {
    ingest: (group) => ingest.submit(group, group.bytes, group.count),
    decide: (question) =>
      decide.submit(
        question,
        QUESTION_BYTES +
          question.distinct_id.length +
          question.person_properties.length +
          question.group_properties.length +
          question.groups.length,
      ),
    resolveKey: (question) => keys.submit(question, QUESTION_BYTES),
    call: (method, request, options) => link.call(method, request, options),
    waiting: () => {
      const all = [ingest.waiting(), decide.waiting(), keys.waiting()]
      return {
        items: all.reduce((sum, { items }) => sum + items, 0),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      }
    },
    drained: async () => {
      await Promise.all([ingest.drained(), decide.drained(), keys.drained()])
    },
    close: () => link.close(),
  }
}
