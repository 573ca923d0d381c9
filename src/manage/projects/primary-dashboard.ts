/** The dashboard that a project shows first. */
import { unknownObject } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../store/pool/db.ts'
import { hasDashboard } from '../../store/saved/dashboard-store.ts'

/**
 * Under the lock of the project, which removals of its dashboards wait for.
 * @throws {AppError} `invalid_argument` of a dashboard that the project has not, or hides.
 */
export async function requirePrimaryDashboard(
  tx: Db,
  project: ProjectId,
  wanted: number | null,
): Promise<void> {
  if (wanted === null || (await hasDashboard(tx, project, wanted))) return
  throw unknownObject(wanted, 'primary_dashboard')
}
