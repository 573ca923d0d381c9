import type { ShardId } from '../../src/core/ids.ts'
import type { NewsHub, ProjectNews } from '../../src/core/project-news.ts'

/** What a gateway hears of projects and of the workers that speak of them. */
export type NewsFeed = {
  /**
   * False when a change may be unknown: a worker of the view is not heard, or the view itself may
   * be old. What was cached may be wrong then and is not used.
   */
  fresh(): boolean
  subscribe(listener: (news: ProjectNews) => void): () => void
  /**
   * One short text for the cache generations of all workers of the view: what was kept under
   * another one is not used. Empty while one of them is unknown or may be old (`fresh`): then no
   * shared cache may be used. Cheap to read.
   */
  cacheGeneration(): string
  /** A worker said with an answer which generation it is in. Older words are ignored. */
  tellGeneration(memberId: string, generation: string): void
  /** Id of the member that says it owns the shard: a hint. */
  ownerOf(shard: ShardId): string | undefined
  /** Milliseconds since the worker spoke; 0 for the own process, Infinity when it never did. */
  silentMs(memberId: string): number
  close(): Promise<void>
}

/** The worker of this process: its news arrive within the call that makes them. */
export type LocalNews = {
  readonly memberId: string
  readonly hub: Pick<NewsHub, 'subscribe'>
  readonly generation: {
    current(): string
    subscribe(listener: () => void): () => void
  }
  /** Shards that it holds; left out where no other worker can be. */
  readonly shards?: {
    held(): ReadonlyMap<ShardId, unknown>
    subscribe(listener: () => void): () => void
  }
}

/** For a process whose own worker is the only one: there is no silence to fear. */
export function localNewsFeed({ memberId, hub, generation }: Omit<LocalNews, 'shards'>): NewsFeed {
  return {
    fresh: () => true,
    subscribe: (listener) => hub.subscribe(listener),
    cacheGeneration: () => generation.current(),
    tellGeneration() {
      // `generation` is the very counter that the answers are made of.
    },
    ownerOf: () => memberId,
    silentMs: () => 0,
    async close() {
      // The hub belongs to the worker.
    },
  }
}
