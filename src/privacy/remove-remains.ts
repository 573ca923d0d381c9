import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import { DELETION_RESTS } from '../core/limits/limits.ts'
import { enqueueProjectTombstones } from '../event-store/outbox/enqueue-tombstones.ts'
import type { Sql } from '../postgres/connect.ts'
import {
  haveEnded,
  listRemovedProjects,
  listWitnesses,
} from '../store/projects/removed-projects-store.ts'
import {
  type Chunk,
  forgetRemovedProject,
  listEventsTables,
  type Place,
  REMAINS_TABLES,
  removeChunk,
  removeLogChunk,
} from './remains-sql.ts'

/** Rows of removed projects that one statement removes, and log entries that one looks through. */
export const REMOVAL_CHUNK_ROWS_MAX = 2_000
const REMOVAL_LOG_CHUNK_ROWS_MAX = 10_000
/** Removed projects that one turn of the background removal cares for. */
const REMOVED_PROJECTS_PER_TURN_MAX = 100

export type RemoveRemainsDeps = { readonly sql: Sql; readonly clock: Clock }

/**
 * Removes rows that removed projects have left behind, in chunks that each commit: killed at any
 * moment, the next call resumes. Meant for a loop; workers that run it at once share the work.
 *
 * No row can be added later. A transaction that writes a row of a project without a foreign key has
 * read `projects`, so it has either seen that the project is removed or is a witness. A project is
 * forgotten only when it has no rows left after its witnesses have ended.
 * @param signal ends it between two chunks.
 */
export async function removeRemains(deps: RemoveRemainsDeps, signal: AbortSignal): Promise<void> {
  const { sql } = deps
  for (const project of await listRemovedProjects(sql, REMOVED_PROJECTS_PER_TURN_MAX)) {
    const witnesses = await listWitnesses(sql)
    if (!(await removeRows(deps, project, signal))) continue
    // Witnesses that still run may add rows: the next call looks again.
    if (!(await haveEnded(sql, witnesses))) continue
    if (await removeLogEntries(deps, project, signal)) await forget(sql, project)
  }
}

async function forget(sql: Sql, project: ProjectId): Promise<void> {
  await sql.begin(async (tx) => {
    if (await forgetRemovedProject(tx, project)) await enqueueProjectTombstones(tx, project)
  })
}

/** @returns false when it has not seen all of them. */
async function removeRows(
  deps: RemoveRemainsDeps,
  project: ProjectId,
  signal: AbortSignal,
): Promise<boolean> {
  for (const table of [...(await listEventsTables(deps.sql)), ...REMAINS_TABLES]) {
    const isOver = await walk(deps, signal, (after) =>
      removeChunk(deps.sql, table, project, REMOVAL_CHUNK_ROWS_MAX, after),
    )
    if (!isOver) return false
  }
  return true
}

async function removeLogEntries(
  deps: RemoveRemainsDeps,
  project: ProjectId,
  signal: AbortSignal,
): Promise<boolean> {
  return await walk(deps, signal, (after) =>
    removeLogChunk(deps.sql, project, REMOVAL_LOG_CHUNK_ROWS_MAX, after),
  )
}

/** Rests after each chunk, which leaves four fifths of the disk to others. */
async function walk(
  { clock }: RemoveRemainsDeps,
  signal: AbortSignal,
  next: (after: Place | undefined) => Promise<Chunk>,
): Promise<boolean> {
  let after: Place | undefined
  while (!signal.aborted) {
    const startedAt = clock.monotonic()
    const chunk = await next(after)
    if (chunk.kind !== 'removed') return chunk.kind === 'end'
    after = chunk.last
    await clock.sleep(DELETION_RESTS * (clock.monotonic() - startedAt), signal).catch(() => {
      // Woken by the abort; the condition above ends the walk.
    })
  }
  return false
}
