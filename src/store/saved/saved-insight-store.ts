/** Rows of saved insights. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import {
  assignmentsOf,
  columnsText,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import {
  changeColumns,
  orderedBy,
  type SavedOrder,
  type SavedSelection,
  type StoredChanges,
  selectedByWords,
} from './saved-list.ts'

/** The fields of a saved insight that members may write. */
export const INSIGHT_FIELDS = {
  name: field.text(''),
  description: field.text(''),
  query: field.json(null),
  tags: field.tags(),
  favorited: field.boolean(false),
  deleted: field.boolean(false),
}

export type InsightSettings = SettingsOf<typeof INSIGHT_FIELDS>

export type StoredInsight = InsightSettings &
  StoredChanges & {
    readonly id: number
    readonly shortId: string
  }

/** Selection of a project's insights, without hidden ones. */
export type InsightSelection = SavedSelection & {
  readonly shortId: string | undefined
  readonly favorited: boolean | undefined
  /** Kind of the question. */
  readonly kind: string | undefined
}

/** Number or short id of an insight. */
export type InsightName =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'short_id'; readonly shortId: string }

export async function listInsights(
  db: Db,
  selection: InsightSelection,
  order: SavedOrder,
  page: { limit: number; offset: number },
): Promise<StoredInsight[]> {
  return await db<StoredInsight[]>`
    select ${insightColumns(db)} from insights r
    where ${selected(db, selection)}
    order by ${orderedBy(db, order)} limit ${page.limit} offset ${page.offset}`
}

export async function countInsights(db: Db, selection: InsightSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from insights r where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { shortId, favorited, kind, ...selection }: InsightSelection) {
  const named = shortId === undefined ? db`` : db`and r.short_id = ${shortId}`
  const marked = favorited === undefined ? db`` : db`and r.favorited = ${favorited}`
  // As text: `->>` fails on a question with `\u0000` anywhere.
  const like = `%"kind":"${kind}"%`
  // The one question that has another one in it.
  const asked =
    kind === undefined
      ? db``
      : db`and r.query::text like ${like} and r.query::text not like '%"kind":"ActorsQuery"%'`
  return db`${selectedByWords(db, selection)} ${named} ${marked} ${asked}`
}

export async function findInsight(
  db: Db,
  project: ProjectId,
  name: InsightName,
): Promise<StoredInsight | undefined> {
  const named = name.kind === 'id' ? db`r.id = ${name.id}` : db`r.short_id = ${name.shortId}`
  const [row] = await db<StoredInsight[]>`
    select ${insightColumns(db)} from insights r where r.project_id = ${project} and ${named}`
  return row
}

const COLUMNS = columnsText('r', INSIGHT_FIELDS)
const NAMES = namesText(INSIGHT_FIELDS)

function insightColumns(db: Db) {
  return db`r.id, r.short_id as "shortId", ${db.unsafe(COLUMNS)}, ${changeColumns(db)}`
}

/** @throws {PostgresError} 23505 on `insights_short_id` when the short id is taken. */
export async function insertInsight(
  tx: Db,
  insight: { projectId: ProjectId; shortId: string; author: UserId },
  s: InsightSettings,
): Promise<number> {
  const { projectId, shortId, author } = insight
  const [row] = await tx<{ id: number }[]>`
    insert into insights (project_id, short_id, ${tx.unsafe(NAMES)}, created_by, last_modified_by)
    values (${projectId}, ${shortId}, ${valuesOf(tx, INSIGHT_FIELDS, s)}, ${author}, ${author})
    returning id`
  if (row === undefined) throw new Error('insert into insights answered no row')
  return row.id
}

/** Writes every writable field: the caller holds the project's lock and has merged the change in. */
export async function updateInsight(
  tx: Db,
  id: number,
  user: UserId,
  s: InsightSettings,
): Promise<void> {
  await tx`
    update insights set ${assignmentsOf(tx, INSIGHT_FIELDS, s)},
      last_modified_by = ${user}, last_modified_at = now()
    where id = ${id}`
}

/** Deletes an insight with its tiles on dashboards. */
export async function deleteInsight(tx: Db, id: number): Promise<void> {
  await tx`delete from insights where id = ${id}`
}
