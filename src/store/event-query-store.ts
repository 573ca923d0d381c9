import type { ProjectId } from '../core/ids.ts'
import type { Db } from './db.ts'
import { type Fragment, fragment, join, render } from './fragment.ts'

/** An event as lists and retrieval read it. JSON and times are texts. */
export type QueriedEvent = {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: string
  readonly elementsChain: string
  /** Microseconds since the epoch, decimal. */
  readonly micros: string
  readonly person: string | null
}

/** Which events of a project; bounds are exclusive, microseconds since 1970 as decimal text. */
export type EventSelection = {
  readonly project: ProjectId
  readonly before: string
  readonly after: string | undefined
  readonly event: string | undefined
  readonly distinctId: string | undefined
  readonly personId: string | undefined
  /** Over `e`, and over `p` when `needsPerson`. */
  readonly where: Fragment | undefined
  readonly needsPerson: boolean
}

export type EventPage = {
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly offset: number
  /** Bytes as text, elements counted for both their forms. */
  readonly bytesMax: number
  /** Few rows match: gather them all and sort, instead of walking the order until they turn up. */
  readonly isSparse: boolean
}

/**
 * Exact, by reading every row that matches.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function countEvents(db: Db, selection: EventSelection): Promise<number> {
  const statement = fragment`
    select count(*)::float8 as count ${fromEvents(selection)} where ${whereOf(selection)}`
  return await oneCount(db, statement, selection.where === undefined)
}

/**
 * Exact, from the counters kept by the insert: whole days, less what lies outside the bounds on the
 * first and the last day. Selections by time and event only.
 */
export async function countEventsByCounters(db: Db, s: EventSelection): Promise<number> {
  const project = fragment`${String(s.project)}::integer`
  const named = (alias: Fragment) =>
    s.event === undefined ? fragment`true` : fragment`${alias}.event = ${s.event}`
  const from = s.after === undefined ? fragment`true` : fragment`c.day >= ${dayOf(s.after)}`
  const early =
    s.after === undefined
      ? fragment`0`
      : fragment`(select count(*) from events e where e.project_id = ${project}
          and e.day = ${dayOf(s.after)} and e.timestamp <= ${instant(s.after)}
          and ${named(fragment`e`)})`
  const statement = fragment`
    select (
      (select coalesce(sum(c.count), 0) from event_counts c
        where c.project_id = ${project} and c.day <= ${dayOf(s.before)} and ${from}
          and ${named(fragment`c`)})
      - (select count(*) from events e where e.project_id = ${project}
          and e.day = ${dayOf(s.before)} and e.timestamp >= ${instant(s.before)}
          and ${named(fragment`e`)})
      - ${early}
    )::float8 as count`
  return await oneCount(db, statement, true)
}

