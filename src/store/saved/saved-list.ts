/** Shared parts of lists of saved insights and of dashboards. */
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { containing } from '../../postgres/like-patterns.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

/** Authors of a row: who made and last changed it, and when. */
export type StoredChanges = {
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly lastModifiedAt: string
  /** Null once that user is gone. */
  readonly createdBy: UserSummary | null
  readonly lastModifiedBy: UserSummary | null
}

/** Rows of a project that are not hidden. */
export type SavedSelection = {
  readonly project: ProjectId
  /** Each is in the name, the description or a tag, whatever the case; none selects all. */
  readonly words: readonly string[]
}

export const SAVED_ORDERS = [
  'name',
  '-name',
  'created_at',
  '-created_at',
  'last_modified_at',
  '-last_modified_at',
] as const
export type SavedOrder = (typeof SAVED_ORDERS)[number]

/** Condition on the table that the statement calls `r`. */
export function selectedByWords(db: Db, { project, words }: SavedSelection) {
  const texts = db`concat_ws(' ', r.name, r.description, array_to_string(r.tags, ' '))`
  const named =
    words.length === 0 ? db`` : db`and ${texts} ilike all (${containing(words)}::text[])`
  return db`r.project_id = ${project} and not r.deleted ${named}`
}

/** All rows of a project, hidden ones too. */
export async function countStored(
  db: Db,
  table: 'annotations' | 'dashboards' | 'insights',
  project: ProjectId,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from ${db.unsafe(table)} where project_id = ${project}`
  return row?.count ?? 0
}

/** Order of the table that the statement calls `r`. Ties go by id, in the same direction. */
export function orderedBy(db: Db, order: SavedOrder) {
  switch (order) {
    case 'name':
      return db`r.name, r.id`
    case '-name':
      return db`r.name desc, r.id desc`
    case 'created_at':
      return db`r.created_at, r.id`
    case '-created_at':
      return db`r.created_at desc, r.id desc`
    case 'last_modified_at':
      return db`r.last_modified_at, r.id`
    case '-last_modified_at':
      return db`r.last_modified_at desc, r.id desc`
    default:
      return order satisfies never
  }
}

/** Columns of `StoredChanges` for the table that the statement calls `r`. */
export function changeColumns(db: Db) {
  return db`
    (select ${userSummary(db)} from users u where u.id = r.created_by) as "createdBy",
    (select ${userSummary(db)} from users u where u.id = r.last_modified_by) as "lastModifiedBy",
    to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(r.last_modified_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "lastModifiedAt"`
}

/**
 * Locks a project until the transaction ends, so that changes of its insights and dashboards are
 * serialised, and none meets the removal of the project half-way.
 * @returns false when the project is gone.
 */
export async function lockSaved(tx: Db, project: ProjectId): Promise<boolean> {
  const rows = await tx`select from projects where id = ${project} for no key update`
  return rows.length > 0
}
