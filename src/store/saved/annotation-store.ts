/** Rows of annotations. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { containing } from '../../postgres/like-patterns.ts'
import {
  assignmentsOf,
  columnsText,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

/** The fields of an annotation that members may write, without the moment. */
export const ANNOTATION_FIELDS = {
  content: field.text(''),
  scope: field.choice('project', 'dashboard', 'insight'),
  dashboard_item: field.nullable<number>(),
  dashboard_id: field.nullable<number>(),
  creation_type: field.choice('USR', 'GIT'),
  deleted: field.boolean(false),
}

export type AnnotationSettings = SettingsOf<typeof ANNOTATION_FIELDS> & {
  /** ISO 8601, microseconds, `Z`. */
  readonly dateMarker: string
}

export type StoredAnnotation = AnnotationSettings & {
  readonly id: number
  /** Null unless the scope is `insight`, or `dashboard`. */
  readonly insightShortId: string | null
  readonly insightName: string | null
  readonly dashboardName: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Null once that user is gone. */
  readonly createdBy: UserSummary | null
}

/** Annotations of a project that are not hidden. */
export type AnnotationSelection = {
  readonly project: ProjectId
  readonly words: readonly string[]
  readonly scope: string | undefined
  /** Moments in UTC: from the first until before the other. */
  readonly from: string | undefined
  readonly before: string | undefined
}

const COLUMNS = columnsText('r', ANNOTATION_FIELDS)
const NAMES = namesText(ANNOTATION_FIELDS)

export async function listAnnotations(
  db: Db,
  selection: AnnotationSelection,
  page: { limit: number; offset: number },
): Promise<StoredAnnotation[]> {
  return await db<StoredAnnotation[]>`
    select ${annotationColumns(db)} where ${selected(db, selection)}
    order by r.date_marker desc, r.id desc limit ${page.limit} offset ${page.offset}`
}

export async function countAnnotations(db: Db, selection: AnnotationSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from annotations r where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { project, words, scope, from, before }: AnnotationSelection) {
  const worded =
    words.length === 0 ? db`` : db`and r.content ilike all (${containing(words)}::text[])`
  const scoped = scope === undefined ? db`` : db`and r.scope = ${scope}`
  const after = from === undefined ? db`` : db`and r.date_marker >= ${from}::text::timestamptz`
  const until = before === undefined ? db`` : db`and r.date_marker < ${before}::text::timestamptz`
  return db`r.project_id = ${project} and not r.deleted ${worded} ${scoped} ${after} ${until}`
}

export async function findAnnotation(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredAnnotation | undefined> {
  const [row] = await db<StoredAnnotation[]>`
    select ${annotationColumns(db)} where r.id = ${id} and r.project_id = ${project}`
  return row
}

/** The columns of a stored annotation, and the tables that they are from. */
function annotationColumns(db: Db) {
  return db`
    r.id, ${db.unsafe(COLUMNS)}, i.short_id as "insightShortId", i.name as "insightName",
    d.name as "dashboardName",
    to_char(r.date_marker at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "dateMarker",
    to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt",
    (select ${userSummary(db)} from users u where u.id = r.created_by) as "createdBy"
    from annotations r
      left join insights i on i.id = r.dashboard_item
      left join dashboards d on d.id = r.dashboard_id`
}

export async function insertAnnotation(
  tx: Db,
  project: ProjectId,
  author: UserId,
  s: AnnotationSettings,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into annotations (project_id, ${tx.unsafe(NAMES)}, date_marker, created_by)
    values (${project}, ${valuesOf(tx, ANNOTATION_FIELDS, s)},
      ${s.dateMarker}::text::timestamptz, ${author})
    returning id`
  if (row === undefined) throw new Error('insert into annotations answered no row')
  return row.id
}

/** Writes every writable field: the caller holds the project's lock and has merged the change in. */
export async function updateAnnotation(tx: Db, id: number, s: AnnotationSettings): Promise<void> {
  await tx`
    update annotations set ${assignmentsOf(tx, ANNOTATION_FIELDS, s)},
      date_marker = ${s.dateMarker}::text::timestamptz, updated_at = now()
    where id = ${id}`
}

export async function deleteAnnotation(tx: Db, id: number): Promise<void> {
  await tx`delete from annotations where id = ${id}`
}
