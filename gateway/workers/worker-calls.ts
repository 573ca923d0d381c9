import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideBatchResponse__Output } from '../../proto/gen/sluice/v1/DecideBatchResponse.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { KeyQuestion__Output } from '../../proto/gen/sluice/v1/KeyQuestion.ts'
import type { ResolveKeysResponse__Output } from '../../proto/gen/sluice/v1/ResolveKeysResponse.ts'
import { afterIo, type Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import {
  BATCHER_BYTES_MAX,
  BATCHER_WAIT_MAX_MS,
  CALL_SLOTS_MAX,
  DECIDE_DEADLINE_MS,
  FULL_CALL_SLOTS_MAX,
  INGEST_DEADLINE_MS,
  INGEST_SLOTS_MAX,
  MICRO_BATCH_BYTES_MAX,
  MICRO_BATCH_EVENTS_MAX,
  PLUGIN_CALL_SLOTS,
  PLUGIN_INGEST_MS,
  PLUGIN_WAITING_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
import { createBatcher } from './batcher.ts'
import { createWatchdog } from './call-watchdog.ts'
import type { EncodedGroup } from './ingest-codec.ts'
import { createLoneCalls } from './lone-calls.ts'
import { mergeGroups } from './merge-groups.ts'
import { createProjectLanes } from './project-lanes.ts'
import type { WorkerHealth } from './worker-health.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

/** The calls to one worker, the frequent ones in micro-batches. */
export type WorkerCalls = {
  ingest(group: EncodedGroup): Promise<IngestOutcome__Output>
  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
  /** @param onSilent called once when the worker is silent and has not answered for long. */
  call(
    method: string,
    request: object,
    options: CallOptions,
    onSilent?: () => void,
  ): Promise<object>
  /** Events that wait for a call slot. */
  ingestWaitingBytes(): number
  /** All that waits for a call slot. */
  waitingBytes(): number
  /** Puts everything elsewhere that can be, at once: the worker has left the view. */
  abandon(): void
  /** Resolves when nothing waits and no call is in flight. */
  drained(): Promise<void>
  close(): void
}

/** Other workers, for what this one leaves unanswered; `undefined` when there is none. */
export type Elsewhere = {
  ingest(group: EncodedGroup, submittedAt: number): Promise<IngestOutcome__Output> | undefined
  decide(
    question: DecideQuestion__Output,
    submittedAt: number,
  ): Promise<DecideAnswer__Output> | undefined
  resolveKey(
    question: KeyQuestion__Output,
    submittedAt: number,
  ): Promise<KeyAnswer__Output> | undefined
}

export type WorkerCallsDeps = {
  readonly link: WorkerLink
  /** Proves to the worker that a member of the cluster calls. */
  readonly memberToken: () => string
  readonly newBatchId: () => string
  readonly clock: Clock
  readonly health: Pick<WorkerHealth, 'silent' | 'failed'>
  readonly elsewhere: Elsewhere
  /** That share the calls of this gateway, this one among them. */
  readonly workers: () => number
  /** Told of the cache generation of each answer about events, before the answer is handed out. */
  readonly onGeneration: (generation: string) => void
}

/** Texts of a question and its place in the batch, in bytes. */
const QUESTION_BYTES = 128

export function createWorkerCalls(deps: WorkerCallsDeps): WorkerCalls {
  const { link, clock, health, elsewhere } = deps
  const metadata = {
    // Looked up with each call: another one may hold after NATS has lost it.
    get authorization() {
      return `Bearer ${deps.memberToken()}`
    },
  }
  const share = (slots: number) => Math.max(1, Math.floor(slots / deps.workers()))
  const shared = {
    slots: () => share(CALL_SLOTS_MAX),
    fullSlots: FULL_CALL_SLOTS_MAX,
    weightMax: MICRO_BATCH_EVENTS_MAX,
    batchBytesMax: MICRO_BATCH_BYTES_MAX,
    waitingBytesMax: BATCHER_BYTES_MAX,
    waitMsMax: BATCHER_WAIT_MAX_MS,
    defer: afterIo,
    now: clock.monotonic,
  }
  const noted = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      health.failed(error)
      throw error
    }
  }
  const ask = (path: string, questions: readonly object[]): Promise<object> =>
    noted(link.microBatch(path, { questions }, { metadata, timeoutMs: DECIDE_DEADLINE_MS }))

  const sendEvents = (timeoutMs: number) => async (groups: readonly EncodedGroup[]) => {
    const options = { metadata, timeoutMs }
    const { groups: merged, places } = mergeGroups(groups)
    const answer = await noted(link.ingestBatch(deps.newBatchId(), merged, options))
    deps.onGeneration(answer.cache_generation)
    const { outcomes } = answer
    if (outcomes.length !== merged.length) {
      throw new AppError('internal', `${outcomes.length} outcomes of ${merged.length} groups`)
    }
    // Each has its place.
    return places.map((place) => outcomes[place] as IngestOutcome__Output)
  }
  const ingest = createBatcher<EncodedGroup, IngestOutcome__Output>({
    ...shared,
    slots: () => share(INGEST_SLOTS_MAX),
    elsewhere: elsewhere.ingest,
    send: sendEvents(INGEST_DEADLINE_MS),
  })
  const lanes = createProjectLanes<IngestOutcome__Output>(() =>
    createBatcher({
      ...shared,
      slots: () => PLUGIN_CALL_SLOTS,
      fullSlots: PLUGIN_CALL_SLOTS,
      waitingBytesMax: PLUGIN_WAITING_BYTES_MAX,
      waitMsMax: PLUGIN_INGEST_MS,
      elsewhere: elsewhere.ingest,
      send: sendEvents(PLUGIN_INGEST_MS),
    }),
  )
  const decide = createBatcher<DecideQuestion__Output, DecideAnswer__Output>({
    ...shared,
    elsewhere: elsewhere.decide,
    send: async (questions) => {
      const answer = await ask('/sluice.v1.DecideService/DecideBatch', questions)
      return (answer as DecideBatchResponse__Output).answers
    },
  })
  const keys = createBatcher<KeyQuestion__Output, KeyAnswer__Output>({
    ...shared,
    elsewhere: elsewhere.resolveKey,
    send: async (questions) => {
      const answer = await ask('/sluice.v1.DirectoryService/ResolveKeys', questions)
      return (answer as ResolveKeysResponse__Output).answers
    },
  })
  const lone = createLoneCalls(clock.monotonic)
  const all = [ingest, lanes, decide, keys, lone]
  const rescue = (sentBefore: number) => {
    for (const calls of all) calls.rescue(sentBefore)
  }
  const eventBytes = () => ingest.waitingBytes() + lanes.waitingBytes()
  const waitingBytes = () => eventBytes() + decide.waitingBytes() + keys.waitingBytes()
  const watchdog = createWatchdog({
    clock,
    silent: health.silent,
    busy: () => waitingBytes() > 0 || all.some((calls) => calls.inFlight() > 0),
    rescue,
  })

  return {
    ingest(group) {
      watchdog.wake()
      return group.hasPlugins ? lanes.submit(group) : ingest.submit(group, group.bytes, group.count)
    },
    decide(question) {
      watchdog.wake()
      return decide.submit(question, bytesOf(question))
    },
    resolveKey(question) {
      watchdog.wake()
      return keys.submit(question, QUESTION_BYTES)
    },
    call(method, request, options, onSilent) {
      watchdog.wake()
      return lone.track(noted(link.call(method, request, options)), onSilent)
    },
    ingestWaitingBytes: ingest.waitingBytes,
    waitingBytes,
    abandon: () => rescue(Number.POSITIVE_INFINITY),
    drained: async () => {
      await Promise.all(all.map((calls) => calls.drained()))
    },
    close: () => link.close(),
  }
}

function bytesOf(question: DecideQuestion__Output): number {
  const { distinct_id: id, person_properties: person, group_properties: group } = question
  return QUESTION_BYTES + id.length + person.length + group.length + question.groups.length
}
