/** Counts what changes the past of a project: kept answers from before are not used again. */
import type { ProjectId } from '../../core/ids.ts'
import { intArray } from '../../postgres/columns.ts'
import type { Db } from '../../postgres/db.ts'

/**
 * `deletion`: a stored event has gone. `identity`: a distinct id has got another person.
 * `forgotten`: copies of answers have been deleted.
 */
export type ChangeKind = 'deletion' | 'identity' | 'forgotten'

/** Slot of callers that are no writers, so that writers do not wait for them. */
export const OTHER_SLOT = -1

/**
 * Version of the events of a day, over its rows of `event_counts`: how many were stored, and minus
 * how many were deleted. `removeEmptyCounters` forgets both, with the blocks of the day.
 */
export const DAY_VERSION = `concat(
  coalesce(sum(count) filter (where slot <> ${OTHER_SLOT}), 0), '.',
  coalesce(sum(count) filter (where slot = ${OTHER_SLOT}), 0))`

const RAISE = `
  insert into project_changes as c (project_id, kind, slot, count)
  select id, $2, $3::smallint, 1 from unnest($1::int[]) as p (id) order by id
  on conflict (project_id, kind, slot) do update set count = c.count + 1`

/**
 * Counts a change, in its transaction, so that a snapshot has both or neither.
 * @param projects no project twice.
 * @param slot of a writer's connection, which waits for no other, or `OTHER_SLOT`.
 */
export async function countChange(
  db: Db,
  projects: readonly ProjectId[],
  kind: ChangeKind,
  slot: number,
): Promise<void> {
  if (projects.length === 0) return
  await db.unsafe(RAISE, [intArray(projects), kind, String(slot)], { prepare: true })
}
