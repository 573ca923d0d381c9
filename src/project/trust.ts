import type { Epoch, ProjectId } from '../core/ids.ts'

/**
 * Judges when this worker may answer from a snapshot without asking the database: the snapshot was
 * compared with the database once, and this worker must have heard of every change since. The owner
 * makes most changes, so this worker makes them while it holds the shard. Any worker may make
 * others, such as that of a plugin, which the changes report.
 */
export type Trust = {
  /** False while changes may be made that this worker does not hear of. */
  holds(): boolean
  /** Mark of a comparison that begins now; taken before its read. */
  mark(project: ProjectId): TrustMark
  /** True when a comparison of that mark is still good, as long as `holds()`. */
  covers(project: ProjectId, mark: TrustMark): boolean
}

export type TrustMark = {
  /**
   * Epoch of the shard; `undefined` when it was not held. Each gain of the shard has another epoch.
   */
  readonly epoch: Epoch | undefined
  /** See `TrustDeps.feed`. */
  readonly interruptions: number
}

export type TrustDeps = {
  /** The epoch under which this worker holds the project's shard; `undefined` when it does not. */
  readonly epochOf: (project: ProjectId) => Epoch | undefined
  /** False while others may have declared this worker dead and taken its shards. */
  readonly confirmed: () => boolean
  /** Changes of the other workers. */
  readonly feed: {
    /** True while the changes of every other worker arrive. */
    fresh(): boolean
    /** Rises whenever changes may have been missed. */
    interruptions(): number
  }
}

export function createTrust({ epochOf, confirmed, feed }: TrustDeps): Trust {
  return {
    holds: () => confirmed() && feed.fresh(),
    mark: (project) => ({ epoch: epochOf(project), interruptions: feed.interruptions() }),
    covers(project, { epoch, interruptions }) {
      return (
        epoch !== undefined && interruptions === feed.interruptions() && epoch === epochOf(project)
      )
    },
  }
}

/** For the only worker of a database: no other process changes anything. */
export const SOLE_WORKER: Trust = {
  holds: () => true,
  mark: () => ({ epoch: undefined, interruptions: 0 }),
  covers: () => true,
}
