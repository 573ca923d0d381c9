/** Rules that saved insights and dashboards share. */
import { invalid, notFound, unknownObject } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { findDashboard, type StoredDashboard } from '../../store/saved/dashboard-store.ts'
import { findInsight, type StoredInsight } from '../../store/saved/saved-insight-store.ts'
import { lockSaved } from '../../store/saved/saved-list.ts'

/**
 * One change, after and before all others of the project's insights and dashboards.
 * @throws {AppError} `not_found` when the project is gone.
 */
export async function beginSaved<T>(
  sql: Sql,
  project: ProjectId,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  return await sql.begin(async (tx) => {
    if (!(await lockSaved(tx, project))) throw notFound('Project not found.')
    return await change(tx)
  })
}

/** @throws {AppError} `invalid_argument` when the JSON text is longer. */
export function requireBytes(json: Json, bytesMax: number, attr: string): void {
  if (Buffer.byteLength(JSON.stringify(json)) <= bytesMax) return
  throw invalid(`Must have at most ${bytesMax} bytes of JSON.`, attr, 'max_length')
}

/** Call it under the project's lock. @throws {AppError} `invalid_argument` at the bound. */
export async function requireRoom(
  count: Promise<number>,
  most: number,
  things: string,
): Promise<void> {
  if ((await count) < most) return
  throw invalid(`A project has at most ${most} ${things}: delete one first.`, null)
}

/** @throws {AppError} `invalid_argument` of an insight that is not there, or hidden. */
export async function requireInsight(
  tx: Db,
  project: ProjectId,
  id: number,
): Promise<StoredInsight> {
  const insight = await findInsight(tx, project, { kind: 'id', id })
  if (insight === undefined || insight.deleted) throw unknownObject(id, 'insight')
  return insight
}

/** @throws {AppError} `invalid_argument` of a dashboard that is not there, or hidden. */
export async function requireDashboard(
  tx: Db,
  project: ProjectId,
  id: number,
): Promise<StoredDashboard> {
  const dashboard = await findDashboard(tx, project, id)
  if (dashboard === undefined || dashboard.deleted) throw unknownObject(id, 'dashboard')
  return dashboard
}
