/**
 * The workers of the view, and the calls to them. A worker that joins gets a link. A worker that
 * leaves gets no more calls: those that it has not answered go to other workers, and its link is
 * closed when its calls have ended. Neither ids nor links are used twice.
 */
import type { MemberStore } from '../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../cluster/members/view.ts'
import { shardOf } from '../../cluster/shards/shard.ts'
import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { KeyQuestion__Output } from '../../proto/gen/sluice/v1/KeyQuestion.ts'
import type { Clock } from '../../src/core/clock.ts'
import { projectId, type ShardId, shardId } from '../../src/core/ids.ts'
import { DECIDE_DEADLINE_MS, INGEST_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { PLUGIN_INGEST_MS } from '../../src/core/limits/limits-plugins.ts'
import type { GatewayChangeFeed } from './change-feed.ts'
import { createFailover, type Failover, type Kind } from './failover.ts'
import { createHold, type Hold } from './hold.ts'
import type { EncodedBatch } from './ingest-codec.ts'
import { createManagementCalls, isElsewhere, shardFor } from './management-calls.ts'
import { noWorker } from './no-worker.ts'
import { createWorkerCalls, type WorkerCalls } from './worker-calls.ts'
import type { WorkerCallOptions, WorkerClient, WorkerStreams } from './worker-client.ts'
import { createWorkerHealth } from './worker-health.ts'
import type { WorkerLink } from './worker-link.ts'
import { createWorkerRouting, type WorkerRouting } from './worker-routing.ts'

export type WorkerPool = WorkerClient &
  WorkerStreams & {
    /**
     * Sends the events of one request to a worker, and to others when it does not answer. The uuids
     * make a second store of them harmless.
     */
    ingest(batch: EncodedBatch): Promise<IngestOutcome__Output>
    decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
    resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
    figures(): PoolFigures
    /** The reasons why requests cannot be served now; empty when they can be. */
    unready(): readonly string[]
    /** Waits for the calls in flight, then closes every link. */
    close(): Promise<void>
  }

export type PoolFigures = {
  /** Workers of the view. */
  readonly workers: number
  readonly suspects: number
  /** Management calls held until their shard has an owner. */
  readonly held: number
  /** Bytes that wait for a call slot of any worker. */
  readonly waitingBytes: number
}

export type WorkerPoolDeps = {
  readonly members: Pick<MemberStore, 'view' | 'subscribe'>
  readonly feed: Pick<GatewayChangeFeed, 'ownerOf' | 'silentMs' | 'observeGeneration'>
  readonly connect: (member: Member) => WorkerLink
  readonly memberToken: () => string
  readonly newBatchId: () => string
  readonly clock: Clock
  readonly random: () => number
  /** Called when a call goes to another worker because the first one could not answer. */
  readonly onFailover: () => void
  /** Called when a call goes to another worker as well because the first one is silent. */
  readonly onHedge: () => void
}

/** The shard whose worker resolves keys. Any worker can; using one keeps its cache warm. */
const KEYS_SHARD = shardId(0)

export function createWorkerPool(deps: WorkerPoolDeps): WorkerPool {
  return new LinkedWorkerPool(deps)
}

class LinkedWorkerPool implements WorkerPool {
  readonly #deps: WorkerPoolDeps
  readonly #workers = new Map<string, WorkerCalls>()
  /** Workers that have left the view and still have calls in flight. */
  readonly #leaving = new Set<Promise<void>>()
  readonly #routing: WorkerRouting<WorkerCalls>
  readonly #hold: Hold
  readonly #ingest: Failover<EncodedBatch, IngestOutcome__Output, WorkerCalls>
  readonly #decide: Failover<DecideQuestion__Output, DecideAnswer__Output, WorkerCalls>
  readonly #keys: Failover<KeyQuestion__Output, KeyAnswer__Output, WorkerCalls>
  readonly #management: WorkerClient
  readonly #unsubscribe: () => void

  constructor(deps: WorkerPoolDeps) {
    const { members, feed, clock, random, onFailover, onHedge } = deps
    const routing = createWorkerRouting<WorkerCalls>((shard) => feed.ownerOf(shard))
    this.#deps = deps
    this.#routing = routing
    this.#hold = createHold({ clock, random })
    this.#ingest = createFailover(deps, kindOfEvents(routing))
    this.#decide = createFailover(deps, kindOfDecides(routing))
    this.#keys = createFailover(deps, kindOfKeys(routing))
    this.#management = createManagementCalls<WorkerCalls>({
      clock,
      hold: this.#hold,
      best: (shard) => routing.best(shard),
      next: (shard, tried) => routing.next(shard, tried),
      onFailover,
      onHedge,
    })
    this.#unsubscribe = members.subscribe((view) => this.#apply(view))
    this.#apply(members.view())
  }

  ingest(batch: EncodedBatch): Promise<IngestOutcome__Output> {
    return this.#ingest.ask(batch)
  }

  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output> {
    return this.#decide.ask(question)
  }

  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output> {
    return this.#keys.ask(question)
  }

  call(method: string, request: object, options: WorkerCallOptions): Promise<object> {
    return this.#management.call(method, request, options)
  }

  /** Asks another worker when the first cannot answer: a stream changes nothing. */
  async stream(
    ...[method, request, { projectId: hint, ...options }]: Parameters<WorkerStreams['stream']>
  ): Promise<AsyncIterable<object>> {
    const shard = shardFor(hint)
    const worker = this.#routing.best(shard)
    if (worker === undefined) throw noWorker()
    try {
      return await worker.stream(method, request, options)
    } catch (error) {
      const next = isElsewhere(error) ? this.#routing.next(shard, [worker]) : undefined
      if (next === undefined) throw error
      return await next.stream(method, request, options)
    }
  }

  figures(): PoolFigures {
    return {
      workers: this.#workers.size,
      suspects: this.#suspects(),
      held: this.#hold.held(),
      waitingBytes: this.#sum((worker) => worker.waitingBytes()),
    }
  }

  unready(): readonly string[] {
    if (this.#workers.size === 0) return ['no worker in the view']
    return this.#suspects() === this.#workers.size ? ['no worker is heard'] : []
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#workers.values()].map((worker) => worker.drained()))
    await Promise.all(this.#leaving)
    for (const worker of this.#workers.values()) worker.close()
    this.#workers.clear()
  }

  #apply(view: View): void {
    const members = workersOf(view)
    const ids = new Set(members.map(({ id }) => id))
    const gone: WorkerCalls[] = []
    for (const [id, worker] of [...this.#workers]) {
      if (ids.has(id)) continue
      this.#workers.delete(id)
      gone.push(worker)
    }
    for (const member of members) {
      if (!this.#workers.has(member.id)) this.#workers.set(member.id, this.#connect(member))
    }
    // Routing changes first, so that the calls of workers that left go to workers of the view.
    this.#routing.apply(view, this.#workers)
    for (const worker of gone) this.#dismiss(worker)
  }

  #connect(member: Member): WorkerCalls {
    const { feed, clock, memberToken, newBatchId } = this.#deps
    const worker: WorkerCalls = createWorkerCalls({
      link: this.#deps.connect(member),
      memberToken,
      newBatchId,
      clock,
      health: createWorkerHealth(clock, () => feed.silentMs(member.id)),
      workers: () => this.#workers.size,
      elsewhere: {
        ingest: (batch, at) => this.#ingest.hedge(worker, batch, at),
        decide: (question, at) => this.#decide.hedge(worker, question, at),
        resolveKey: (question, at) => this.#keys.hedge(worker, question, at),
      },
      onGeneration: (generation) => feed.observeGeneration(member.id, generation),
    })
    return worker
  }

  #dismiss(worker: WorkerCalls): void {
    worker.abandon()
    const left = worker.drained().then(() => {
      worker.close()
      this.#leaving.delete(left)
    })
    this.#leaving.add(left)
  }

  #suspects(): number {
    return this.#sum((worker) => Number(worker.suspect()))
  }

  #sum(of: (worker: WorkerCalls) => number): number {
    let sum = 0
    for (const worker of this.#workers.values()) sum += of(worker)
    return sum
  }
}

