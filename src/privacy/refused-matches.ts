/** Dead letters that a deletion by filter selects. */

import type { EventSelection } from '../event-store/event-selection.ts'
import { instant } from '../event-store/postgres/renderer/instants.ts'
import type { Db } from '../postgres/db.ts'
import { fragment, join, run } from '../postgres/fragment.ts'

/**
 * Removes the dead letters that were kept before `askedAt` and pass the filters. A filter that asks
 * for more than name, distinct id, person and time asks what Postgres cannot read of them: then all
 * stay.
 */
export async function removeRefusedMatches(
  tx: Db,
  { project, before, after, event, distinctId, personId, where }: EventSelection,
  askedAt: string,
): Promise<void> {
  if (where !== undefined) return
  // All have one form, so that their texts are in the order of time; no other text has this in it.
  const time = fragment`substring(l.payload from '"timestamp":"([^"]*)"') collate "C"`
  const bound = (micros: string) =>
    fragment`to_char(${instant(micros)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  const parts = [
    fragment`l.project_id = ${String(project)}::integer`,
    fragment`l.created_at < ${askedAt}::timestamptz and ${time} < ${bound(before)}`,
  ]
  if (after !== undefined) parts.push(fragment`${time} > ${bound(after)}`)
  if (event !== undefined) parts.push(fragment`l.event = ${event}`)
  if (distinctId !== undefined) parts.push(fragment`l.distinct_id = ${distinctId}`)
  if (personId !== undefined) {
    parts.push(fragment`l.distinct_id in (
      select distinct_id from distinct_ids where person_id = ${personId}::bigint)`)
  }
  await run(tx, fragment`delete from dead_letters l where ${join(parts, 'and')}`, false)
}
