/** The calls of a gateway to one worker. Events, decides and keys travel in micro-batches. */
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
  DECIDE_DEADLINE_MS,
  INGEST_DEADLINE_MS,
  MICRO_BATCH_BYTES_MAX,
  MICRO_BATCH_EVENTS_MAX,
} from '../../src/core/limits/limits.ts'
import { type Batcher, createBatcher } from './batcher.ts'
import { createWatchdog, type Watchdog } from './call-watchdog.ts'
import { type EncodedBatch, travelsApart } from './ingest-codec.ts'
import { createLoneCalls, type LoneCalls } from './lone-calls.ts'
import { mergeBatches } from './merge-batches.ts'
import {
  createProjectLanes,
  LARGE_LANE,
  type Lane,
  PLUGIN_LANE,
  type ProjectLanes,
} from './project-lanes.ts'
import type { WorkerHealth } from './worker-health.ts'
import type { CallOptions, WorkerLink } from './worker-link.ts'

/**
 * Calls in flight from one gateway, shared by its workers, at least one each: more of them make
 * smaller micro-batches, and each of them may be a commit.
 */
const INGEST_SLOTS_MAX = 2
const CALL_SLOTS_MAX = 4
/** Calls in flight to one worker with full micro-batches, so that it does not run dry. */
const FULL_CALL_SLOTS_MAX = 16
/** Longest wait at the gateway while more than `BACKLOG_BYTES_MIN` bytes wait. */
const BATCHER_WAIT_MAX_MS = 2_000

export type WorkerCalls = {
  ingest(batch: EncodedBatch): Promise<IngestOutcome__Output>
  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
  /** @param onSilent called once when the worker is silent and the call has waited for long. */
  call(
    method: string,
    request: object,
    options: CallOptions,
    onSilent?: () => void,
  ): Promise<object>
  readonly stream: WorkerLink['stream']
  /** True when the worker is unlikely to answer. It is asked last then. */
  suspect(): boolean
  /** Bytes of events that wait for a call slot. */
  ingestWaitingBytes(): number
  /** Bytes of all calls that wait for a call slot. */
  waitingBytes(): number
  /** Sends movable calls to other workers at once: the worker has left the view. */
  abandon(): void
  /** Resolves when nothing waits and no call is in flight. */
  drained(): Promise<void>
  close(): void
}

/** Other workers for calls that this one leaves unanswered; `undefined` when there is none. */
export type Elsewhere = {
  ingest(batch: EncodedBatch, submittedAt: number): Promise<IngestOutcome__Output> | undefined
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
  /** The token that proves to the worker that a member calls. */
  readonly memberToken: () => string
  readonly newBatchId: () => string
  readonly clock: Clock
  readonly health: WorkerHealth
  readonly elsewhere: Elsewhere
  /** Number of workers that share the calls of this gateway, this worker included. */
  readonly workers: () => number
  /**
   * Called with the cache generation of each answer about events, before callers get the answer.
   */
  readonly onGeneration: (generation: string) => void
}

/** Bytes of a question without its long texts, and of its entry in the batch. */
const QUESTION_BYTES = 128

export function createWorkerCalls(deps: WorkerCallsDeps): WorkerCalls {
  return new BatchedWorkerCalls(deps)
}

class BatchedWorkerCalls implements WorkerCalls {
  readonly #deps: WorkerCallsDeps
  readonly #metadata: { readonly authorization: string }
  readonly #ingest: Batcher<EncodedBatch, IngestOutcome__Output>
  readonly #lanes: ProjectLanes<IngestOutcome__Output>
  readonly #large: ProjectLanes<IngestOutcome__Output>
  readonly #decide: Batcher<DecideQuestion__Output, DecideAnswer__Output>
  readonly #keys: Batcher<KeyQuestion__Output, KeyAnswer__Output>
  readonly #lone: LoneCalls
  readonly #watchdog: Watchdog

