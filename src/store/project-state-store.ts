import { AppError } from '../core/code.ts'
import { type ProjectId, revision } from '../core/ids.ts'
import { compileSnapshot } from '../flags/compile.ts'
import type { ProjectState } from '../project/ports.ts'
import type { Db } from './db.ts'
import { loadFlagsForProject } from './flag-store.ts'

/**
 * A project as of one moment. The revision is read first: should a change slip in between, the
 * snapshot is newer than it says and is loaded again, never older.
 * @throws {AppError} `not_found` when there is no such project.
 */
export async function loadProjectState(db: Db, project: ProjectId): Promise<ProjectState> {
  const [row] = await db<{ revision: bigint; apiToken: string; anonymizeIps: boolean }[]>`
    select revision, api_token as "apiToken", anonymize_ips as "anonymizeIps"
    from projects where id = ${project}`
  if (row === undefined) throw new AppError('not_found', `no project ${project}`)
  const sources = await loadFlagsForProject(db, project)
  return {
    id: project,
    revision: revision(Number(row.revision)),
    apiToken: row.apiToken,
    anonymizeIps: row.anonymizeIps,
    flags: compileSnapshot(sources),
  }
}
