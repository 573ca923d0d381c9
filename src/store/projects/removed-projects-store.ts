/**
 * Removed projects. The row is deleted at once with all rows that refer to it; other rows cannot be
 * found any more. They are in tables without foreign keys, and are deleted in the background by
 * `remove-remains.ts`, as long as the project's id is in `deleted_projects`.
 */
import type { OrganizationId, ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** Deletes a project, in the transaction of the removal. @returns false when there is none. */
export async function deleteProject(tx: Db, project: ProjectId): Promise<boolean> {
  const recorded = await tx`
    with gone as (delete from projects where id = ${project} returning id)
    insert into deleted_projects (project_id) select id from gone`
  return recorded.count > 0
}

/**
 * Deletes all projects of an organization whose row the transaction has locked, so that none is
 * created meanwhile. Announce the changed keys after its commit: the actors find out by themselves.
 */
export async function deleteProjectsOf(
  tx: Db,
  organization: OrganizationId,
): Promise<readonly ProjectId[]> {
  const rows = await tx<{ id: ProjectId }[]>`
    with gone as (delete from projects where organization_id = ${organization} returning id)
    insert into deleted_projects (project_id) select id from gone order by id
    returning project_id as id`
  return rows.map(({ id }) => id)
}

/** Lists removed projects that may have rows left, the first removed first. */
export async function listRemovedProjects(db: Db, limit: number): Promise<readonly ProjectId[]> {
  const rows = await db<{ id: ProjectId }[]>`
    select project_id as id from deleted_projects order by deleted_at, project_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** A transaction under way, by the name that the server gives it. */
export type Witness = string

/**
 * Lists transactions that may have seen a project which was removed before this call. A reader of
 * `projects` locks the table before it takes its snapshot and until it ends, so these are all.
 */
export async function listWitnesses(db: Db): Promise<readonly Witness[]> {
  const rows = await db<{ witness: Witness }[]>`
    select distinct virtualtransaction as witness from pg_locks
    where locktype = 'relation' and relation = 'projects'::regclass
      and database = (select oid from pg_database where datname = current_database())
      and granted and pid <> pg_backend_pid()`
  return rows.map(({ witness }) => witness)
}

/** True when each of them has ended. */
export async function haveEnded(db: Db, witnesses: readonly Witness[]): Promise<boolean> {
  if (witnesses.length === 0) return true
  const [row] = await db<{ ended: boolean }[]>`
    select not exists (
      select from pg_locks where virtualtransaction = any (${[...witnesses]}::text[])
    ) as ended`
  return row?.ended === true
}
