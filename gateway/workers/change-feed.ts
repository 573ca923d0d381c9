import type { ChangeFeed, ProjectChange } from '../../src/core/change-feed.ts'
import type { ShardId } from '../../src/core/ids.ts'

/** Changes of projects and workers that a gateway hears of. */
export type GatewayChangeFeed = {
  /**
   * False when a change may be unknown: a worker of the view is silent, or the view itself may be
   * old. Cached entries are not used then.
   */
  fresh(): boolean
  subscribe(listener: (change: ProjectChange) => void): () => void
  /**
   * One short text for the cache generations of all workers of the view. Entries kept under another
   * text are not used. Empty while a generation is unknown or may be old (`fresh`): no shared cache
   * may be used then. Cheap to read.
   */
  cacheGeneration(): string
  /** Notes the generation that came with an answer of the worker. Older ones are ignored. */
  observeGeneration(memberId: string, generation: string): void
  /** Id of the member that claims the shard: a hint. */
  ownerOf(shard: ShardId): string | undefined
  /** Milliseconds since the worker was heard; 0 for the own process, Infinity when it never was. */
  silentMs(memberId: string): number
  close(): Promise<void>
}

/** Changes of the worker in this process. They arrive within the call that makes them. */
export type LocalChanges = {
  readonly memberId: string
  readonly hub: Pick<ChangeFeed, 'subscribe'>
  readonly generation: {
    current(): string
    subscribe(listener: () => void): () => void
  }
  /** The shards that it holds; absent where there can be no other worker. */
  readonly shards?: {
    held(): ReadonlyMap<ShardId, unknown>
    subscribe(listener: () => void): () => void
  }
}

/** The feed of a process whose own worker is the only one, which is never silent. */
export function localChangeFeed({
  memberId,
  hub,
  generation,
}: Omit<LocalChanges, 'shards'>): GatewayChangeFeed {
  return {
    fresh: () => true,
    subscribe: (listener) => hub.subscribe(listener),
    cacheGeneration: () => generation.current(),
    observeGeneration() {
      // Answers are made of this same `generation`.
    },
    ownerOf: () => memberId,
    silentMs: () => 0,
    async close() {
      // The worker closes the hub.
    },
  }
}
