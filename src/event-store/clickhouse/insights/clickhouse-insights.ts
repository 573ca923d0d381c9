/** The events in ClickHouse, as questions ask for them. */

import { textsIn } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { type Fragment, fragment, join, wholeNumbers } from '../../../postgres/fragment.ts'
import type { ActorText } from '../../actor-text.ts'
import type { EventSelection } from '../../event-selection.ts'
import type {
  ActorPaths,
  OpenInsightEvents,
  PathEventType,
  PathOptions,
} from '../../insight-events.ts'
import { memberText } from '../renderer/json-member.ts'
import { type Asking, type ColumnsRead, createAsking } from './asking.ts'
import { actorOf, actorsBehind, eventsByActor } from './column-actors.ts'
import { bucketsByActor } from './column-buckets.ts'
import { ACTOR } from './column-fragments.ts'
import { countInOnePass } from './column-passes.ts'
import { personsOfIds, sessionEvents } from './column-sessions.ts'
import { countTrend, firstEventMs, rollingActors, topValues } from './column-trends.ts'

const ITEM_LENGTH_MAX = 400

/**
 * Several statements of one question read the same blocks if there is a snapshot block, less events
 * that are removed meanwhile. Owners of distinct ids are those that ClickHouse has when each
 * statement runs.
 */
export function clickhouseInsights(columns: ColumnsRead): OpenInsightEvents {
  return (db, leftMs, signal) => {
    const asking = createAsking(columns, db, leftMs, signal)
    return {
      store: 'clickhouse',
      countTrend: (read, measure, parts) => countTrend(asking, read, measure, parts),
      rollingActors: (read, days, parts) => rollingActors(asking, read, days, parts),
      topValues: (read, source, limit) => topValues(asking, read, source, limit),
      firstEventMs: (read) => firstEventMs(asking, read),
      countInOnePass: (read, parts) => countInOnePass(asking, read, parts),
      eventsByActor: (read, roles, options) => eventsByActor(asking, read, roles, options),
      bucketsByActor: (read, roles, edges, named) =>
        bucketsByActor(asking, read, roles, edges, named),
      itemsByActor: (read, types, options) => itemsByActor(asking, read, types, options),
      sessionEvents: (read, roles, options) => sessionEvents(asking, read, roles, options),
      personsOfIds: (project, idsMax) => personsOfIds(asking, project, idsMax),
      actorsBehind: (project, numbers, page) => actorsBehind(asking, project, numbers, page),
    }
  }
}

/** Reads the paths that actors take through events, in ClickHouse. */
async function itemsByActor(
  asking: Asking,
  selection: EventSelection,
  types: readonly PathEventType[],
  { eventsMax, itemsMax, isNamed }: PathOptions,
): Promise<ActorPaths | 'too_many_events' | 'too_many_items'> {
  const { from } = await asking.prepare(selection, { readsActors: true })
  const where = fragment`${from} and ${isOf(types)}`
  const bound = wholeNumbers([itemsMax + 1])
  // Both parts have the same list: it is sorted, and cut only where the answer is refused.
  const rows = await asking.rows(fragment`
    with (select arraySort(groupArray(item)) from (
      select distinct ${PATH_ITEM} as item ${where} limit ${bound}
    )) as names
    select toJSONString(names), 0 as person, '' as lone, -1 as events
    union all
    select arrayStringConcat(arrayMap(x -> concat(toString(x.1), ':', toString(x.3)),
      arraySort(groupArray((at, id, number)))), ' '), person, lone, toInt64(count()) as events
    from (
      select ${ACTOR}, e.timestamp_us as at, UUIDToNum(e.uuid) as id,
        transform(${PATH_ITEM}, names, arrayEnumerate(names), 0) as number
      ${where} limit ${wholeNumbers([eventsMax + 1])}
    ) group by person, lone
    order by events >= 0, person = 0, person, lone`)
  const names = new Map<number, string>()
  const actors: ActorText[] = []
  let read = 0
  for (const row of rows) {
    const [first, , , events] = row
    if (Number(events) < 0) {
      for (const [index, name] of textsIn(parseJson(String(first))).entries()) {
        names.set(index + 1, name)
      }
      continue
    }
    read += Number(events)
    actors.push(actorOf(row, isNamed))
  }
  if (read > eventsMax) return 'too_many_events'
  return names.size > itemsMax ? 'too_many_items' : { names, actors }
}

/** Item of an event in a path: its name, or the page or screen that it reports. */
const PATH_ITEM = fragment`leftUTF8(coalesce(nullIf(multiIf(
  e.event = '$pageview', ${memberText(fragment`e.properties`, '$pathname')},
  e.event = '$screen', ${memberText(fragment`e.properties`, '$screen_name')}, null), ''),
  toString(e.event)), ${wholeNumbers([ITEM_LENGTH_MAX])})`

function isOf(types: readonly PathEventType[]): Fragment {
  if (types.length === 0) return fragment`true`
  const one = types.map((type) =>
    type === 'custom_event' ? fragment`not startsWith(e.event, '$')` : fragment`e.event = ${type}`,
  )
  return fragment`(${join(one, 'or')})`
}
