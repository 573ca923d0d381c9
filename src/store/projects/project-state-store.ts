import { yieldToEventLoop } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { type ProjectId, type Revision, revision } from '../../core/ids.ts'
import type { FlagSources } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'
import type { PluginPlan } from '../../project/plugin-ports.ts'
import type { ChangeTransaction, StateChange } from '../../project/ports.ts'
import type { StoredProject } from '../../project/project-state.ts'
import { planColumn } from '../plugins/plugin-plan-store.ts'
import { loadFlagsForProject } from './flag-store.ts'

/**
 * A project as of one moment. The revision is read first: should a change slip in between, the
 * snapshot is newer than it says and is loaded again, never older.
 * @throws {AppError} `not_found` when there is no such project.
 */
export async function loadProject(db: Db, project: ProjectId): Promise<StoredProject> {
  const [row] = await db<StateRow[]>`
    select p.revision, p.api_token as "apiToken", p.anonymize_ips as "anonymizeIps",
      ${planColumn(db)} as plugins
    from projects p where p.id = ${project}`
  if (row === undefined) throw gone(project)
  const sources = await loadFlagsForProject(db, project)
  return {
    id: project,
    revision: revision(Number(row.revision)),
    apiToken: row.apiToken,
    anonymizeIps: row.anonymizeIps,
    plugins: row.plugins ?? undefined,
    sources,
  }
}

type StateRow = Pick<StoredProject, 'apiToken' | 'anonymizeIps'> & {
  readonly revision: bigint
  readonly plugins: PluginPlan | null
}

/**
 * Raises the project's revision, runs `change`, and reads what it leaves.
 * @throws {AppError} `not_found` when the project is gone; what `change` or a judge of its throws.
 */
export async function changeProject<T>(
  db: Db,
  project: ProjectId,
  change: StateChange<T>,
): Promise<{ result: T; left: StoredProject }> {
  // First of all, since it also keeps the project from being removed under the change.
  const raised = await db`update projects set revision = revision + 1 where id = ${project}`
  if (raised.count === 0) throw gone(project)
  const judges: ((left: FlagSources) => void)[] = []
  const tx: ChangeTransaction = Object.assign(db, {
    judgeFlags(judge: (left: FlagSources) => void) {
      judges.push(judge)
    },
  })
  const result = await change(tx)
  const left = await loadProject(db, project)
  for (const [index, judge] of judges.entries()) {
    if (index > 0) await yieldToEventLoop() // Each looks at all flags.
    judge(left.sources)
  }
  return { result, left }
}

function gone(project: ProjectId): AppError {
  return new AppError('not_found', `no project ${project}`)
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
