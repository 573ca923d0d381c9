/** Deletes events that no walk finds in ClickHouse, because it has lost them. */

import { DELETION_CHUNK_ROWS_MAX } from '../core/limits/limits.ts'
import { MONTH_OF_DAY } from '../event-store/outbox/enqueue-tombstones.ts'
import { LOSS_ACCEPTED } from '../event-store/outbox/gaps.ts'
import type { Db } from '../postgres/db.ts'
import { fragment, run } from '../postgres/fragment.ts'
import { type Deleted, deleteFound, rowsOf } from './deletion-chunks.ts'
import type { StoredDeletion } from './deletion-store.ts'

type Key = { readonly day: string; readonly uuid: string }

/**
 * Deletes events that ClickHouse has lost, if an operator has accepted the loss, after all other
 * old events of their project; events stored since then are too old as well. The key index has
 * their keys, but not the names by which they were counted: the counters of a day are deleted with
 * the last of its keys, and until then an event without a name is subtracted from their sum.
 */
export async function deleteLostEvents(
  tx: Db,
  { projectId, cutoff }: StoredDeletion,
  share: number,
): Promise<Deleted> {
  const nothing: Deleted = { events: 0, place: undefined }
  const [accepted] = await tx<{ isThere: boolean }[]>`
    select exists (
      select from event_gaps where reason = ${LOSS_ACCEPTED} and not asked
    ) as "isThere"`
  if (cutoff === null || accepted?.isThere !== true) return nothing
  const rows = rowsOf(DELETION_CHUNK_ROWS_MAX, share)
  const old = fragment`
    select day::text as day, uuid::text as uuid from event_ledger e
    where e.project_id = ${String(projectId)}::integer and e.day < ${cutoff}::date
      and ${MONTH_OF_DAY} in (
        select month from event_gaps where reason = ${LOSS_ACCEPTED} and not asked
      )
    order by e.day, e.uuid limit ${String(rows + 1)}::bigint`
  const found = await run<Key>(tx, old, false)
  if (found.length === 0) return nothing
  const keys = found.slice(0, rows)
  const events = await deleteFound(
    tx,
    projectId,
    keys.map((key) => ({ ...key, event: '' })),
  )
  // The last day may have more events, so its counters stay.
  const next = found.at(rows)?.day
  const days = new Set(keys.map(({ day }) => day).filter((day) => day !== next))
  await tx`
    delete from event_counts
    where project_id = ${projectId} and day in (
      select unnest(string_to_array(${[...days].join(',')}, ','))::date
    )`
  return { events, place: next === undefined ? undefined : [cutoff] }
}
