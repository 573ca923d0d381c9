/** Events as they are read, and the parts of a statement that fetch them. */
import type { ProjectId } from '../../../core/ids.ts'
import type { EventOrder, QueriedEvent } from '../../../events/ports.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { orderOf } from './selection-sql.ts'

/**
 * `rowsOfPage` counts those that were left out for their bytes too. The only row of a page without
 * events has a null for `uuid`.
 */
export type PagedEvent = Omit<QueriedEvent, 'uuid'> & {
  readonly uuid: string | null
  readonly rowsOfPage: number
}

/** The events among the rows of a page. */
export function eventsAmong(rows: readonly PagedEvent[]): readonly (PagedEvent & QueriedEvent)[] {
  return rows.filter((row): row is PagedEvent & QueriedEvent => row.uuid !== null)
}

/** Columns of `e` that `pageColumns` needs of its rows. */
export const ROW_COLUMNS = fragment`
  e.uuid, e.event, e.distinct_id, e.properties, e.elements_chain, e.timestamp`

/** Bounds of a page, which a single event may exceed. */
export type PageBounds = {
  /** Bytes as text, elements counted for both their forms, with what is shown of persons. */
  readonly bytesMax: number
  /** Bytes of what is shown of persons, of each for every one of its events. */
  readonly personBytesMax: number
}

/**
 * Reads the events of `rows` in order, as many as fit the bounds but at least one, each with its
 * person. The shown part of a person counts once for each of its events. Sizes are computed first,
 * and texts only for what is returned, once per person. Persons are looked up one by one:
 * `offset 0` leaves the planner no other way.
 * @param rows in brackets: at most the rows of a page, with `ROW_COLUMNS`.
 * @param kind `whole` returns all events or none: `uuid` of the only row is null then.
 */
export function pageWithin(
  project: ProjectId,
  rows: Fragment,
  order: EventOrder,
  { bytesMax, personBytesMax }: PageBounds,
  kind: 'whole' | 'part',
): Fragment {
  const max = fragment`${String(bytesMax)}::bigint`
  const isWhole = kind === 'whole' ? fragment`t.fitting = t.rows` : fragment`true`
  return fragment`
    with sized as materialized (
      select r.*, row_number() over w as place, count(*) over () as rows,
        sum(${SIZE_OF_ROW}) over w as bytes
      from ${rows} r
      window w as (order by ${orderOf(order, fragment`r`)} rows unbounded preceding)
    ), kept as materialized (
      select * from sized e where e.place = 1 or e.bytes <= ${max}
    ), owners as materialized (
      select c.distinct_id, o.id, o.bytes
      from (select distinct k.distinct_id from kept k) c
      cross join lateral (
        select p.id, ${SIZE_OF_PERSON} as bytes
        from distinct_ids d join persons p on p.id = d.person_id
        where d.project_id = ${String(project)}::integer and d.distinct_id = c.distinct_id offset 0
      ) o
    ), reach as materialized (
      select k.place, o.id, k.bytes, sum(coalesce(o.bytes, 0)) over (order by k.place) as shown
      from kept k left join owners o on o.distinct_id = k.distinct_id
    ), fitting as materialized (
      select r.place, r.id from reach r where r.place = 1
        or r.bytes + r.shown <= ${max} and r.shown <= ${String(personBytesMax)}::bigint
    ), total as materialized (
      select (select count(*) from fitting) as fitting, (select count(*) from sized) as rows
    ), people as materialized (
      select c.id, o.person
      from (select distinct f.id from fitting f, total t where f.id is not null and ${isWhole}) c
      cross join lateral (select ${PERSON} as person from persons p where p.id = c.id offset 0) o
    )
    select ${columnsWith(fragment`o.person`)}, t.rows::integer as "rowsOfPage"
    from total t
    left join (fitting f join kept e on e.place = f.place left join people o on o.id = f.id)
      on ${isWhole}
    order by e.place`
}

/** Size of row `r`: texts as they are sent, elements for both their forms. */
const SIZE_OF_ROW = fragment`octet_length(r.properties::text) + 4 * octet_length(r.elements_chain)
  + octet_length(r.event) + octet_length(r.distinct_id)`

const SHOWN_PROPERTIES = fragment`array['email', 'name', 'username']`
/** Names of members, the ids, and a distinct id of the usual length. */
const PERSON_FRAME_BYTES = 300

/** JSON of person `p`, with the properties that events show. */
export const PERSON = fragment`json_build_object(
  'id', p.id, 'uuid', p.uuid, 'is_identified', p.is_identified,
  'distinct_ids', json_build_array(
    (select i.distinct_id from distinct_ids i where i.person_id = p.id limit 1)),
  'properties', (
    select coalesce(jsonb_object_agg(k, p.properties -> k), '{}')
    from unnest(${SHOWN_PROPERTIES}) k where jsonb_exists(p.properties, k))
)::text`

/** Bytes of what events show of person `p`, and a little more for names of members. */
export const SIZE_OF_PERSON = fragment`(${String(PERSON_FRAME_BYTES)}::integer + (
  select coalesce(sum(octet_length((p.properties -> k)::text)), 0)
  from unnest(${SHOWN_PROPERTIES}) k where jsonb_exists(p.properties, k)))`

/** Columns of event `e` with its person `p`. */
export const EVENT_COLUMNS = columnsWith(fragment`case when p.id is not null then ${PERSON} end`)

function columnsWith(person: Fragment): Fragment {
  return fragment`e.uuid, e.event, e.distinct_id as "distinctId",
    e.properties::text as properties, e.elements_chain as "elementsChain",
    (extract(epoch from e.timestamp) * 1000000)::bigint::text as micros, ${person} as person`
}
