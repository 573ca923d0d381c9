/** Handlers of `ProjectService`. */
import { v7 as uuidv7 } from 'uuid'
import type { Project } from '../../../proto/gen/sluice/v1/Project.ts'
import type { ProjectServiceDefinition } from '../../../proto/gen/sluice/v1/ProjectService.ts'
import type { OrganizationAccess, ProjectAccess } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { makeProjectToken } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { shareReads } from '../../postgres/shared-reads.ts'
import type { ChangeTransaction, MutateProject, RemoveProject } from '../../project/ports.ts'
import { saveCurrentPlace } from '../../store/people/user-store.ts'
import {
  countProjects,
  findProject,
  findProjects,
  insertProject,
  listProjects,
  lockProject,
  PROJECT_DEFAULTS,
  type ProjectSettings,
  type StoredProject,
  updateProject,
  updateProjectToken,
} from '../../store/projects/project-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import type { RetentionSettings } from '../settings.ts'
import { mergeSettings, toProject, toProjectSummary } from './project-message.ts'

const SERVICE = '/sluice.v1.ProjectService'
/** A webhook's address is a secret: anyone who knows it may post to it. */
const SECRETS = ['api_token', 'chat_incoming_webhook']

export type ProjectHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly mutateProject: MutateProject
  readonly removeProject: RemoveProject
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly clock: Pick<Clock, 'after'>
  readonly settings: RetentionSettings
}

type Call = { readonly access: ProjectAccess; readonly principal: Principal }
type Creation = { readonly access: OrganizationAccess; readonly principal: Principal }

export function createProjectHandlers(
  deps: ProjectHandlersDeps,
): ServiceHandlers<ProjectServiceDefinition> {
  const { management, sql, removeProject, feed, settings } = deps
  const projectOf = shareProjects(deps)
  return {
    ListProjects: management.inCurrentOrganization(`${SERVICE}/ListProjects`, {
      async run({ request, access }) {
        if (access === undefined) return { count: 0, results: [] }
        const { organizationId, level } = access
        const [count, projects] = await Promise.all([
          countProjects(sql, organizationId, level),
          listProjects(sql, organizationId, level, request),
        ])
        return { count, results: projects.map((project) => toProjectSummary(project, level)) }
      },
    }),

    CreateProject: management.inCurrentOrganization(`${SERVICE}/CreateProject`, {
      async run({ request, access, principal }) {
        if (access === undefined) {
          throw invalid('You need to belong to an organization first!', null)
        }
        const wanted = mergeSettings(PROJECT_DEFAULTS, request)
        const project = await sql.begin((tx) => create(tx, { access, principal }, wanted, settings))
        feed.publish({ kind: 'keys' })
        return project
      },
    }),

    GetProject: management.ownProject(`${SERVICE}/GetProject`, {
      async run({ access }) {
        return toProject(found(await projectOf(access.projectId)), access.level, settings)
      },
    }),

    UpdateProject: management.ownProject(`${SERVICE}/UpdateProject`, {
      async run({ request, ...call }) {
        const project = await change(deps, call, (tx, stored) =>
          updateProject(tx, stored.id, mergeSettings(stored, request), settings),
        )
        // Personal keys may reach it now, or no longer, beside other projects.
        if (request.access_control !== undefined) feed.publish({ kind: 'keys' })
        return project
      },
    }),

    DeleteProject: management.ownProject(`${SERVICE}/DeleteProject`, {
      async run({ access, principal }) {
        const { projectId, level } = access
        await removeProject(projectId, async (tx) => {
          const before = toProject(found(await lockProject(tx, projectId)), level, settings)
          await auditProject(tx, { principal, access }, { before, after: null })
        })
        return {}
      },
    }),

    ResetProjectToken: management.ownProject(`${SERVICE}/ResetProjectToken`, {
      async run(call) {
        const project = await change(deps, call, (tx, { id }) =>
          updateProjectToken(tx, id, makeProjectToken()),
        )
        // Caches of keys forget the old token, and that the new one was unknown.
        feed.publish({ kind: 'keys' })
        return project
      },
    }),
  }
}

/** Reads projects, and merges concurrent reads. */
function shareProjects({ sql, clock }: ProjectHandlersDeps) {
  return shareReads<ProjectId, StoredProject>({
    clock,
    nameOf: String,
    read: (ids) => findProjects(sql, ids),
  })
}

/** Makes a project, which becomes the current project of the caller. */
async function create(
  tx: Db,
  { access: { organizationId, level }, principal }: Creation,
  wanted: ProjectSettings,
  settings: RetentionSettings,
): Promise<Project> {
  const identity = { uuid: uuidv7(), organizationId, apiToken: makeProjectToken() }
  const projectId = await insertProject(tx, identity, wanted)
  await saveCurrentPlace(tx, principal.userId, organizationId, projectId)
  const made = await findProject(tx, projectId)
  assert(made !== undefined, 'a project exists in the transaction that made it')
  const project = toProject(made, level, settings)
  const access = { organizationId, projectId }
  await auditProject(tx, { principal, access }, { before: null, after: project })
  return project
}

/** Changes a project through its actor; the answer is the project after it. */
async function change(
  { mutateProject, settings }: ProjectHandlersDeps,
  call: Call,
  write: (tx: ChangeTransaction, stored: StoredProject) => Promise<void>,
): Promise<Project> {
  const { projectId, level } = call.access
  return await mutateProject(projectId, async (tx) => {
    const stored = found(await lockProject(tx, projectId))
    await write(tx, stored)
    const after = toProject(found(await findProject(tx, projectId)), level, settings)
    const before = toProject(stored, level, settings)
    await auditProject(tx, call, { before, after })
    return after
  })
}

const auditProject = auditorOf<Project>({
  scope: 'Project',
  type: 'sluice.v1.Project',
  idOf: ({ id = 0 }) => id,
  nameOf: ({ name = null }) => name,
  show: (project) => project,
  secrets: SECRETS,
})
