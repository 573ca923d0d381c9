import type { Epoch, ProjectId } from '../core/ids.ts'

/**
 * When this worker may answer from a snapshot without asking the database: it was compared with the
 * database at some time, and no change since then can have been made without this worker's knowing.
 * Its owner makes most changes, and makes them here while this worker holds the shard; others, such
 * as one of a plugin, are made by any worker, and are told by the news.
 */
export type Trust = {
  /** False while changes may be made that this worker does not hear of. */
  holds(): boolean
  /** What comparisons of a snapshot that begin now are good for. */
  mark(project: ProjectId): TrustMark
  /** True when a comparison of that mark is still good, as long as `holds()`. */
  covers(project: ProjectId, mark: TrustMark): boolean
}

export type TrustMark = {
  /** Of the shard, `undefined` when it was not held: each time that it is gained it is another. */
  readonly epoch: Epoch | undefined
  /** See `TrustDeps.news`. */
  readonly interruptions: number
}

export type TrustDeps = {
  /** Under which this worker holds the project's shard now; `undefined` when it does not. */
  readonly epochOf: (project: ProjectId) => Epoch | undefined
  /** False while others may have declared this worker dead and taken its shards. */
  readonly confirmed: () => boolean
  /** What the other workers tell. */
  readonly news: {
    /** True while every other worker is heard. */
    fresh(): boolean
    /** Rises whenever news may have been missed. */
    interruptions(): number
  }
}

export function createTrust({ epochOf, confirmed, news }: TrustDeps): Trust {
  return {
    holds: () => confirmed() && news.fresh(),
    mark: (project) => ({ epoch: epochOf(project), interruptions: news.interruptions() }),
    covers(project, { epoch, interruptions }) {
      return (
        epoch !== undefined && interruptions === news.interruptions() && epoch === epochOf(project)
      )
    },
  }
}

/** Of a worker that is alone with its database: nobody else changes anything. */
export const SOLE_WORKER: Trust = {
  holds: () => true,
  mark: () => ({ epoch: undefined, interruptions: 0 }),
  covers: () => true,
}
