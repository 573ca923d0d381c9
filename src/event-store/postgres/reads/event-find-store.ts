/** One event by its uuid, and the persons that lists are asked about. */
import type { ProjectId } from '../../../core/ids.ts'
import type { QueriedEvent } from '../../../events/ports.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, run } from '../../../postgres/fragment.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { dayOf } from '../renderer/instants.ts'
import { EVENT_COLUMNS } from './event-rows.ts'
import { personOf } from './selection-sql.ts'

/** Finds an event whose day is near the time that its version 7 uuid was made. */
export async function findEventNear(
  db: Db,
  project: ProjectId,
  uuid: string,
  madeAtMicros: string,
): Promise<QueriedEvent | undefined> {
  const day = dayOf(madeAtMicros)
  const statement = fragment`
    select ${EVENT_COLUMNS}
    from (
      select * from events where project_id = ${String(project)}::integer
        and day in (${day} - 1, ${day}, ${day} + 1) and uuid = ${uuid}::uuid limit 1
    ) e ${personOf(project)}`
  const [row] = await run<QueriedEvent>(db, statement, true)
  return row
}

/**
 * Finds an event on any day that has a partition and lies in the project's own span of time, one
 * index probe a day: the unique index begins with project and day. The partitions without end, of
 * very old and very far days, hold little and are searched as a whole.
 */
export async function findEventAnywhere(
  db: Db,
  project: ProjectId,
  uuid: string,
): Promise<QueriedEvent | undefined> {
  const id = fragment`${String(project)}::integer`
  const edge = (order: Fragment) => fragment`(
    select (e.timestamp at time zone 'UTC')::date from events e
    where e.project_id = ${id} order by e.timestamp ${order} limit 1)`
  const statement = fragment`
    with bounds as (
      select pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass
    ), partitions as (
      select substring(bound from 'FROM [(]''([0-9-]+)''[)]')::date as first,
        substring(bound from 'TO [(]''([0-9-]+)''[)]')::date as next
      from bounds
    ), span as (
      select ${edge(fragment`asc`)} as first, ${edge(fragment`desc`)} as last
    ), days as (
      select generate_series(greatest(p.first, s.first), least(p.next - 1, s.last),
        interval '1 day')::date as day
      from partitions p, span s where p.first is not null and p.next is not null
    ), hit as (
      select e.* from days d cross join lateral (
        select * from events e
        where e.project_id = ${id} and e.day = d.day and e.uuid = ${uuid}::uuid
      ) e
      union all
      select e.* from partitions p join events e
        on e.project_id = ${id} and e.uuid = ${uuid}::uuid
          and e.day >= coalesce(p.first, '-infinity') and e.day < coalesce(p.next, 'infinity')
      where p.first is null or p.next is null
      limit 1
    )
    select ${EVENT_COLUMNS} from hit e ${personOf(project)}`
  const [row] = await run<QueriedEvent>(db, statement, true)
  return row
}

/** Id of a person by its number or UUID, as decimal text. */
export async function findPersonId(
  db: Db,
  project: ProjectId,
  by: { id: string } | { uuid: string },
): Promise<string | undefined> {
  const [row] =
    'uuid' in by
      ? await db<{ id: string }[]>`select id::text as id from persons
          where project_id = ${project} and uuid = ${by.uuid}::text::uuid`
      : await db<{ id: string }[]>`select id::text as id from persons
          where id = ${by.id}::text::bigint and project_id = ${project}`
  return row?.id
}

/**
 * Distinct ids of the persons that `where` holds for, as many as `limit`, in no order.
 * @param where asks of persons alone.
 */
export async function findOwners(
  db: Db,
  project: ProjectId,
  where: FilterNode,
  limit: number,
): Promise<string[]> {
  const statement = fragment`
    select d.distinct_id as "distinctId" from persons p join distinct_ids d on d.person_id = p.id
    where p.project_id = ${String(project)}::integer and ${filterSql(where, project)} limit ${String(limit)}::bigint`
  const rows = await run<{ distinctId: string }>(db, statement, false)
  return rows.map(({ distinctId }) => distinctId)
}
