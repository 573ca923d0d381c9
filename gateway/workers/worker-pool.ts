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
import {
  DECIDE_DEADLINE_MS,
  INGEST_DEADLINE_MS,
  PLUGIN_INGEST_MS,
} from '../../src/core/limits/limits.ts'
import { createFailover } from './failover.ts'
import { createHold } from './hold.ts'
import type { EncodedGroup } from './ingest-codec.ts'
import { createManagementCalls } from './management-calls.ts'
import type { NewsFeed } from './news-hub.ts'
import { createWorkerCalls, type WorkerCalls } from './worker-calls.ts'
import type { WorkerClient } from './worker-client.ts'
import { createWorkerHealth } from './worker-health.ts'
import type { WorkerLink } from './worker-link.ts'
import { createWorkerRouting } from './worker-routing.ts'

/**
 * The workers of the view and the calls to them. A worker that joins is connected to; one that
 * leaves is asked nothing more, what it has not answered goes to others, and its link is closed
 * when its calls have ended. Ids are never used twice, and neither are links.
 */
export type WorkerPool = WorkerClient & {
  /**
   * Hands events of one request to a worker, and to others when it does not answer: the same uuids
   * make the second sending harmless. The outcome says what became of them.
   */
  ingest(group: EncodedGroup): Promise<IngestOutcome__Output>
  decide(question: DecideQuestion__Output): Promise<DecideAnswer__Output>
  resolveKey(question: KeyQuestion__Output): Promise<KeyAnswer__Output>
  figures(): PoolFigures
  /** What stands in the way of serving. */
  unready(): readonly string[]
  /** Resolves when no call is in flight; then every link is closed. */
  close(): Promise<void>
}

export type PoolFigures = {
  /** Of the view. */
  readonly workers: number
  readonly suspects: number
  /** Management calls held until their shard has an owner. */
  readonly held: number
  /** Bytes that wait for a call slot of any worker. */
  readonly waitingBytes: number
}

export type WorkerPoolDeps = {
  readonly members: Pick<MemberStore, 'view' | 'subscribe'>
  readonly feed: Pick<NewsFeed, 'ownerOf' | 'silentMs' | 'tellGeneration'>
  readonly connect: (member: Member) => WorkerLink
  readonly memberToken: () => string
  readonly newBatchId: () => string
  readonly clock: Clock
  readonly random: () => number
  /** Something was put to another worker because the first one could not answer, or hangs. */
  readonly onFailover: () => void
  readonly onHedge: () => void
}

type PooledWorker = WorkerCalls & { suspect(): boolean }

/** Keys are asked for at one worker: any of them knows them all. */
const KEYS_SHARD = shardId(0)

export function createWorkerPool(deps: WorkerPoolDeps): WorkerPool {
  const { feed, clock } = deps
  const workers = new Map<string, PooledWorker>()
  const leaving = new Set<Promise<void>>()
  const routing = createWorkerRouting<PooledWorker>(feed.ownerOf)
  const hold = createHold(deps)

  const ingest = createFailover<EncodedGroup, IngestOutcome__Output, PooledWorker>(deps, {
    best: (group) => routing.bestForEvents(shardOf(group.projectId)),
    next: (group, tried, only) => routing.next(shardOf(group.projectId), tried, only),
    submit: (worker, group) => worker.ingest(group),
    codeOf: ({ code }) => code,
    deadlineMs: ({ hasPlugins }) => (hasPlugins ? PLUGIN_INGEST_MS : INGEST_DEADLINE_MS),
  })
  const decide = createFailover<DecideQuestion__Output, DecideAnswer__Output, PooledWorker>(deps, {
    best: (question) => routing.best(shardOfQuestion(question)),
    next: (question, tried, only) => routing.next(shardOfQuestion(question), tried, only),
    submit: (worker, question) => worker.decide(question),
    codeOf: ({ code }) => code,
    deadlineMs: () => DECIDE_DEADLINE_MS,
  })
  const keys = createFailover<KeyQuestion__Output, KeyAnswer__Output, PooledWorker>(deps, {
    best: () => routing.best(KEYS_SHARD),
    next: (_question, tried, only) => routing.next(KEYS_SHARD, tried, only),
    submit: (worker, question) => worker.resolveKey(question),
    codeOf: () => '',
    deadlineMs: () => DECIDE_DEADLINE_MS,
  })
  const management = createManagementCalls<PooledWorker>({
    ...deps,
    hold,
    best: routing.best,
    next: routing.next,
  })

  const connect = (member: Member): PooledWorker => {
    const health = createWorkerHealth(clock, () => feed.silentMs(member.id))
    const calls = createWorkerCalls({
      ...deps,
      link: deps.connect(member),
      health,
      workers: () => workers.size,
      elsewhere: {
        ingest: (group, at) => ingest.hedge(worker, group, at),
        decide: (question, at) => decide.hedge(worker, question, at),
        resolveKey: (question, at) => keys.hedge(worker, question, at),
      },
      onGeneration: (generation) => feed.tellGeneration(member.id, generation),
    })
    const worker: PooledWorker = { ...calls, suspect: health.suspect }
    return worker
  }

  const dismiss = (worker: PooledWorker) => {
    worker.abandon()
    const left = worker.drained().then(() => {
      worker.close()
      leaving.delete(left)
    })
    leaving.add(left)
  }

  const apply = (view: View) => {
    const members = workersOf(view)
    const ids = new Set(members.map(({ id }) => id))
    const gone: PooledWorker[] = []
    for (const [id, worker] of [...workers]) {
      if (ids.has(id)) continue
      workers.delete(id)
      gone.push(worker)
    }
    for (const member of members) {
      if (!workers.has(member.id)) workers.set(member.id, connect(member))
    }
    // Before the calls of those that left are put elsewhere: to others, that is.
    routing.apply(view, workers)
    for (const worker of gone) dismiss(worker)
  }
  const unsubscribe = deps.members.subscribe(apply)
  apply(deps.members.view())

  const count = (of: (worker: PooledWorker) => number): number => {
    let sum = 0
    for (const worker of workers.values()) sum += of(worker)
    return sum
  }
  const suspects = () => count((worker) => Number(worker.suspect()))

  return {
    ingest: ingest.ask,
    decide: decide.ask,
    resolveKey: keys.ask,
    call: management.call,
    figures: () => ({
      workers: workers.size,
      suspects: suspects(),
      held: hold.held(),
      waitingBytes: count((worker) => worker.waitingBytes()),
    }),
    unready() {
      if (workers.size === 0) return ['no worker in the view']
      return suspects() === workers.size ? ['no worker is heard'] : []
    },
    async close() {
      unsubscribe()
      await Promise.all([...workers.values()].map((worker) => worker.drained()))
      await Promise.all(leaving)
      for (const worker of workers.values()) worker.close()
      workers.clear()
    },
  }
}

function shardOfQuestion(question: DecideQuestion__Output): ShardId {
  return shardOf(projectId(question.project_id))
}
