import { v7 as uuidv7 } from 'uuid'
import type { Project } from '../../../proto/gen/sluice/v1/Project.ts'
import type { ProjectServiceDefinition } from '../../../proto/gen/sluice/v1/ProjectService.ts'
import type { OrganizationAccess, ProjectAccess } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { makeProjectToken } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import type { NewsHub } from '../../core/project-news.ts'
import type { ChangeTransaction, MutateProject, RemoveProject } from '../../project/ports.ts'
import { saveCurrentPlace } from '../../store/people/user-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import {
  countProjects,
  findProject,
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
import { type AuditPlace, audit } from '../audit.ts'
import type { Management } from '../management.ts'
import { mergeSettings, toProject, toProjectSummary } from './project-message.ts'

const SERVICE = '/sluice.v1.ProjectService'
/** Whoever has the address of a webhook may post to it. */
const SECRETS = ['api_token', 'chat_incoming_webhook']

export type ProjectHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly mutateProject: MutateProject
  readonly removeProject: RemoveProject
  readonly news: Pick<NewsHub, 'publish'>
}

type Call = { readonly access: ProjectAccess; readonly principal: Principal }

export function createProjectHandlers(
  deps: ProjectHandlersDeps,
): ServiceHandlers<ProjectServiceDefinition> {
  const { management, sql, removeProject, news } = deps
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
        const settings = mergeSettings(PROJECT_DEFAULTS, request)
        const project = await sql.begin((tx) => create(tx, access, principal, settings))
        news.publish({ kind: 'keys' })
        return project
      },
    }),

    GetProject: management.ownProject(`${SERVICE}/GetProject`, {
      async run({ access }) {
        return toProject(found(await findProject(sql, access.projectId)), access.level)
      },
    }),

    UpdateProject: management.ownProject(`${SERVICE}/UpdateProject`, {
      async run({ request, ...call }) {
        return await change(deps, call, (tx, stored) =>
          updateProject(tx, stored.id, mergeSettings(stored, request)),
        )
      },
    }),

    DeleteProject: management.ownProject(`${SERVICE}/DeleteProject`, {
      async run({ access, principal }) {
        const { projectId, level } = access
        await removeProject(projectId, async (tx) => {
          const before = toProject(found(await lockProject(tx, projectId)), level)
          await log(tx, principal, access, before, null)
        })
        return {}
      },
    }),

    ResetProjectToken: management.ownProject(`${SERVICE}/ResetProjectToken`, {
      async run(call) {
        const project = await change(deps, call, (tx, { id }) =>
          updateProjectToken(tx, id, makeProjectToken()),
        )
        // Every cache of keys lets the old one go, and that the new one was unknown.
        news.publish({ kind: 'keys' })
        return project
      },
    }),
  }
}

/** Makes a project, which becomes the current one of whoever makes it. */
async function create(
  tx: Db,
  { organizationId, level }: OrganizationAccess,
  principal: Principal,
  settings: ProjectSettings,
): Promise<Project> {
  const identity = { uuid: uuidv7(), organizationId, apiToken: makeProjectToken() }
  const projectId = await insertProject(tx, identity, settings)
  await saveCurrentPlace(tx, principal.userId, organizationId, projectId)
  const made = await findProject(tx, projectId)
  assert(made !== undefined, 'a project exists in the transaction that made it')
  const project = toProject(made, level)
  await log(tx, principal, { organizationId, projectId }, null, project)
  return project
}

/** Changes a project through its actor; the answer is the project after it. */
async function change(
  { mutateProject }: ProjectHandlersDeps,
  { access, principal }: Call,
  write: (tx: ChangeTransaction, stored: StoredProject) => Promise<void>,
): Promise<Project> {
  const { projectId, level } = access
  return await mutateProject(projectId, async (tx) => {
    const stored = found(await lockProject(tx, projectId))
    await write(tx, stored)
    const after = toProject(found(await findProject(tx, projectId)), level)
    await log(tx, principal, access, toProject(stored, level), after)
    return after
  })
}

async function log(
  tx: Db,
  principal: Principal,
  place: AuditPlace,
  before: Project | null,
  after: Project | null,
): Promise<void> {
  const project = after ?? before
  assert(project !== null, 'an entry is about a project')
  const activity = before === null ? 'created' : after === null ? 'deleted' : 'updated'
  await audit(tx, principal, place, {
    scope: 'Project',
    activity,
    itemId: project.id ?? 0,
    itemName: project.name ?? null,
    type: 'sluice.v1.Project',
    before,
    after,
    secrets: SECRETS,
  })
}

function found(project: StoredProject | undefined): StoredProject {
  if (project === undefined) throw notFound()
  return project
}
