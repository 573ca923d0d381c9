/**
 * Distinct ids of deleted persons, for caches that must forget them, and for events stored later.
 */

import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../core/limits/limits.ts'
import type { DeletedId } from '../events/live/live-hub.ts'
import type { Db } from '../postgres/db.ts'
import type { StoredDeletion } from './deletion-store.ts'

/** Seconds that distinct ids of deleted persons are sent to workers as text; and ids at most. */
const DELETED_IDS_TOLD_S = 60
const DELETED_IDS_TOLD_MAX = 10_000

/** Records each distinct id of a person, in the transaction that deletes it. */
export async function noteDeletedIds(tx: Db, deletion: string, person: string): Promise<void> {
  await tx`
    insert into deleted_distinct_ids
      (project_id, digest, deletion_id, with_events, asked_at, distinct_id)
    select i.project_id, sha256(convert_to(i.project_id || ':' || i.distinct_id, 'UTF8')), d.id,
      d.with_events, d.asked_at, i.distinct_id
    from deletions d join distinct_ids i on i.project_id = d.project_id
    where d.id = ${deletion} and i.person_id = ${person}::text::bigint`
}

/**
 * Removes the dead letters of a deleted person, those that would give an id to it again, and the
 * warnings about it.
 */
export async function removeRefusedOf(tx: Db, { id, projectId }: StoredDeletion): Promise<void> {
  await tx`
    with ids as materialized (
      select distinct_id from deleted_distinct_ids
      where deletion_id = ${id} and distinct_id is not null
    ), warned as (
      delete from ingestion_warnings
      where project_id = ${projectId} and details ->> 'distinct_id' in (select distinct_id from ids)
    )
    delete from dead_letters l where l.project_id = ${projectId} and (
      l.distinct_id in (select distinct_id from ids)
      or strpos(l.payload, '"otherDistinctId":') > 0 and exists (
        select from ids
        where strpos(l.payload, '"otherDistinctId":' || to_json(ids.distinct_id)::text) > 0
      )
    )`
}

/** Distinct ids of a deleted person, up to the number that caches are told. */
export type IdsToTell = {
  readonly distinctIds: readonly string[]
  readonly hasMoreIds: boolean
}

export async function listIdsToTell(db: Db, deletion: string): Promise<IdsToTell> {
  const rows = await db<{ distinctId: string }[]>`
    select distinct_id as "distinctId" from deleted_distinct_ids
    where deletion_id = ${deletion} and distinct_id is not null
    limit ${PERSON_DISTINCT_IDS_TOLD_MAX + 1}`
  const distinctIds = rows.map(({ distinctId }) => distinctId)
  return {
    distinctIds: distinctIds.slice(0, PERSON_DISTINCT_IDS_TOLD_MAX),
    hasMoreIds: distinctIds.length > PERSON_DISTINCT_IDS_TOLD_MAX,
  }
}

/** Distinct ids that were deleted lately, for workers that remember them or events of them. */
export async function listDeletedIds(db: Db): Promise<readonly DeletedId[]> {
  return await db<DeletedId[]>`
    select project_id as "projectId", distinct_id as "distinctId",
      extract(epoch from asked_at)::float8 * 1000 as "askedAtMs"
    from deleted_distinct_ids
    where asked_at > now() - ${DELETED_IDS_TOLD_S}::integer * interval '1 second'
      and distinct_id is not null
    order by asked_at desc limit ${DELETED_IDS_TOLD_MAX}`
}

/**
 * Forgets the texts of distinct ids that no deletion needs any more; their digests stay. With them
 * go the warnings that a worker had in memory when the person was deleted, and wrote after it.
 */
export async function clearDeletedIds(db: Db): Promise<void> {
  await db`
    with done as materialized (
      select i.project_id, i.digest, i.deletion_id, i.distinct_id, i.asked_at
      from deleted_distinct_ids i
      where i.distinct_id is not null
        and i.asked_at < now() - 2 * ${DELETED_IDS_TOLD_S}::integer * interval '1 second'
        and not exists (
          select from deletions d where d.id = i.deletion_id and d.state = 'running'
        )
    ), warned as (
      delete from ingestion_warnings w using done
      where w.project_id = done.project_id and w.details ->> 'distinct_id' = done.distinct_id
        and w.first_seen_at
          < done.asked_at + ${DELETED_IDS_TOLD_S}::integer * interval '1 second'
    )
    update deleted_distinct_ids i set distinct_id = null from done
    where i.project_id = done.project_id and i.digest = done.digest
      and i.deletion_id = done.deletion_id`
}

/** Distinct ids of a deleted person in their order, behind one; empty is the first. */
export async function listDeletedIdsAfter(
  db: Db,
  deletion: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct_id as id from deleted_distinct_ids
    where deletion_id = ${deletion} and distinct_id is not null
      and distinct_id collate "C" > ${after}
    order by distinct_id collate "C" limit ${limit}`
  return rows.map(({ id }) => id)
}