/**
 * One page: the rows are picked by time first, and persons are looked up for those rows only. What
 * is more than `bytesMax` is not fetched, but for one event alone.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function pageOfEvents(
  db: Db,
  selection: EventSelection,
  page: EventPage,
): Promise<QueriedEvent[] | 'too_large'> {
  // Exactly reversed, so that one index serves both.
  const order = (alias: Fragment) =>
    page.order === 'newest'
      ? fragment`${alias}.timestamp desc, ${alias}.uuid`
      : fragment`${alias}.timestamp, ${alias}.uuid desc`
  const hits = fragment`
    select e.uuid, e.event, e.distinct_id, e.properties, e.elements_chain, e.timestamp
    ${fromEvents(selection)} where ${whereOf(selection)}`
  // `offset 0` keeps the planner from pulling the filter up into the ordered walk.
  const source = page.isSparse
    ? fragment`(select h.* from (${hits} offset 0) h order by ${order(fragment`h`)}`
    : fragment`(${hits} order by ${order(fragment`e`)}`
  const rows = fragment`${source} limit ${String(page.limit)}::bigint
    offset ${String(page.offset)}::bigint)`
  const statement = fragment`
    select ${eventColumns(true)}, e.rows::integer as "rowsOfPage"
    from (
      select r.*, count(*) over () as rows, row_number() over w as place,
        sum(octet_length(r.properties::text) + 4 * octet_length(r.elements_chain)) over w as bytes
      from ${rows} r
      window w as (order by ${order(fragment`r`)} rows unbounded preceding)
    ) e
    ${personOf(selection.project)}
    where e.place = 1 or e.bytes <= ${String(page.bytesMax)}::bigint
    order by e.place`
  const fixed = selection.where === undefined
  const events = await run<QueriedEvent & { rowsOfPage: number }>(db, statement, fixed)
  return events.length < (events[0]?.rowsOfPage ?? 0) ? 'too_large' : events
}

/** Finds an event whose day is near the time that its version 7 uuid was made. */
export async function findEventNear(
  db: Db,
  project: ProjectId,
  uuid: string,
  madeAtMicros: string,
  withPerson: boolean,
): Promise<QueriedEvent | undefined> {
  const day = dayOf(madeAtMicros)
  const statement = fragment`
    select ${eventColumns(withPerson)}
    from (
      select * from events where project_id = ${String(project)}::integer
        and day in (${day} - 1, ${day}, ${day} + 1) and uuid = ${uuid}::uuid limit 1
    ) e ${withPerson ? personOf(project) : fragment``}`
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
  withPerson: boolean,
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
    select ${eventColumns(withPerson)} from hit e ${withPerson ? personOf(project) : fragment``}`
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

function eventColumns(withPerson: boolean): Fragment {
  const person = withPerson
    ? fragment`case when p.id is not null then json_build_object(
        'is_identified', p.is_identified,
        'distinct_ids', json_build_array(
          (select i.distinct_id from distinct_ids i where i.person_id = p.id limit 1)),
        'properties', (
          select coalesce(jsonb_object_agg(k, p.properties -> k), '{}')
          from unnest(array['email', 'name', 'username']) k where jsonb_exists(p.properties, k))
      )::text end`
    : fragment`null`
  return fragment`e.uuid, e.event, e.distinct_id as "distinctId",
    e.properties::text as properties, e.elements_chain as "elementsChain",
    (extract(epoch from e.timestamp) * 1000000)::bigint::text as micros, ${person} as person`
}

function personOf(project: ProjectId): Fragment {
  return fragment`
    left join distinct_ids d
      on d.project_id = ${String(project)}::integer and d.distinct_id = e.distinct_id
    left join persons p on p.id = d.person_id`
}

function fromEvents(selection: EventSelection): Fragment {
  return selection.needsPerson
    ? fragment`from events e ${personOf(selection.project)}`
    : fragment`from events e`
}

/** Bounds on the day beside those on the time: partitions are pruned by the day alone. */
function whereOf(s: EventSelection): Fragment {
  const project = fragment`${String(s.project)}::integer`
  const parts = [
    fragment`e.project_id = ${project}`,
    fragment`e.timestamp < ${instant(s.before)} and e.day <= ${dayOf(s.before)}`,
  ]
  if (s.after !== undefined) {
    parts.push(fragment`e.timestamp > ${instant(s.after)} and e.day >= ${dayOf(s.after)}`)
  }
  if (s.event !== undefined) parts.push(fragment`e.event = ${s.event}`)
  if (s.distinctId !== undefined) parts.push(fragment`e.distinct_id = ${s.distinctId}`)
  if (s.personId !== undefined) {
    parts.push(fragment`e.distinct_id in (select i.distinct_id from distinct_ids i
      where i.project_id = ${project} and i.person_id = ${s.personId}::bigint)`)
  }
  if (s.where !== undefined) parts.push(s.where)
  return join(parts, 'and')
}

/** Bound as a number: Postgres reads no year 0000, and the driver would cut microseconds. */
function instant(micros: string): Fragment {
  return fragment`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
}

function dayOf(micros: string): Fragment {
  return fragment`(${instant(micros)} at time zone 'UTC')::date`
}

async function oneCount(db: Db, statement: Fragment, isFixedShape: boolean): Promise<number> {
  const [row] = await run<{ count: number }>(db, statement, isFixedShape)
  return row?.count ?? 0
}

/**
 * `unsafe` is the driver's name for a statement given as text: ours is text of our own source and
 * `$n` only, see `fragment.ts`. Shapes that clients choose are not kept as prepared statements, of
 * which each connection would pile up without end.
 */
async function run<Row extends object>(
  db: Db,
  statement: Fragment,
  isFixedShape: boolean,
): Promise<Row[]> {
  const { text, values } = render(statement)
  return await db.unsafe<Row[]>(text, [...values], { prepare: isFixedShape })
}
