/** Deletes one person. */

import { lockOutAckedRows } from '../event-store/postgres/flush/acked-rows.ts'
import type { FoundPerson } from '../event-store/postgres/persons/find-person.ts'
import type { Db } from '../postgres/db.ts'
import { countChange, OTHER_SLOT } from '../store/answers/change-counts.ts'
import { type IdsToTell, listIdsToTell, noteDeletedIds } from './deleted-ids-store.ts'
import { insertDeletion, type NewDeletion } from './deletion-store.ts'

/**
 * Deletes a person with its properties, distinct ids, cohorts and flag overrides, and inserts the
 * deletion of its events. Flushes that change the person run before or after it. Must be the first
 * in its transaction.
 * @returns undefined when the person is gone.
 */
export async function deletePerson(
  tx: Db,
  { id }: FoundPerson,
  deletion: NewDeletion,
): Promise<IdsToTell | undefined> {
  const { projectId } = deletion
  // Taken before any other lock, because its holders may wait for those.
  await lockOutAckedRows(tx, projectId)
  const held = await tx`
    select from persons where id = ${id}::text::bigint and project_id = ${projectId} for update`
  if (held.count === 0) return undefined
  // After the lock, so that everything acknowledged before is older than the deletion.
  await insertDeletion(tx, deletion)
  await noteDeletedIds(tx, deletion.id, id)
  await tx`
    with cohorts as (delete from cohort_people where person_id = ${id}::text::bigint),
    overrides as (
      delete from flag_hash_key_overrides
      where project_id = ${projectId} and person_id = ${id}::text::bigint
    ), ids as (delete from distinct_ids where person_id = ${id}::text::bigint)
    delete from persons where id = ${id}::text::bigint`
  await countChange(tx, [projectId], 'identity', OTHER_SLOT)
  return await listIdsToTell(tx, deletion.id)
}