  constructor(deps: WorkerCallsDeps) {
    const { clock, health, memberToken } = deps
    this.#deps = deps
    this.#metadata = {
      // Read for each call: the token may change after NATS has lost the first one.
      get authorization() {
        return `Bearer ${memberToken()}`
      },
    }
    this.#ingest = this.#eventBatcher()
    this.#lanes = createProjectLanes(() => this.#laneBatcher(PLUGIN_LANE))
    this.#large = createProjectLanes(() => this.#laneBatcher(LARGE_LANE))
    this.#decide = this.#decideBatcher()
    this.#keys = this.#keyBatcher()
    this.#lone = createLoneCalls(clock.monotonic)
    this.#watchdog = createWatchdog({
      clock,
      silent: () => health.silent(),
      busy: () => this.waitingBytes() > 0 || this.#all().some((calls) => calls.inFlight() > 0),
      rescue: (sentBefore) => this.#rescue(sentBefore),
    })
  }

  ingest(batch: EncodedBatch): Promise<IngestOutcome__Output> {
    this.#watchdog.wake()
    if (batch.hasPlugins) return this.#lanes.submit(batch)
    if (travelsApart(batch)) return this.#large.submit(batch)
    return this.#ingest.submit(batch, batch.bytes, batch.count)
  }

  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output> {
    this.#watchdog.wake()
    return this.#decide.submit(question, bytesOf(question))
  }

  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output> {
    this.#watchdog.wake()
    return this.#keys.submit(question, QUESTION_BYTES)
  }

  call(
    method: string,
    request: object,
    options: CallOptions,
    onSilent?: () => void,
  ): Promise<object> {
    this.#watchdog.wake()
    const answer = this.#noted(this.#deps.link.call(method, request, options))
    return this.#lone.track(answer, onSilent)
  }

  stream(...call: Parameters<WorkerLink['stream']>): Promise<AsyncIterable<object>> {
    return this.#deps.link.stream(...call)
  }

  suspect(): boolean {
    return this.#deps.health.suspect()
  }

  ingestWaitingBytes(): number {
    return this.#ingest.waitingBytes() + this.#large.waitingBytes()
  }

  waitingBytes(): number {
    const events = this.ingestWaitingBytes() + this.#lanes.waitingBytes()
    return events + this.#decide.waitingBytes() + this.#keys.waitingBytes()
  }

  abandon(): void {
    this.#rescue(Number.POSITIVE_INFINITY)
  }

  async drained(): Promise<void> {
    await Promise.all(this.#all().map((calls) => calls.drained()))
  }

  close(): void {
    this.#deps.link.close()
  }

  #all() {
    return [this.#ingest, this.#lanes, this.#large, this.#decide, this.#keys, this.#lone]
  }

  #rescue(sentBefore: number): void {
    for (const calls of this.#all()) calls.rescue(sentBefore)
  }

  /** The options that all batchers to this worker share. */
  #batcherOptions() {
    return {
      slots: () => this.#share(CALL_SLOTS_MAX),
      fullSlots: FULL_CALL_SLOTS_MAX,
      weightMax: MICRO_BATCH_EVENTS_MAX,
      batchBytesMax: MICRO_BATCH_BYTES_MAX,
      waitingBytesMax: BATCHER_BYTES_MAX,
      waitMsMax: BATCHER_WAIT_MAX_MS,
      defer: afterIo,
      now: this.#deps.clock.monotonic,
    }
  }

  /** This worker's share of the call slots that the gateway has for all workers. */
  #share(slots: number): number {
    return Math.max(1, Math.floor(slots / this.#deps.workers()))
  }

  #eventBatcher(): Batcher<EncodedBatch, IngestOutcome__Output> {
    return createBatcher({
      ...this.#batcherOptions(),
      slots: () => this.#share(INGEST_SLOTS_MAX),
      elsewhere: (batch, at) => this.#deps.elsewhere.ingest(batch, at),
      send: (batches) => this.#sendEvents(batches, INGEST_DEADLINE_MS),
    })
  }

  /** Batcher for one project alone. */
  #laneBatcher(bounds: Lane): Batcher<EncodedBatch, IngestOutcome__Output> {
    return createBatcher({
      ...this.#batcherOptions(),
      ...bounds,
      elsewhere: (batch, at) => this.#deps.elsewhere.ingest(batch, at),
      send: (batches) => this.#sendEvents(batches, bounds.waitMsMax),
    })
  }

  #decideBatcher(): Batcher<DecideQuestion__Output, DecideAnswer__Output> {
    return createBatcher({
      ...this.#batcherOptions(),
      elsewhere: (question, at) => this.#deps.elsewhere.decide(question, at),
      send: async (questions) => {
        const answer = await this.#ask('/sluice.v1.DecideService/DecideBatch', questions)
        return (answer as DecideBatchResponse__Output).answers
      },
    })
  }

  #keyBatcher(): Batcher<KeyQuestion__Output, KeyAnswer__Output> {
    return createBatcher({
      ...this.#batcherOptions(),
      elsewhere: (question, at) => this.#deps.elsewhere.resolveKey(question, at),
      send: async (questions) => {
        const answer = await this.#ask('/sluice.v1.DirectoryService/ResolveKeys', questions)
        return (answer as ResolveKeysResponse__Output).answers
      },
    })
  }

  #ask(path: string, questions: readonly object[]): Promise<object> {
    const options = { metadata: this.#metadata, timeoutMs: DECIDE_DEADLINE_MS }
    return this.#noted(this.#deps.link.microBatch(path, { questions }, options))
  }

  async #sendEvents(
    batches: readonly EncodedBatch[],
    timeoutMs: number,
  ): Promise<readonly IngestOutcome__Output[]> {
    const { link, newBatchId, onGeneration } = this.#deps
    const options = { metadata: this.#metadata, timeoutMs, apart: batches.some(travelsApart) }
    const { batches: merged, indexes } = mergeBatches(batches)
    const answer = await this.#noted(link.ingestBatch(newBatchId(), merged, options))
    onGeneration(answer.cache_generation)
    const { outcomes } = answer
    if (outcomes.length !== merged.length) {
      throw new AppError('internal', `${outcomes.length} outcomes of ${merged.length} batches`)
    }
    // `mergeBatches` gives every batch the index of one of the merged batches.
    return indexes.map((index) => outcomes[index] as IngestOutcome__Output)
  }

  /** Passes the answer on, and counts a failure against the worker's health. */
  async #noted<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.#deps.health.failed(error)
      throw error
    }
  }
}

function bytesOf(question: DecideQuestion__Output): number {
  const { distinct_id: id, person_properties: person, group_properties: group } = question
  return QUESTION_BYTES + id.length + person.length + group.length + question.groups.length
}
