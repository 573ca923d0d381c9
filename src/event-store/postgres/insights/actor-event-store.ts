/** Reads the events of each actor in order, as what they may be in a question. */
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import { type Fragment, fragment, join, run } from '../../../postgres/fragment.ts'
import { type ActorText, ITEM_BYTES, type Packing, packingOf } from '../../actor-text.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { ActorEventOptions, ActorsRead, EventRole } from '../../insight-events.ts'
import { whereOf } from '../reads/selection-sql.ts'
import { cohortsOnce, filterWith, type MemberOf } from '../renderer/filter-sql.ts'
import { instant } from '../renderer/instants.ts'
import {
  actorIdOf,
  actorOf,
  actorOrder,
  bucketOf,
  fromInsightEvents,
  shownPlace,
} from './insight-fragments.ts'

/**
 * The times, in microseconds since the epoch, and bits of roles of each actor's events, in order.
 * @returns the actors, to be walked once or more; `too_many` when there are more events than
 * `eventsMax`.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function eventsByActor(
  db: Db,
  selection: EventSelection,
  roles: readonly EventRole[],
  { keepsOthers, eventsMax, isBounded, breakdown, isNamed, groups }: ActorEventOptions,
): Promise<Iterable<ActorText> | 'too_many'> {
  const needsPerson = roles.some((role) => role.needsPerson)
  const bits = maskOf(selection.project, roles)
  const place = breakdown && shownPlace(breakdown.source, breakdown.shown)
  const where = keepsOthers ? fragment`true` : anyOf(selection.project, roles)
  const packing = place === undefined ? packingOf(selection, roles.length) : undefined
  const mask = place === undefined ? bits : fragment`(${bits}) || ':' || (${place})`
  const bound = isBounded ? fragment`` : fragment`limit ${String(eventsMax + 1)}::bigint`
  const events = (columns: Fragment) => fragment`
    select ${columns}, ${actorIdOf(selection.project, groups)} as distinct_id
    ${fromInsightEvents(selection, { person: needsPerson, breakdown: breakdown?.source })}
    where ${whereOf(selection)} and ${where} and ${hasActor(selection, groups)} ${bound}`
  const actors = actorOf(selection.project, fragment`x`, groups)
  const statement =
    packing === undefined
      ? listed(actors, events(fragment`${MICROS} as at, ${mask} as mask`), isNamed)
      : packed(actors, events(fragment`${packedOf(packing, bits)} as item`), isNamed)
  const rows = await run<ActorRow>(db, statement, false)
  const read = rows.reduce((sum, row) => sum + row.events, 0)
  if (read > eventsMax) return 'too_many'
  if (packing === undefined) return rows
  return { [Symbol.iterator]: () => (isNamed ? withPacking : actorsOfPacks)(rows, packing) }
}

type ActorRow = ActorText & { readonly events: number }

function* withPacking(rows: readonly ActorRow[], packing: Packing): Generator<ActorText> {
  for (const row of rows) yield { ...row, packing }
}

/** Splits packs into actors: each is a number of events, then the events. */
function* actorsOfPacks(rows: readonly ActorRow[], packing: Packing): Generator<ActorText> {
  for (const { bytes = Buffer.alloc(0) } of rows) {
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      const from = at + COUNT_BYTES
      end = from + bytes.readUInt32BE(at) * ITEM_BYTES
      yield { pairs: '', bytes: bytes.subarray(from, end), packing }
    }
  }
}

const MICROS = fragment`(extract(epoch from e.timestamp) * 1000000)::bigint`

function listed(actors: Fragment, events: Fragment, isNamed: boolean): Fragment {
  return fragment`
    select string_agg(x.at || ':' || x.mask, ' ' order by x.at) as pairs, count(*)::float8 as events
      ${isNamed ? fragment`, d.person_id::text as person, ${LONE_ID} as lone` : fragment``}
    from (${events}) x ${actors}
    group by d.person_id, ${LONE_ID}
    ${isNamed ? fragment`order by d.person_id nulls last, ${LONE_ID} collate "C"` : fragment``}`
}

