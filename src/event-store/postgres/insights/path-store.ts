/** Reads the paths that actors take through events. */

import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import type { ActorText } from '../../actor-text.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { ActorPaths, PathEventType, PathOptions } from '../../insight-events.ts'
import { whereOf } from '../reads/selection-sql.ts'
import { actorOf, actorOrder, fromInsightEvents } from './insight-fragments.ts'

const ITEM_LENGTH_MAX = '400'

/**
 * The items that each actor's events are, in order of time.
 * @param types none means all events.
 * @returns what there is too much of to be read.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function itemsByActor(
  db: Db,
  selection: EventSelection,
  types: readonly PathEventType[],
  { eventsMax, itemsMax, isNamed }: PathOptions,
): Promise<ActorPaths | 'too_many_events' | 'too_many_items'> {
  const statement = fragment`
    with read as materialized (
      select (extract(epoch from e.timestamp) * 1000000)::bigint as at, e.uuid, e.distinct_id,
        ${PATH_ITEM} as item
      ${fromInsightEvents(selection, {})}
      where ${whereOf(selection)} and ${isOf(types)}
      limit ${String(eventsMax + 1)}::bigint
    ), names as materialized (
      select i.item, row_number() over () as id from (
        select distinct r.item from read r limit ${String(itemsMax + 1)}::bigint
      ) i
    )
    select n.id::float8 as id, n.item as pairs, 0::float8 as events,
      null::bigint as person_id, null::text as lone from names n
    union all
    select null, string_agg(x.at || ':' || n.id, ' ' order by x.at, x.uuid), count(*)::float8,
      d.person_id, case when d.person_id is null then x.distinct_id end
    from read x join names n on n.item = x.item ${actorOf(selection.project, fragment`x`)}
    group by d.person_id, case when d.person_id is null then x.distinct_id end`
  const named = isNamed
    ? fragment`select a.id, a.pairs, a.events, a.person_id::text as person, a.lone
        from (${statement}) a order by ${actorOrder(fragment`a`)}`
    : fragment`select a.id, a.pairs, a.events from (${statement}) a`
  const rows = await run<ActorText & { id: number | null; events: number }>(db, named, false)
  const names = new Map<number, string>()
  const actors: ActorText[] = []
  let read = 0
  for (const { id, events, ...actor } of rows) {
    read += events
    if (id === null) actors.push(actor)
    else names.set(id, actor.pairs)
  }
  if (read > eventsMax) return 'too_many_events'
  return names.size > itemsMax ? 'too_many_items' : { names, actors }
}

/** Item of an event in a path: its name, or the page or screen that it reports. */
const PATH_ITEM = fragment`left(coalesce(nullif(case e.event
  when '$pageview' then e.properties ->> '$pathname'
  when '$screen' then e.properties ->> '$screen_name'
  end, ''), e.event), ${ITEM_LENGTH_MAX}::integer)`

function isOf(types: readonly PathEventType[]): Fragment {
  if (types.length === 0) return fragment`true`
  const one = types.map((type) =>
    type === 'custom_event' ? fragment`e.event not like '$%'` : fragment`e.event = ${type}`,
  )
  return fragment`(${join(one, 'or')})`
}
