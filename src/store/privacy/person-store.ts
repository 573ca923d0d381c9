/** One person: how it is found, all that is stored of it, and how it is deleted. */
import type { ProjectId } from '../../core/ids.ts'
import { PERSON_DISTINCT_IDS_TOLD_MAX } from '../../core/limits/limits.ts'
import type { Db } from '../pool/db.ts'
import { noteDeletedIds } from './deleted-ids-store.ts'
import { insertDeletion, type NewDeletion } from './deletion-store.ts'

/** A person is named by its number, its UUID, or one of its distinct ids. */
export type PersonName =
  | { readonly id: string }
  | { readonly uuid: string }
  | { readonly distinctId: string }

export type FoundPerson = {
  /** Decimal text. */
  readonly id: string
  readonly uuid: string
}

export async function findPerson(
  db: Db,
  project: ProjectId,
  name: PersonName,
): Promise<FoundPerson | undefined> {
  const [row] = await db<FoundPerson[]>`
    select p.id::text as id, p.uuid::text as uuid from persons p
    where p.project_id = ${project} and ${conditionOf(db, project, name)}`
  return row
}

function conditionOf(db: Db, project: ProjectId, name: PersonName) {
  if ('id' in name) return db`p.id = ${name.id}::text::bigint`
  if ('uuid' in name) return db`p.uuid = ${name.uuid}::text::uuid`
  return db`p.id = (
    select person_id from distinct_ids
    where project_id = ${project} and distinct_id = ${name.distinctId})`
}

export type DeletedPerson = {
  /** As many as caches are told of. */
  readonly distinctIds: readonly string[]
  readonly hasMoreIds: boolean
}

/**
 * Deletes a person with its properties, distinct ids, cohorts and flag overrides, and makes the
 * deletion that takes its events. Flushes that change the person come before or after it.
 * @returns undefined when the person is gone.
 */
export async function deletePerson(
  tx: Db,
  { id }: FoundPerson,
  deletion: NewDeletion,
): Promise<DeletedPerson | undefined> {
  const { projectId } = deletion
  const held = await tx`
    select from persons where id = ${id}::text::bigint and project_id = ${projectId} for update`
  if (held.count === 0) return undefined
  // After the lock: what was acknowledged before is older than this.
  await insertDeletion(tx, deletion)
  await noteDeletedIds(tx, deletion.id, id)
  const told = await tx<{ distinctId: string }[]>`
    select distinct_id as "distinctId" from distinct_ids where person_id = ${id}::text::bigint
    limit ${PERSON_DISTINCT_IDS_TOLD_MAX + 1}`
  await tx`
    with cohorts as (delete from cohort_people where person_id = ${id}::text::bigint),
    overrides as (
      delete from flag_hash_key_overrides
      where project_id = ${projectId} and person_id = ${id}::text::bigint
    ), ids as (delete from distinct_ids where person_id = ${id}::text::bigint)
    delete from persons where id = ${id}::text::bigint`
  const distinctIds = told.map(({ distinctId }) => distinctId)
  return {
    distinctIds: distinctIds.slice(0, PERSON_DISTINCT_IDS_TOLD_MAX),
    hasMoreIds: distinctIds.length > PERSON_DISTINCT_IDS_TOLD_MAX,
  }
}

/** Events of the distinct ids of a person. */
export async function countPersonEvents(
  db: Db,
  project: ProjectId,
  { id }: FoundPerson,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::float8 as count from distinct_ids d
    join events e on e.project_id = ${project} and e.distinct_id = d.distinct_id
    where d.project_id = ${project} and d.person_id = ${id}::text::bigint`
  return row?.count ?? 0
}

/** JSON text of all that is stored of a person but its events. */
export async function readPersonData(
  db: Db,
  project: ProjectId,
  { id }: FoundPerson,
): Promise<string | undefined> {
  const [row] = await db<{ data: string }[]>`
    select json_build_object(
      'id', p.id, 'uuid', p.uuid, 'created_at', p.created_at, 'is_identified', p.is_identified,
      'properties', p.properties,
      'distinct_ids', (
        select coalesce(json_agg(d.distinct_id order by d.distinct_id), '[]')
        from distinct_ids d where d.person_id = p.id),
      'cohorts', (
        select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by c.id), '[]')
        from cohort_people m join cohorts c on c.id = m.cohort_id where m.person_id = p.id),
      'feature_flag_overrides', (
        select coalesce(json_agg(json_build_object('flag', o.flag_key, 'hash_key', o.hash_key)
          order by o.flag_key), '[]')
        from flag_hash_key_overrides o where o.project_id = p.project_id and o.person_id = p.id),
      'dead_letters', (
        select coalesce(json_agg(json_build_object('uuid', l.uuid, 'event', l.event,
          'distinct_id', l.distinct_id, 'payload', l.payload, 'created_at', l.created_at)
          order by l.id), '[]')
        from distinct_ids d join dead_letters l
          on l.project_id = d.project_id and l.distinct_id = d.distinct_id
        where d.person_id = p.id)
    )::text as data
    from persons p where p.project_id = ${project} and p.id = ${id}::text::bigint`
  return row?.data
}
