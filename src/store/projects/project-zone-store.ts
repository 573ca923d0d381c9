import type { ProjectId } from '../../core/ids.ts'
import { type WeekStartDay, withWeeks, type Zone, zoneOrUtc } from '../../core/time/zone.ts'
import type { Db } from '../../postgres/db.ts'

/** The zone of a project with its weeks; UTC of one that is gone. */
export async function loadZone(db: Db, project: ProjectId): Promise<Zone> {
  const [row] = await db<{ timezone: string; weekStartDay: WeekStartDay }[]>`
    select timezone, week_start_day as "weekStartDay" from projects where id = ${project}`
  return withWeeks(zoneOrUtc(row?.timezone ?? 'UTC'), row?.weekStartDay ?? 1)
}
