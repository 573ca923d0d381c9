/** Pages of links: what a link shows, and the questions behind it. */
import { found } from '../../access/errors.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { isObject, type Json, type JsonObject, objectOf, own } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'
import { type AskingProject, askingProject } from '../../query/insights/answer.ts'
import { overridden } from '../../query/insights/override.ts'
import { findProject, type StoredProject } from '../../store/projects/project-store.ts'
import { findDashboard, listTiles } from '../../store/saved/dashboard-store.ts'
import { findInsight } from '../../store/saved/saved-insight-store.ts'
import type { OpenLink } from '../../store/sharing/shared-link-store.ts'
import { currentVisitors, isCurrent } from './rules/current-visitors.ts'
import { embedOrigins } from './rules/embed-origins.ts'
import { ownRange, unsharedReason, webQuestion, withoutFilters } from './rules/shared-questions.ts'

export type SharedPage = {
  readonly project: AskingProject
  readonly organizationId: OrganizationId
  /** Origins whose pages may embed it. */
  readonly embedOrigins: readonly string[]
  /** The page as its viewers get it, without answers. */
  readonly shown: JsonObject & { readonly title: string; readonly description: string }
  /** The question that a viewer asks for; undefined where the page has no such one. */
  readonly questionOf: (asked: Json, nowMs: number) => Json | undefined
  /** Drawn for its card; undefined where there is nothing to draw. */
  readonly pictured: Pictured | undefined
}

type Pictured = {
  readonly name: string
  /** As a viewer asks for it, so that the picture has the answer of the page. */
  readonly asked: Json
  readonly question: Json
}

/** One insight or text of a page. */
type Tile = {
  readonly name: string
  readonly text: string | null
  readonly layouts: Json
  /** Null for a text. */
  readonly query: Json
}

/** @throws {AppError} `not_found` when the project, or what is shown, is gone meanwhile. */
export async function readSharedPage(db: Db, link: OpenLink): Promise<SharedPage> {
  const { projectId, kind, itemId, title } = link
  const stored = found(await findProject(db, projectId))
  if (kind === 'web' || itemId === null) return webPage(stored, link)
  if (kind === 'insight') {
    const insight = found(await findInsight(db, projectId, { kind: 'id', id: itemId }))
    const { name, query, description } = insight
    const tile = { name: name || insight.shortId, text: null, layouts: {}, query }
    return tilePage(stored, { kind, title: title || tile.name, description }, [tile])
  }
  const dashboard = found(await findDashboard(db, projectId, itemId))
  const filters = objectOf(dashboard.filters)
  const tiles = (await listTiles(db, itemId)).map(
    ({ body, layouts, shortId, name, query }): Tile => ({
      name: name || (shortId ?? ''),
      text: body,
      layouts,
      query: shortId === null ? null : overridden(query, filters),
    }),
  )
  const { name, description } = dashboard
  return tilePage(stored, { kind, title: title || name, description }, tiles)
}

type Head = Pick<OpenLink, 'kind' | 'title'> & { readonly description: string }

function tilePage(stored: StoredProject, head: Head, tiles: readonly Tile[]): SharedPage {
  const questions = tiles.map(({ query }) =>
    unsharedReason(query) === undefined ? query : undefined,
  )
  const shown = tiles.map(({ name, text, layouts, query }, place) => {
    const question = questions[place]
    const reason = question === undefined && query !== null ? unsharedReason(query) : undefined
    return {
      ...(text === null ? { name } : { text }),
      layouts,
      ...(question === undefined ? {} : { query: withoutFilters(question) }),
      ...(reason === undefined ? {} : { reason }),
    }
  })
  const drawn = questions.findIndex((question) => question !== undefined)
  const name = head.kind === 'insight' ? head.title : (tiles[drawn]?.name ?? '')
  const question = questions[drawn]
  return {
    ...of(stored),
    shown: { ...head, timezone: stored.timezone, tiles: shown },
    pictured: question === undefined ? undefined : { name, asked: { tile: drawn }, question },
    questionOf(asked) {
      const place = isObject(asked) && Object.keys(asked).length === 1 ? own(asked, 'tile') : null
      return typeof place === 'number' ? questions[place] : undefined
    },
  }
}

/** The chart that the page of a site begins with. */
const VISITORS = { kind: 'WebTrendsQuery', metrics: ['visitors'] }

function webPage(stored: StoredProject, { title, kind, filters }: OpenLink): SharedPage {
  const own = objectOf(filters)
  const shown = { kind, title: title || stored.name, description: '', timezone: stored.timezone }
  const visitors = webQuestion(VISITORS, own)
  return {
    ...of(stored),
    shown: { ...shown, dateRange: ownRange(own) },
    pictured: visitors && { name: shown.title, asked: VISITORS, question: visitors },
    questionOf: (asked, nowMs) =>
      isCurrent(asked)
        ? currentVisitors(own, stored.testAccountFilters, nowMs)
        : webQuestion(asked, own),
  }
}

function of(
  stored: StoredProject,
): Pick<SharedPage, 'project' | 'organizationId' | 'embedOrigins'> {
  return {
    project: askingProject(stored),
    organizationId: stored.organizationId,
    embedOrigins: embedOrigins(stored.appUrls),
  }
}
