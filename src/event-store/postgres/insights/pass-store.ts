/** Counts the same events in several ways with one pass over them. */

import type { Db } from '../../../postgres/db.ts'
import { commas, type Fragment, fragment, numbered, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { BreakdownSource, PassPart, PassRow } from '../../insight-events.ts'
import { whereOf } from '../reads/selection-sql.ts'
import { actorOf, breakdownText, bucketOf, fromInsightEvents } from './insight-fragments.ts'

/**
 * Rows by part. One part is a statement over the events; several parts read a copy of the few
 * columns that they need. A part of values has one row more than its `cellsMax` when it has more.
 * @param joins the breakdown whose value is not in the event itself, shared by all parts of values.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function countInOnePass(
  db: Db,
  selection: EventSelection,
  parts: readonly PassPart[],
  joins: BreakdownSource | undefined,
): Promise<readonly (readonly PassRow[])[]> {
  const grids = [...new Map(parts.map(({ edges }) => [edges.join(), edges])).values()]
  const gridOf = ({ edges }: PassPart) => grids.findIndex((grid) => grid.join() === edges.join())
  const columns = [
    ...grids.map((edges, place) => fragment`${bucketOf(edges)} as ${numbered('key', place)}`),
    ...parts.map((part, place) => fragment`${columnOf(part)} as ${numbered('part', place)}`),
  ]
  const [first, ...others] = parts.map((part, place) =>
    rowsOf(selection, part, place, numbered('key', gridOf(part))),
  )
  if (first === undefined) return []
  const statement = fragment`
    with events_read as (
      select ${commas(columns)}
      ${fromInsightEvents(selection, { breakdown: joins })} where ${whereOf(selection)}
    )
    select * from (${first}) first_part
    ${others.reduce((all, part) => fragment`${all} union all (${part})`, fragment``)}`
  const rows = await run<PassRow>(db, statement, false)
  const byPart = parts.map((): PassRow[] => [])
  for (const row of rows) byPart[row.part]?.push(row)
  return byPart
}

function columnOf(part: PassPart): Fragment {
  if (part.kind === 'values') return breakdownText(part.source)
  if (part.of === 'actors') return fragment`e.distinct_id`
  return fragment`nullif(e.properties ->> '$session_id', '')`
}

function rowsOf(
  selection: EventSelection,
  part: PassPart,
  place: number,
  bucket: Fragment,
): Fragment {
  const column = numbered('part', place)
  const own = fragment`${String(place)}::integer as part`
  if (part.kind === 'values') {
    return fragment`
      select ${own}, r.${bucket} - 1 as bucket, r.${column} as value, count(*)::float8 as number
      from events_read r group by 2, 3 limit ${String(part.cellsMax + 1)}::bigint`
  }
  const different = fragment`
    select distinct r.${bucket} as bucket, r.${column} as item from events_read r
    where r.${column} is not null`
  return fragment`
    with members as materialized (
      ${part.of === 'actors' ? actorsIn(selection, different) : sessionsIn(different)}
    )
    select ${own}, m.bucket - 1 as bucket,
      case when (select count(*) from members) <= ${String(part.listedMax)}::bigint
        then json_agg(m.member)::text end as value,
      count(*)::float8 as number
    from members m group by 2
    union all
    select ${own}, null::integer, null::text, count(*)::float8
    from (select distinct member from members) m`
}

/** See `PassRow` for the names. */
function actorsIn(selection: EventSelection, ids: Fragment): Fragment {
  return fragment`
    select distinct x.bucket,
      coalesce('p' || d.person_id::text, 'd' || x.item) as member
    from (select i.bucket, i.item, i.item as distinct_id from (${ids}) i) x
    ${actorOf(selection.project, fragment`x`)}`
}

function sessionsIn(sessions: Fragment): Fragment {
  return fragment`
    select x.bucket, ${sessionName(fragment`x.item`)} as member from (${sessions}) x`
}

/** Name of a session; long ones are hashed. Different texts have different names. */
function sessionName(text: Fragment): Fragment {
  return fragment`case when length(${text}) <= 64 then 's' || ${text}
    else 'S' || encode(sha256(convert_to(${text}, 'UTF8')), 'base64') end`
}
