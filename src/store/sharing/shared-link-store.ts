/** Rows of shared links. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import { timeText } from '../../postgres/columns.ts'
import type { Db } from '../../postgres/db.ts'
import {
  assignmentsOf,
  columnsText,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

export type LinkKind = 'insight' | 'dashboard' | 'web'

/** The fields of a link that members may write at any time, but for its password and its end. */
export const LINK_FIELDS = {
  title: field.text(''),
  enabled: field.boolean(true),
  filters: field.json({}, { isNotNull: true }),
}

export type LinkSettings = SettingsOf<typeof LINK_FIELDS> & {
  /** ISO 8601; null: it never ends. */
  readonly expiresAt: string | null
  /** Null: it asks for none. */
  readonly passwordHash: string | null
}

/** Subject of a link; it never changes. */
export type LinkSubject =
  | { readonly kind: 'insight'; readonly insightId: number }
  | { readonly kind: 'dashboard'; readonly dashboardId: number }
  | { readonly kind: 'web' }

type SharedItem = { readonly id: number; readonly name: string; readonly deleted: boolean }

export type StoredLink = LinkSettings & {
  /** UUID. */
  readonly id: string
  readonly kind: LinkKind
  readonly insight: SharedItem | null
  readonly dashboard: SharedItem | null
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly createdBy: UserSummary | null
}

/** A link that opens. */
export type OpenLink = {
  readonly id: string
  readonly projectId: ProjectId
  readonly kind: LinkKind
  /** Id of the insight or the dashboard; null for a site. */
  readonly itemId: number | null
  readonly title: string
  readonly filters: LinkSettings['filters']
  readonly passwordHash: string | null
  readonly revision: number
}

export type LinkSelection = {
  readonly project: ProjectId
  /** Undefined: any. */
  readonly insightId: number | undefined
  readonly dashboardId: number | undefined
  readonly kind: string | undefined
}

const COLUMNS = columnsText('l', LINK_FIELDS)
const NAMES = namesText(LINK_FIELDS)

function linkColumns(db: Db) {
  return db`
    l.id::text as id, l.kind, ${db.unsafe(COLUMNS)}, l.password_hash as "passwordHash",
    ${timeText(db, 'l.expires_at')} as "expiresAt", ${timeText(db, 'l.created_at')} as "createdAt",
    (select json_build_object('id', i.id, 'name', i.name, 'deleted', i.deleted)
      from insights i where i.id = l.insight_id) as insight,
    (select json_build_object('id', d.id, 'name', d.name, 'deleted', d.deleted)
      from dashboards d where d.id = l.dashboard_id) as dashboard,
    (select ${userSummary(db)} from users u where u.id = l.created_by) as "createdBy"`
}

/** Newest first. */
export async function listLinks(
  db: Db,
  selection: LinkSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredLink[]> {
  return await db<StoredLink[]>`
    select ${linkColumns(db)} from shared_links l where ${selected(db, selection)}
    order by l.created_at desc, l.id limit ${page.limit} offset ${page.offset}`
}

export async function countLinks(db: Db, selection: LinkSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from shared_links l where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { project, insightId, dashboardId, kind }: LinkSelection) {
  const insight = insightId === undefined ? db`` : db`and l.insight_id = ${insightId}`
  const dashboard = dashboardId === undefined ? db`` : db`and l.dashboard_id = ${dashboardId}`
  const ofKind = kind === undefined ? db`` : db`and l.kind = ${kind}`
  return db`l.project_id = ${project} ${insight} ${dashboard} ${ofKind}`
}

export async function findLink(
  db: Db,
  project: ProjectId,
  id: string,
): Promise<StoredLink | undefined> {
  const [row] = await db<StoredLink[]>`
    select ${linkColumns(db)} from shared_links l where l.project_id = ${project} and l.id = ${id}`
  return row
}

/**
 * The link of a token, if it opens: it is enabled, has not ended, and what it shows is not hidden.
 * One statement for all tokens, whether or not there ever was a link of it.
 */
export async function findOpenLink(db: Db, digest: Buffer): Promise<OpenLink | undefined> {
  const [row] = await db<OpenLink[]>`
    select l.id::text as id, l.project_id as "projectId", l.kind,
      coalesce(l.insight_id, l.dashboard_id) as "itemId", l.title, l.filters,
      l.password_hash as "passwordHash", l.revision
    from shared_links l
    left join insights i on i.id = l.insight_id
    left join dashboards d on d.id = l.dashboard_id
    where l.token_digest = ${digest} and l.enabled
      and (l.expires_at is null or l.expires_at > now())
      and i.deleted is not true and d.deleted is not true`
  return row
}

export async function insertLink(
  tx: Db,
  link: { id: string; projectId: ProjectId; author: UserId; digest: Buffer },
  subject: LinkSubject,
  s: LinkSettings,
): Promise<void> {
  const insight = subject.kind === 'insight' ? subject.insightId : null
  const dashboard = subject.kind === 'dashboard' ? subject.dashboardId : null
  await tx`
    insert into shared_links (id, project_id, created_by, token_digest, kind, insight_id,
      dashboard_id, expires_at, password_hash, ${tx.unsafe(NAMES)})
    values (${link.id}, ${link.projectId}, ${link.author}, ${link.digest}, ${subject.kind},
      ${insight}, ${dashboard}, ${s.expiresAt}::text::timestamptz, ${s.passwordHash},
      ${valuesOf(tx, LINK_FIELDS, s)})`
}

/** Writes every writable field. */
export async function updateLink(tx: Db, id: string, s: LinkSettings): Promise<void> {
  await tx`
    update shared_links set ${assignmentsOf(tx, LINK_FIELDS, s)},
      expires_at = ${s.expiresAt}::text::timestamptz, password_hash = ${s.passwordHash},
      revision = revision + 1
    where id = ${id}`
}

export async function deleteLink(tx: Db, id: string): Promise<void> {
  await tx`delete from shared_links where id = ${id}`
}