/** Grouped by distinct id first, of which there are far fewer; the reader sorts the actors. */
function packed(joined: Fragment, events: Fragment, isNamed: boolean): Fragment {
  const named = fragment`, d.person_id::text as person, ${LONE_ID} as lone`
  const numbered = fragment`, (row_number() over () - 1) / ${String(PACK_ACTORS)}::bigint as pack`
  const actors = fragment`
    select string_agg(x.items, '') as bytes, sum(x.events)::float8 as events
      ${isNamed ? named : numbered}
    from (
      select y.distinct_id, string_agg(int8send(y.item), '') as items, count(*) as events
      from (${events}) y group by y.distinct_id
    ) x ${joined}
    group by d.person_id, ${LONE_ID}
    ${isNamed ? fragment`order by d.person_id nulls last, ${LONE_ID} collate "C"` : fragment``}`
  if (isNamed) return actors
  // A row for each of a hundred thousand actors would cost more here than their events.
  return fragment`
    select string_agg(int4send(z.events::integer) || z.bytes, '') as bytes,
      sum(z.events)::float8 as events
    from (${actors}) z group by z.pack`
}

/** Actors per row when actors are not named. */
const PACK_ACTORS = 500
const COUNT_BYTES = 4

function packedOf({ fromUs, bits }: Packing, mask: Fragment): Fragment {
  const from = fragment`(select ${instant(String(fromUs))})`
  return fragment`(date_part('epoch', e.timestamp - ${from}) * 1000000)::bigint
    * ${String(2 ** bits)}::bigint + (${mask})`
}

/**
 * The buckets and bits of roles of each actor that has an event with a role, ascending: 0 is before
 * the first edge.
 * @param edges of the buckets, ascending: the last one is the end. See `bucketOf`.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function bucketsByActor(
  db: Db,
  selection: EventSelection,
  roles: readonly EventRole[],
  edges: readonly number[],
  { isNamed, groups }: ActorsRead,
): Promise<readonly ActorText[]> {
  const needsPerson = roles.some((role) => role.needsPerson)
  const mask = maskOf(selection.project, roles)
  const statement = fragment`
    select string_agg(y.bucket || ':' || y.mask, ' ' order by y.bucket) as pairs
      ${isNamed ? fragment`, y.person_id::text as person, y.lone` : fragment``}
    from (
      select d.person_id, ${LONE_ID} as lone, x.bucket, bit_or(x.mask) as mask from (
        select distinct ${bucketOf(edges)} as bucket, ${mask} as mask,
          ${actorIdOf(selection.project, groups)} as distinct_id
        ${fromInsightEvents(selection, { person: needsPerson })}
        where ${whereOf(selection)} and ${anyOf(selection.project, roles)}
          and ${hasActor(selection, groups)}
      ) x ${actorOf(selection.project, fragment`x`, groups)}
      group by 1, 2, 3
    ) y group by y.person_id, y.lone
    ${isNamed ? fragment`order by ${actorOrder(fragment`y`)}` : fragment``}`
  const alike = fragment`
    select z.pairs, count(*)::float8 as actors from (${statement}) z group by z.pairs`
  return await run<ActorText>(db, isNamed ? statement : alike, false)
}

export function maskOf(project: ProjectId, roles: readonly EventRole[]): Fragment {
  return cohortsOnce(treesOf(roles), (memberOf) => {
    const bits = roles.map(
      (role, place) => fragment`case when ${isIn(project, role, memberOf)}
        then ${String(2 ** place)}::integer else 0 end`,
    )
    return bits.reduce((sum, bit) => fragment`${sum} + ${bit}`, fragment`0`)
  })
}

function treesOf(roles: readonly EventRole[]): readonly FilterNode[] {
  return roles.map(({ where }) => where).filter((where) => where !== undefined)
}

/** Every event has a distinct id, and some name a group. */
function hasActor({ project }: EventSelection, groups: number | undefined): Fragment {
  return groups === undefined ? fragment`true` : fragment`${actorIdOf(project, groups)} is not null`
}

/** The distinct id of an actor without a person. */
const LONE_ID = fragment`case when d.person_id is null then x.distinct_id end`

function isIn(project: ProjectId, { event, where }: EventRole, memberOf: MemberOf): Fragment {
  const parts: Fragment[] = []
  if (event !== null) parts.push(fragment`e.event = ${event}`)
  if (where !== undefined) {
    parts.push(fragment`coalesce((${filterWith(where, project, memberOf)}), false)`)
  }
  return fragment`(${join(parts, 'and')})`
}

/** The events that have one of the roles; over `p` too when one of them needs the person. */
function anyOf(project: ProjectId, roles: readonly EventRole[]): Fragment {
  return cohortsOnce(treesOf(roles), (memberOf) => {
    const each = roles.map((role) => isIn(project, role, memberOf))
    return fragment`(${join(each, 'or')})`
  })
}
