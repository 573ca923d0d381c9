import type { Sql } from './connect.ts'

/**
 * Sets `volume_30_day` of every event definition from the counters, where it differs. Meant for a
 * loop of a few minutes; two workers that do it at once only do the work twice.
 */
export async function refreshVolumes(sql: Sql): Promise<void> {
  await sql`
    with volume as (
      select project_id, event, sum(count)::bigint as total from event_counts
      where day > (now() at time zone 'UTC')::date - 30
      group by project_id, event
    ), changed as (
      select d.id, coalesce(v.total, 0) as total
      from event_definitions d
      left join volume v on v.project_id = d.project_id and v.event = d.name
      where d.volume_30_day <> coalesce(v.total, 0)
      order by d.project_id, d.name
      for no key update of d
    )
    update event_definitions d set volume_30_day = c.total from changed c where d.id = c.id`
}
