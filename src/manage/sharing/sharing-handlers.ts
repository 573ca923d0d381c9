/** Handlers of `SharingService`: links for people without an account. */
import { v7 as uuidv7 } from 'uuid'
import type { SharingServiceDefinition } from '../../../proto/gen/sluice/v1/SharingService.ts'
import { type ProjectAccess, rowUuid } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import { createPasswordHasher } from '../../access/password.ts'
import type { Principal } from '../../access/principal.ts'
import type { ProjectId } from '../../core/ids.ts'
import { type Json, objectOf } from '../../core/json.ts'
import type { Log } from '../../core/log.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { askingProject } from '../../query/insights/answer.ts'
import { createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { checkQuestion } from '../../query/insights/check-question.ts'
import type { EventReadsDeps } from '../../query/list/events-list.ts'
import { findProject } from '../../store/projects/project-store.ts'
import { listTiles } from '../../store/saved/dashboard-store.ts'
import {
  countLinks,
  deleteLink,
  findLink,
  insertLink,
  type LinkSubject,
  listLinks,
  type StoredLink,
  updateLink,
} from '../../store/sharing/shared-link-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import { createPngRenderer } from '../export/png.ts'
import type { Management } from '../management.ts'
import {
  beginSaved,
  requireBytes,
  requireDashboard,
  requireInsight,
  requireRoom,
} from '../saved/saved-rules.ts'
import {
  LINK_DEFAULTS,
  LINK_TYPE,
  type LinkRequest,
  mergeLink,
  subjectOf,
  toSharedLink,
} from './link-message.ts'
import { createLinkOpener, type LinkOpener } from './open-link.ts'
import { unsharedReason, WEB_FILTERS, webQuestion } from './rules/shared-questions.ts'
import { createSharedAnswers } from './shared-answers.ts'
import { createSharedPictures } from './shared-pictures.ts'

/** Links of a project; one more is 400. */
const LINKS_MAX = 1_000
/** Bytes of the JSON text of a link's filters. */
const LINK_FILTERS_BYTES_MAX = 16_384

const SERVICE = '/sluice.v1.SharingService'

export type SharingHandlersDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Sql
  readonly columnar: ColumnarInsights
  readonly log: Log
  /** True for the token of a member of the cluster. */
  readonly isMember: (token: string) => boolean
}

type Handlers = ServiceHandlers<SharingServiceDefinition>
type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

export function createSharingHandlers(deps: SharingHandlersDeps): Handlers {
  const { management, sql, scanSql, log, isMember, ...reading } = deps
  const cache = createAnswerCache(sql, log)
  const answers = createSharedAnswers({ ...reading, sql: scanSql, cache })
  const { clock } = deps
  // A renderer of its own: pictures for viewers take no place of those for members.
  const pictures = createSharedPictures({ clock, answers, renderPng: createPngRenderer(1) })
  const opener = createLinkOpener({ sql, clock, answers, pictures, isMember })
  return { ...readHandlers(deps, opener), ...changeHandlers(deps, opener) }
}

function readHandlers(
  { management, sql }: SharingHandlersDeps,
  { open, card, picture }: LinkOpener,
): Omit<Handlers, 'CreateSharedLink' | 'UpdateSharedLink' | 'DeleteSharedLink'> {
  return {
    ListSharedLinks: management.underProject(`${SERVICE}/ListSharedLinks`, {
      async run({ request, access }) {
        const { insight_id: insightId, dashboard_id: dashboardId, kind } = request
        const selection = { project: access.projectId, insightId, dashboardId, kind }
        const [count, links] = await Promise.all([
          countLinks(sql, selection),
          listLinks(sql, selection, request),
        ])
        return { count, results: links.map((link) => toSharedLink(link)) }
      },
    }),

    GetSharedLink: management.underProject(`${SERVICE}/GetSharedLink`, {
      find: ({ request, access }) => linkOf(sql, access.projectId, request.id),
      run: async (_call, link) => toSharedLink(link),
    }),

    GetSharedCard: management.forAnybody(`${SERVICE}/GetSharedCard`, {
      run: (request, _found, _caller, context) => card(request.token, context),
    }),

    GetSharedPicture: management.forAnybody(`${SERVICE}/GetSharedPicture`, {
      run: async ({ token }, _found, _caller, context) => ({
        content: Buffer.from(await picture(token, context)),
        content_type: 'image/png',
        file_name: '',
      }),
    }),

    OpenSharedLink: management.forAnybody(`${SERVICE}/OpenSharedLink`, {
      run: async (request, _found, _caller, context) => ({ answer: await open(request, context) }),
    }),
  }
}

