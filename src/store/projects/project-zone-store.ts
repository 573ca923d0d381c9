import type { ProjectId } from '../../core/ids.ts'
import { type Zone, zoneOrUtc } from '../../core/time/zone.ts'
import type { Db } from '../pool/db.ts'

/** The zone of a project; UTC of one that is gone. */
export async function loadZone(db: Db, project: ProjectId): Promise<Zone> {
  const [row] = await db<{ timezone: string }[]>`
    select timezone from projects where id = ${project}`
  return zoneOrUtc(row?.timezone ?? 'UTC')
}
