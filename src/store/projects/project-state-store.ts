import { AppError } from '../../core/code.ts'
import { type ProjectId, type Revision, revision } from '../../core/ids.ts'
import { compileSnapshot } from '../../flags/compile.ts'
import type { PluginPlan } from '../../plugins/ports.ts'
import type { ProjectState } from '../../project/ports.ts'
import { planColumn } from '../plugins/plugin-plan-store.ts'
import type { Db } from '../pool/db.ts'
import { loadFlagsForProject } from './flag-store.ts'

/**
 * A project as of one moment. The revision is read first: should a change slip in between, the
 * snapshot is newer than it says and is loaded again, never older.
 * @throws {AppError} `not_found` when there is no such project.
 */
export async function loadProjectState(db: Db, project: ProjectId): Promise<ProjectState> {
  const [row] = await db<StateRow[]>`
    select p.revision, p.api_token as "apiToken", p.anonymize_ips as "anonymizeIps",
      ${planColumn(db)} as plugins
    from projects p where p.id = ${project}`
  if (row === undefined) throw new AppError('not_found', `no project ${project}`)
  const sources = await loadFlagsForProject(db, project)
  return {
    id: project,
    revision: revision(Number(row.revision)),
    apiToken: row.apiToken,
    anonymizeIps: row.anonymizeIps,
    flags: compileSnapshot(sources),
    plugins: row.plugins ?? undefined,
  }
}

type StateRow = Pick<ProjectState, 'apiToken' | 'anonymizeIps'> & {
  readonly revision: bigint
  readonly plugins: PluginPlan | null
}

/** The newest revision of each project, by one statement; those that are gone have none. */
export async function readRevisions(
  db: Db,
  projects: readonly ProjectId[],
): Promise<ReadonlyMap<ProjectId, Revision>> {
  const rows = await db<{ id: ProjectId; revision: bigint }[]>`
    select id, revision from projects where id = any(${projects.map(String)}::int[])`
  return new Map(rows.map((row) => [row.id, revision(Number(row.revision))]))
}