function changeHandlers(
  { management, sql, clock }: SharingHandlersDeps,
  { forget }: LinkOpener,
): Pick<Handlers, 'CreateSharedLink' | 'UpdateSharedLink' | 'DeleteSharedLink'> {
  const passwords = createPasswordHasher()
  const hashed = async ({ password }: LinkRequest) =>
    password === undefined ? undefined : await passwords.hash(password)
  const requireFilters = async (project: ProjectId, kind: string, filters: Json) => {
    requireBytes(filters, LINK_FILTERS_BYTES_MAX, 'filters')
    const given = objectOf(filters)
    const known: readonly string[] = kind === 'web' ? WEB_FILTERS : []
    const unknown = Object.keys(given).find((name) => !known.includes(name))
    if (unknown !== undefined) {
      throw invalid(`A link of the kind ${kind} has no such filter.`, `filters__${unknown}`)
    }
    if (kind !== 'web') return
    const asking = askingProject(found(await findProject(sql, project)))
    const question = webQuestion({ kind: 'WebOverviewQuery' }, given) ?? null
    const checked = checkQuestion(clock, asking, question)
    if (checked.ok) return
    const path = checked.error.attr?.replace(/^query\.(?:dateRange\.)?/, '').replaceAll('.', '__')
    throw invalid(checked.error.detail, `filters__${path}`)
  }
  return {
    CreateSharedLink: management.underProject(`${SERVICE}/CreateSharedLink`, {
      async run({ request, access, principal }) {
        const { projectId } = access
        const subject = subjectOf(request)
        const settings = mergeLink(LINK_DEFAULTS, request, await hashed(request))
        await requireFilters(projectId, subject.kind, settings.filters)
        const token = randomText()
        const link = await beginSaved(sql, projectId, async (tx) => {
          const all = { project: projectId, insightId: undefined, dashboardId: undefined }
          await requireRoom(countLinks(tx, { ...all, kind: undefined }), LINKS_MAX, 'links')
          await requireShareable(tx, projectId, subject)
          const id = uuidv7()
          const identity = { id, projectId, author: principal.userId, digest: keyDigest(token) }
          await insertLink(tx, identity, subject, settings)
          return await written(tx, { access, principal }, null, id)
        })
        return toSharedLink(link, token)
      },
    }),

    UpdateSharedLink: management.underProject(`${SERVICE}/UpdateSharedLink`, {
      find: ({ request, access }) => linkOf(sql, access.projectId, request.id),
      async run({ request, access, principal }, { id, kind }) {
        const { projectId } = access
        const passwordHash = await hashed(request)
        const given = mergeLink(LINK_DEFAULTS, request, passwordHash).filters
        await requireFilters(projectId, kind, given)
        const link = await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findLink(tx, projectId, id))
          await updateLink(tx, id, mergeLink(before, request, passwordHash))
          return await written(tx, { access, principal }, before, id)
        })
        forget()
        return toSharedLink(link)
      },
    }),

    DeleteSharedLink: management.underProject(`${SERVICE}/DeleteSharedLink`, {
      find: ({ request, access }) => linkOf(sql, access.projectId, request.id),
      async run({ access, principal }, { id }) {
        await beginSaved(sql, access.projectId, async (tx) => {
          const before = found(await findLink(tx, access.projectId, id))
          await deleteLink(tx, id)
          await auditLink(tx, { access, principal }, { before, after: null })
        })
        forget()
        return {}
      },
    }),
  }
}

/** @throws {AppError} `invalid_argument` of a subject that is not there, or shows persons. */
async function requireShareable(tx: Db, project: ProjectId, subject: LinkSubject): Promise<void> {
  if (subject.kind === 'insight') {
    const { query } = await requireInsight(tx, project, subject.insightId)
    const reason = unsharedReason(query)
    if (reason !== undefined) throw invalid(reason, 'insight', 'not_shareable')
  }
  if (subject.kind === 'dashboard') {
    const { id } = await requireDashboard(tx, project, subject.dashboardId)
    for (const { shortId, name, query } of await listTiles(tx, id)) {
      const reason = shortId === null ? undefined : unsharedReason(query)
      if (reason === undefined) continue
      throw invalid(`${name || shortId}: ${reason}`, 'dashboard', 'not_shareable')
    }
  }
}

const auditLink = auditorOf<StoredLink>({
  scope: 'SharedLink',
  type: LINK_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ title, insight, dashboard }) => title || insight?.name || dashboard?.name || null,
  show: (link) => toSharedLink(link),
  hiddenOf: ({ passwordHash }) => ({ password: passwordHash }),
  derived: ['has_password'],
})

/** The link after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: StoredLink | null,
  id: string,
): Promise<StoredLink> {
  const after = found(await findLink(tx, caller.access.projectId, id))
  await auditLink(tx, caller, { before, after })
  return after
}

async function linkOf(db: Db, project: ProjectId, text: string): Promise<StoredLink> {
  const id = found(rowUuid(text))
  return found(await findLink(db, project, id))
}