type Routing = WorkerRouting<WorkerCalls>

function kindOfEvents(routing: Routing): Kind<EncodedBatch, IngestOutcome__Output, WorkerCalls> {
  return {
    best: (batch) => routing.bestForEvents(shardOf(batch.projectId)),
    next: (batch, tried, only) => routing.next(shardOf(batch.projectId), tried, only),
    submit: (worker, batch) => worker.ingest(batch),
    codeOf: ({ code }) => code,
    deadlineMs: ({ hasPlugins }) => (hasPlugins ? PLUGIN_INGEST_MS : INGEST_DEADLINE_MS),
  }
}

function kindOfDecides(
  routing: Routing,
): Kind<DecideQuestion__Output, DecideAnswer__Output, WorkerCalls> {
  return {
    best: (question) => routing.best(shardOfQuestion(question)),
    next: (question, tried, only) => routing.next(shardOfQuestion(question), tried, only),
    submit: (worker, question) => worker.decide(question),
    codeOf: ({ code }) => code,
    deadlineMs: () => DECIDE_DEADLINE_MS,
  }
}

function kindOfKeys(routing: Routing): Kind<KeyQuestion__Output, KeyAnswer__Output, WorkerCalls> {
  return {
    best: () => routing.best(KEYS_SHARD),
    next: (_question, tried, only) => routing.next(KEYS_SHARD, tried, only),
    submit: (worker, question) => worker.resolveKey(question),
    codeOf: () => '',
    deadlineMs: () => DECIDE_DEADLINE_MS,
  }
}

function shardOfQuestion(question: DecideQuestion__Output): ShardId {
  return shardOf(projectId(question.project_id))
}
