/** Projects that a user sees, within the restrictions of a key. */
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { KeyRestrictions } from '../people/key-store.ts'
import type { ProjectListItem } from './project-store.ts'

/** The projects of organizations that the user sees, by id. */
export async function listProjectsOf(
  db: Db,
  user: UserId,
  organizations: readonly OrganizationId[],
  { scopedProjects }: KeyRestrictions,
): Promise<ProjectListItem[]> {
  const only = scopedProjects.map(String)
  return await db<ProjectListItem[]>`
    select p.id, p.uuid, p.organization_id as "organizationId", p.api_token as "apiToken", p.name,
      p.completed_snippet_onboarding as "completedSnippetOnboarding",
      p.ingested_event as "ingestedEvent", p.is_demo as "isDemo", p.timezone,
      p.access_control as "accessControl"
    from projects p join memberships m on m.organization_id = p.organization_id
    where m.user_id = ${user} and p.organization_id = any (${[...organizations]}::text[]::uuid[])
      and (not p.access_control or m.level > 1)
      and (${only}::text[] = '{}' or p.id = any (${only}::text[]::integer[]))
    order by p.id`
}

/** Finds those of the projects that the user sees. */
export async function findVisibleProjects(
  db: Db,
  user: UserId,
  ids: readonly number[],
): Promise<{ id: ProjectId; organizationId: OrganizationId }[]> {
  return await db<{ id: ProjectId; organizationId: OrganizationId }[]>`
    select p.id, p.organization_id as "organizationId"
    from projects p join memberships m on m.organization_id = p.organization_id
    where m.user_id = ${user} and p.id = any (${ids.map(String)}::text[]::integer[])
      and (not p.access_control or m.level > 1)`
}
