/** Events as they are read, and the parts of a statement that fetch them. */
import type { ProjectId } from '../../core/ids.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'
import { type EventOrder, orderOf } from './event-selection.ts'

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

/** `rowsOfPage` counts those that were left out for their bytes too. */
export type PagedEvent = QueriedEvent & { readonly rowsOfPage: number }

/** Columns of `e` that `pageColumns` needs of its rows. */
export const ROW_COLUMNS = fragment`
  e.uuid, e.event, e.distinct_id, e.properties, e.elements_chain, e.timestamp`

/**
 * The events of `rows`, in order, as far as `bytesMax` reaches but one at least, each with its
 * person. Texts are made once, of the rows of the page alone, and persons looked up for them alone:
 * `offset 0` leaves the planner no other way.
 * @param rows in brackets: at most the rows of a page, with `ROW_COLUMNS`.
 */
export function pageWithin(
  project: ProjectId,
  rows: Fragment,
  order: EventOrder,
  bytesMax: number,
): Fragment {
  return fragment`
    select ${columnsWith(fragment`o.person`)}, e.rows::integer as "rowsOfPage"
    from (
      select t.*, count(*) over () as rows, row_number() over w as place,
        sum(octet_length(t.properties) + 4 * octet_length(t.elements_chain)) over w as bytes
      from (
        select r.uuid, r.event, r.distinct_id, r.properties::text as properties, r.elements_chain,
          r.timestamp
        from ${rows} r offset 0
      ) t
      window w as (order by ${orderOf(order, fragment`t`)} rows unbounded preceding)
    ) e
    left join lateral (
      select ${PERSON} as person from distinct_ids d join persons p on p.id = d.person_id
      where d.project_id = ${String(project)}::integer and d.distinct_id = e.distinct_id offset 0
    ) o on true
    where e.place = 1 or e.bytes <= ${String(bytesMax)}::bigint
    order by e.place`
}

/** Of `e`, and of `p` when the person is wanted. */
export function eventColumns(withPerson: boolean): Fragment {
  if (!withPerson) return columnsWith(fragment`null`)
  return columnsWith(fragment`case when p.id is not null then ${PERSON} end`)
}

/** Of `p`: no more than what events show of their person. */
const PERSON = fragment`json_build_object(
  'is_identified', p.is_identified,
  'distinct_ids', json_build_array(
    (select i.distinct_id from distinct_ids i where i.person_id = p.id limit 1)),
  'properties', (
    select coalesce(jsonb_object_agg(k, p.properties -> k), '{}')
    from unnest(array['email', 'name', 'username']) k where jsonb_exists(p.properties, k))
)::text`

function columnsWith(person: Fragment): Fragment {
  return fragment`e.uuid, e.event, e.distinct_id as "distinctId",
    e.properties::text as properties, e.elements_chain as "elementsChain",
    (extract(epoch from e.timestamp) * 1000000)::bigint::text as micros, ${person} as person`
}
