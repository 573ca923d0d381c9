/** Begins to watch distinct ids for the replica, and marks that it lacks some. */
import { PERSONS } from '../event-store/outbox/gaps.ts'
import type { Db } from '../postgres/db.ts'

/**
 * Creates missing triggers, in the transaction that begins the replication.
 * @returns whether any was missing: then the replica knows no earlier change.
 */
export async function watchIds(tx: Db): Promise<boolean> {
  const made = await tx<{ name: string }[]>`
    select tgname as name from pg_trigger where tgrelid = 'distinct_ids'::regclass`
  let isNew = false
  for (const [change, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const name = `distinct_ids_tell_${change}`
    if (made.some((each) => each.name === name)) continue
    isNew = true
    await tx.unsafe(`
      create trigger ${name} after ${change} on distinct_ids
      referencing ${rows} table as changed for each statement execute function tell_copy_of_ids()`)
  }
  return isNew
}

/** Marks the replica as lacking distinct ids. @param asked whether to send all of them again. */
export async function markIds(tx: Db, reason: string, asked = false): Promise<void> {
  await tx`
    insert into event_gaps as g (month, reason, asked)
    select ${PERSONS}, ${reason}, ${asked}::boolean where exists (select from distinct_ids)
    on conflict (month) do update set asked = g.asked or excluded.asked`
}
