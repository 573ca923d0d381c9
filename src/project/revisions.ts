/** The newest revisions of projects, as the database has them. */
import type { DatabaseHealth } from '../core/database-health.ts'
import type { ProjectId, Revision } from '../core/ids.ts'
import { REVISIONS_READ_MS } from '../core/limits/limits.ts'

/** Reads the newest revisions by one statement. The answer leaves out projects that are gone. */
export type ReadRevisions = (
  projects: readonly ProjectId[],
) => Promise<ReadonlyMap<ProjectId, Revision>>

export type Revisions = {
  readonly read: ReadRevisions
  /**
   * Runs `work`, which reads revisions, for at most REVISIONS_READ_MS.
   * @throws {AppError} `unavailable` when the database does not answer; this is logged.
   */
  guarded<T>(work: () => Promise<T>): Promise<T>
  /** Probes the database; true when it does not answer. Never rejects. */
  away(): Promise<boolean>
}

export function createRevisions({
  read,
  health,
}: {
  readonly read: ReadRevisions
  readonly health: DatabaseHealth
}): Revisions {
  const reads = health.reads('revisions of projects', REVISIONS_READ_MS)

  return {
    read,
    guarded: (work) => reads.ask(work),
    async away() {
      try {
        await reads.ask(() => read([]))
        return false
      } catch {
        return true // The failure is logged by `health`.
      }
    },
  }
}
