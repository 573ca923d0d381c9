import { EMPTY_VIEW, type View, workersOf } from '../../cluster/members/view.ts'
import { candidates } from '../../cluster/shards/rendezvous.ts'
import type { ShardId } from '../../src/core/ids.ts'

/** Above this many bytes of events waiting for one worker, more of them go to the least loaded. */
export const SPREAD_WAITING_BYTES = 4_194_304

/** State of a worker that routing needs. */
export type Routed = {
  suspect(): boolean
  /** Bytes of events that wait for a call slot. */
  ingestWaitingBytes(): number
}

/**
 * The order in which workers are asked: the owner by the directory, then the others in rendezvous
 * order. Suspect workers come after all others.
 */
export type WorkerRouting<Worker extends Routed> = {
  /** @param workers by member id: those of the view that can be called. */
  apply(view: View, workers: ReadonlyMap<string, Worker>): void
  /** The worker to ask first; `undefined` in an empty view. */
  best(shard: ShardId): Worker | undefined
  /** The best worker that is not in `tried`; with `healthy`, only one that is not suspect. */
  next(shard: ShardId, tried: readonly Worker[], only?: 'healthy'): Worker | undefined
  /**
   * The best worker for events, which need no owner. When too many bytes wait for that one, the
   * worker with the fewest waiting: a very hot project is spread over all of them.
   */
  bestForEvents(shard: ShardId): Worker | undefined
}

export function createWorkerRouting<Worker extends Routed>(
  ownerOf: (shard: ShardId) => string | undefined,
): WorkerRouting<Worker> {
  let view: View = EMPTY_VIEW
  let workers: ReadonlyMap<string, Worker> = new Map()
  /** The workers that take new calls: those that drain do not. */
  let active: readonly Worker[] = []
  /** Rendezvous order by shard; made when first asked for, as it costs a hash for each worker. */
  const rankings = new Map<ShardId, readonly Worker[]>()

  const ranking = (shard: ShardId): readonly Worker[] => {
    let ranked = rankings.get(shard)
    if (ranked === undefined) {
      ranked = candidates(shard, view).flatMap(({ id }) => workers.get(id) ?? [])
      rankings.set(shard, ranked)
    }
    return ranked
  }
  const owner = (shard: ShardId): Worker | undefined => {
    const id = ownerOf(shard)
    return id === undefined ? undefined : workers.get(id)
  }
  const best = (shard: ShardId): Worker | undefined => {
    const first = owner(shard)
    if (first !== undefined && !first.suspect()) return first
    const ranked = ranking(shard)
    for (const worker of ranked) if (!worker.suspect()) return worker
    return first ?? ranked[0]
  }
  const leastLoaded = (than: Worker): Worker => {
    let least = than
    for (const worker of active) {
      if (worker.ingestWaitingBytes() < least.ingestWaitingBytes() && !worker.suspect()) {
        least = worker
      }
    }
    return least
  }

  return {
    apply(nextView, nextWorkers) {
      view = nextView
      workers = new Map(nextWorkers)
      active = workersOf(view)
        .filter(({ state }) => state === 'active')
        .flatMap(({ id }) => workers.get(id) ?? [])
      rankings.clear()
    },
    best,
    next(shard, tried, only) {
      const first = owner(shard)
      const untried = ranking(shard).filter((worker) => !tried.includes(worker))
      const ordered = first !== undefined && untried.includes(first) ? [first, ...untried] : untried
      const healthy = ordered.find((worker) => !worker.suspect())
      return healthy ?? (only === 'healthy' ? undefined : ordered[0])
    },
    bestForEvents(shard) {
      const first = best(shard)
      if (first === undefined || first.ingestWaitingBytes() <= SPREAD_WAITING_BYTES) return first
      return leastLoaded(first)
    },
  }
}
