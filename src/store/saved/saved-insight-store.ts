/** Rows of saved insights. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import {
  changeColumns,
  orderedBy,
  type SavedOrder,
  type SavedSelection,
  type StoredChanges,
  selectedByWords,
} from './saved-list.ts'

/** The fields of a saved insight that members may write. */
export type InsightSettings = {
  readonly name: string
  readonly description: string
  readonly query: Json
  /** Normalised, sorted. */
  readonly tags: readonly string[]
  readonly favorited: boolean
  readonly deleted: boolean
}

export type StoredInsight = InsightSettings &
  StoredChanges & {
    readonly id: number
    readonly shortId: string
  }

/** Which insights of a project, of those that are not hidden. */
export type InsightSelection = SavedSelection & {
  readonly shortId: string | undefined
  readonly favorited: boolean | undefined
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

function selected(db: Db, { shortId, favorited, ...selection }: InsightSelection) {
  const named = shortId === undefined ? db`` : db`and r.short_id = ${shortId}`
  const marked = favorited === undefined ? db`` : db`and r.favorited = ${favorited}`
  return db`${selectedByWords(db, selection)} ${named} ${marked}`
}

/** All insights of a project, hidden ones too. */
export async function countStoredInsights(db: Db, project: ProjectId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from insights where project_id = ${project}`
  return row?.count ?? 0
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

function insightColumns(db: Db) {
  return db`
    r.id, r.short_id as "shortId", r.name, r.description, r.query, r.tags, r.favorited, r.deleted,
    ${changeColumns(db)}`
}

/** @throws {PostgresError} 23505 on `insights_short_id` when the short id is taken. */
export async function insertInsight(
  tx: Db,
  insight: { projectId: ProjectId; shortId: string; author: UserId },
  s: InsightSettings,
): Promise<number> {
  const { projectId, shortId, author } = insight
  const [row] = await tx<{ id: number }[]>`
    insert into insights (project_id, short_id, name, description, query, tags, favorited, deleted,
      created_by, last_modified_by)
    values (${projectId}, ${shortId}, ${s.name}, ${s.description},
      ${jsonText(s.query)}::text::json, ${[...s.tags]}::text[], ${s.favorited}, ${s.deleted},
      ${author}, ${author})
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
    update insights set
      name = ${s.name}, description = ${s.description}, query = ${jsonText(s.query)}::text::json,
      tags = ${[...s.tags]}::text[], favorited = ${s.favorited}, deleted = ${s.deleted},
      last_modified_by = ${user}, last_modified_at = now()
    where id = ${id}`
}

/** Deletes an insight with its tiles on dashboards. */
export async function deleteInsight(tx: Db, id: number): Promise<void> {
  await tx`delete from insights where id = ${id}`
}
