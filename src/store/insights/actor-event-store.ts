/** Reads the events of each actor in order, as what they may be in a question. */
import { type EventSelection, run, whereOf } from '../events/event-selection.ts'
import type { Db } from '../pool/db.ts'
import { type Fragment, fragment, join } from '../pool/fragment.ts'
import { actorOf, bucketOf, fromInsightEvents } from './insight-fragments.ts'

/** A role that an event may have: its bit is its place in the list of roles. */
export type EventRole = {
  /** null means all events. */
  readonly event: string | null
  readonly where: Fragment | undefined
  readonly needsPerson: boolean
}

/** What is known of one actor, as pairs of numbers: see `pairsOf`. */
export type ActorText = { readonly pairs: string }

/**
 * The times, in microseconds since the epoch, and bits of roles of each actor's events, in order.
 * @param options `keepsOthers` also reads events without a role.
 * @returns `too_many` when there are more than `eventsMax`.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function eventsByActor(
  db: Db,
  selection: EventSelection,
  roles: readonly EventRole[],
  { keepsOthers, eventsMax }: { readonly keepsOthers: boolean; readonly eventsMax: number },
): Promise<readonly ActorText[] | 'too_many'> {
  const needsPerson = roles.some((role) => role.needsPerson)
  const where = keepsOthers ? fragment`true` : fragment`(${join(roles.map(isIn), 'or')})`
  const statement = fragment`
    select string_agg(x.at || ':' || x.mask, ' ' order by x.at) as pairs, count(*)::float8 as events
    from (
      select (extract(epoch from e.timestamp) * 1000000)::bigint as at, ${maskOf(roles)} as mask,
        e.distinct_id
      ${fromInsightEvents(selection, { actor: false, person: needsPerson })}
      where ${whereOf(selection)} and ${where}
      limit ${String(eventsMax + 1)}::bigint
    ) x ${actorOf(selection.project, fragment`x`)}
    group by d.person_id, ${LONE_ID}`
  const rows = await run<ActorText & { events: number }>(db, statement, false)
  const read = rows.reduce((sum, { events }) => sum + events, 0)
  return read > eventsMax ? 'too_many' : rows
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
): Promise<readonly ActorText[]> {
  const needsPerson = roles.some((role) => role.needsPerson)
  const statement = fragment`
    select string_agg(y.bucket || ':' || y.mask, ' ' order by y.bucket) as pairs from (
      select d.person_id, ${LONE_ID} as lone, x.bucket, bit_or(x.mask) as mask from (
        select distinct ${bucketOf(edges)} as bucket, ${maskOf(roles)} as mask, e.distinct_id
        ${fromInsightEvents(selection, { actor: false, person: needsPerson })}
        where ${whereOf(selection)} and (${join(roles.map(isIn), 'or')})
      ) x ${actorOf(selection.project, fragment`x`)}
      group by 1, 2, 3
    ) y group by y.person_id, y.lone`
  return await run<ActorText>(db, statement, false)
}

function maskOf(roles: readonly EventRole[]): Fragment {
  return roles.reduce(
    (sum, role, place) => fragment`${sum} + case when ${isIn(role)}
      then ${String(2 ** place)}::integer else 0 end`,
    fragment`0`,
  )
}

/** The distinct id of an actor without a person. */
const LONE_ID = fragment`case when d.person_id is null then x.distinct_id end`

function isIn({ event, where }: EventRole): Fragment {
  const parts: Fragment[] = []
  if (event !== null) parts.push(fragment`e.event = ${event}`)
  if (where !== undefined) parts.push(fragment`coalesce((${where}), false)`)
  return fragment`(${join(parts, 'and')})`
}

/** Each pair: microseconds since the epoch or a bucket, and the bits of roles. */
export function pairsOf({ pairs }: ActorText): readonly (readonly [number, number])[] {
  return pairs.split(' ').map((item) => {
    const colon = item.indexOf(':')
    return [Number(item.slice(0, colon)), Number(item.slice(colon + 1))] as const
  })
}
