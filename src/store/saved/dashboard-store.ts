/** Rows of dashboards and of their tiles. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
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

/** The fields of a dashboard that members may write, without its tiles. */
export const DASHBOARD_FIELDS = {
  name: field.text(''),
  description: field.text(''),
  tags: field.tags(),
  filters: field.json({}),
  deleted: field.boolean(false),
}

export type DashboardSettings = SettingsOf<typeof DASHBOARD_FIELDS>

const COLUMNS = columnsText('r', DASHBOARD_FIELDS)
const NAMES = namesText(DASHBOARD_FIELDS)

/** Fields of a dashboard in lists. */
export type DashboardItem = StoredChanges &
  Pick<DashboardSettings, 'name' | 'description' | 'tags'> & { readonly id: number }

export type StoredDashboard = DashboardSettings & StoredChanges & { readonly id: number }

/** A tile as it is written: one of the first two is null. */
export type NewTile = {
  readonly insightId: number | null
  readonly body: string | null
  readonly layouts: Json
}

export type StoredTile = {
  readonly body: string | null
  readonly layouts: Json
  /** All null for a text. */
  readonly shortId: string | null
  readonly name: string | null
  readonly query: Json
}

export async function listDashboards(
  db: Db,
  selection: SavedSelection,
  order: SavedOrder,
  page: { limit: number; offset: number },
): Promise<DashboardItem[]> {
  return await db<DashboardItem[]>`
    select r.id, r.name, r.description, r.tags, ${changeColumns(db)} from dashboards r
    where ${selectedByWords(db, selection)}
    order by ${orderedBy(db, order)} limit ${page.limit} offset ${page.offset}`
}

export async function countDashboards(db: Db, selection: SavedSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from dashboards r where ${selectedByWords(db, selection)}`
  return row?.count ?? 0
}

export async function findDashboard(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredDashboard | undefined> {
  const [row] = await db<StoredDashboard[]>`
    select r.id, ${db.unsafe(COLUMNS)}, ${changeColumns(db)}
    from dashboards r where r.id = ${id} and r.project_id = ${project}`
  return row
}

/** Lists tiles in their order, without those of hidden insights. */
export async function listTiles(db: Db, dashboard: number): Promise<StoredTile[]> {
  return await db<StoredTile[]>`
    select t.body, t.layouts, i.short_id as "shortId", i.name, i.query
    from dashboard_tiles t left join insights i on i.id = t.insight_id
    where t.dashboard_id = ${dashboard} and i.deleted is not true order by t.place`
}

/** Ids of insights that are not hidden, by their short ids; those that there are not are left out. */
export async function findInsightIds(
  db: Db,
  project: ProjectId,
  shortIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ id: number; shortId: string }[]>`
    select id, short_id as "shortId" from insights
    where project_id = ${project} and short_id = any (${[...shortIds]}::text[]) and not deleted`
  return new Map(rows.map(({ id, shortId }) => [shortId, id]))
}

export async function insertDashboard(
  tx: Db,
  project: ProjectId,
  author: UserId,
  s: DashboardSettings,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into dashboards (project_id, ${tx.unsafe(NAMES)}, created_by, last_modified_by)
    values (${project}, ${valuesOf(tx, DASHBOARD_FIELDS, s)}, ${author}, ${author})
    returning id`
  if (row === undefined) throw new Error('insert into dashboards answered no row')
  return row.id
}

/** Writes every writable field: the caller holds the project's lock and has merged the change in. */
export async function updateDashboard(
  tx: Db,
  id: number,
  user: UserId,
  s: DashboardSettings,
): Promise<void> {
  await tx`
    update dashboards set ${assignmentsOf(tx, DASHBOARD_FIELDS, s)},
      last_modified_by = ${user}, last_modified_at = now()
    where id = ${id}`
}

/** These tiles take the place of all that there are. */
export async function replaceTiles(
  tx: Db,
  dashboard: number,
  tiles: readonly NewTile[],
): Promise<void> {
  await tx`delete from dashboard_tiles where dashboard_id = ${dashboard}`
  if (tiles.length === 0) return
  await tx`
    insert into dashboard_tiles (dashboard_id, place, insight_id, body, layouts)
    select ${dashboard}, place - 1, insight_id, body, layouts::json
    from unnest(${tiles.map(({ insightId }) => insightId)}::integer[],
      ${tiles.map(({ body }) => body)}::text[],
      ${tiles.map(({ layouts }) => JSON.stringify(layouts))}::text[])
      with ordinality as t (insight_id, body, layouts, place)`
}

/** Deletes a dashboard with its tiles; their insights stay. */
export async function deleteDashboard(tx: Db, id: number): Promise<void> {
  await tx`delete from dashboards where id = ${id}`
}

/** The project has no primary dashboard any more where it was this one. */
export async function clearPrimaryDashboard(
  tx: Db,
  project: ProjectId,
  dashboard: number,
): Promise<void> {
  await tx`
    update projects set primary_dashboard = null, updated_at = now()
    where id = ${project} and primary_dashboard = ${dashboard}`
}
