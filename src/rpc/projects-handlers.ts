import { v7 as uuidv7 } from 'uuid'
import type { ProjectServiceDefinition } from '../../proto/gen/sluice/v1/ProjectService.ts'
import { invalid, notFound } from '../admin/errors.ts'
import { makeProjectToken } from '../admin/keys.ts'
import { assert } from '../core/code.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { MutateProject } from '../project/ports.ts'
import type { Sql } from '../store/connect.ts'
import {
  countProjects,
  findProject,
  insertProject,
  listProjects,
  lockProject,
  PROJECT_DEFAULTS,
  updateProject,
} from '../store/project-store.ts'
import { saveCurrentPlace } from '../store/user-store.ts'
import type { Management } from './management.ts'
import { mergeSettings, toProject, toProjectSummary } from './project-message.ts'
import type { ServiceHandlers } from './service-handlers.ts'

const SERVICE = '/sluice.v1.ProjectService'

export type ProjectHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly mutateProject: MutateProject
  readonly news: Pick<NewsHub, 'publish'>
}

export function createProjectHandlers({
  management,
  sql,
  mutateProject,
  news,
}: ProjectHandlersDeps): ServiceHandlers<ProjectServiceDefinition> {
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
        const { organizationId, level } = access
        const project = await sql.begin(async (tx) => {
          const identity = { uuid: uuidv7(), organizationId, apiToken: makeProjectToken() }
          const id = await insertProject(tx, identity, mergeSettings(PROJECT_DEFAULTS, request))
          await saveCurrentPlace(tx, principal.userId, organizationId, id)
          return await findProject(tx, id)
        })
        assert(project !== undefined, 'a project exists in the transaction that made it')
        news.publish({ kind: 'keys' })
        return toProject(project, level)
      },
    }),

    GetProject: management.ownProject(`${SERVICE}/GetProject`, {
      async run({ access }) {
        const project = await findProject(sql, access.projectId)
        if (project === undefined) throw notFound()
        return toProject(project, access.level)
      },
    }),

    UpdateProject: management.ownProject(`${SERVICE}/UpdateProject`, {
      async run({ request, access }) {
        const { projectId, level } = access
        const project = await mutateProject(projectId, async (tx) => {
          const stored = await lockProject(tx, projectId)
          if (stored === undefined) throw notFound()
          await updateProject(tx, projectId, mergeSettings(stored, request))
          return await findProject(tx, projectId)
        })
        if (project === undefined) throw notFound()
        return toProject(project, level)
      },
    }),
  }
}
