/** Reads the events that sessions are made of. */

import type { ProjectId } from '../../../core/ids.ts'
import {
  ACT_BIT,
  EVENT_NUMBERS,
  PAGE_BIT,
  ROLE_BITS_FROM,
  VIEW_BIT,
} from '../../../events/sessions/fold-sessions.ts'
import {
  PAGE_EVENT,
  PASSIVE_EVENTS,
  SCREEN_EVENT,
  SERVER_LIBRARIES,
  SESSION_ID_CHARS,
} from '../../../events/sessions/session-rules.ts'
import { textArray } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { commas, type Fragment, fragment, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import type { EventRole } from '../../insight-events.ts'
import {
  type IdPersons,
  membersIn,
  NUMBER_BITS_MASK,
  SESSION_ITEM_CHARS,
  SESSION_ITEMS,
  SESSION_MEMBER_CHARS,
  type SessionActor,
  type SessionActors,
  type SessionEventOptions,
  type SessionEvents,
  type SessionMember,
} from '../../session-events.ts'
import { whereOf } from '../reads/selection-sql.ts'
import { maskOf } from './actor-event-store.ts'
import { actorOf, actorOrder, fromInsightEvents } from './insight-fragments.ts'

/**
 * The events of a selection that may have a session, by actor. The events are read once, into a
 * table of the statement that both actors and texts are taken from.
 * @returns what there is too much of to be read.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function sessionEvents(
  db: Db,
  selection: EventSelection,
  roles: readonly EventRole[],
  options: SessionEventOptions,
): Promise<SessionEvents | 'too_many_events' | 'too_many_values'> {
  const { eventsMax, valuesMax } = options
  const [who, inOrder] = ACTORS[options.actors](selection.project)
  const bound = fragment`limit ${String(valuesMax + 1)}::bigint`
  const statement = fragment`
    with read as materialized (${eventsRead(selection, roles, options)}),
    actors as (
      select string_agg(int8send(x.at) || int8send(${numberOf(fragment`x.session`)})
          || int4send(x.bits) || int8send(${numberOfMembers(fragment`x.members`)})
          || int8send(${numberOf(fragment`x.item`)}), ''
          order by x.at, x.distinct_id collate "C", x.uuid) as bytes,
        count(*) as events, ${who} group by 3, 4
    )
    select 'actors' as kind, null::float8 as id, null as value, a.*
      from (${inOrder}) a
    union all
    select 'members', ${numberOfMembers(fragment`v.members`)}::float8, to_json(v.members)::text,
        null, null, null, null
      from (select distinct r.members from read r ${bound}) v
    union all
    select 'items', ${numberOf(fragment`v.item`)}::float8, v.item, null, null, null, null
      from (select distinct r.item from read r where r.item is not null ${bound}) v`
  const rows = await run<SessionRow>(db, statement, false)
  const members = new Map<number, readonly (string | null)[]>()
  const items = new Map<number, string>()
  const actors: ActorRow[] = []
  let read = 0
  for (const { kind, id, value, bytes, events, ...key } of rows) {
    if (kind === 'members') members.set(Number(id), membersIn(value ?? '[]'))
    else if (kind === 'items') items.set(Number(id), value ?? '')
    else {
      read += events ?? 0
      actors.push({ bytes: bytes ?? Buffer.alloc(0), ...key })
    }
  }
  if (read > eventsMax) return 'too_many_events'
  if (members.size > valuesMax || items.size > valuesMax) return 'too_many_values'
  return { members, items, actors: ACTORS_IN[options.actors](actors) }
}

type ActorRow = {
  readonly bytes: Buffer
  readonly person: string | null
  readonly lone: string | null
}
type SessionRow = Omit<ActorRow, 'bytes'> & {
  readonly kind: 'actors' | 'members' | 'items'
  readonly id: number | null
  readonly value: string | null
  readonly bytes: Buffer | null
  readonly events: number | null
}

function eventsRead(
  selection: EventSelection,
  roles: readonly EventRole[],
  { members, items, eventsMax }: SessionEventOptions,
): Fragment {
  const needsPerson = roles.some((role) => role.needsPerson)
  const texts = commas(members.map(memberText))
  const libraries = textArray(SERVER_LIBRARIES)
  return fragment`
    select (extract(epoch from e.timestamp) * 1000000)::bigint as at, e.uuid, e.distinct_id,
      ${SESSION_ID} as session,
      case when e.event = ${PAGE_EVENT} then ${String(VIEW_BIT + PAGE_BIT)}::integer
        when e.event = ${SCREEN_EVENT} then ${String(VIEW_BIT)}::integer
        when e.event = any((select ${textArray(PASSIVE_EVENTS)})::text[]) then 0
        else ${String(ACT_BIT)}::integer end
        + (${maskOf(selection.project, roles)}) * ${String(2 ** ROLE_BITS_FROM)}::integer as bits,
      array[${texts}]::text[] as members,
      ${itemText(items)} as item
    ${fromInsightEvents(selection, { person: needsPerson })}
    where ${whereOf(selection)} and (${SESSION_ID} is not null
      or coalesce(e.properties ->> '$lib', '') <> all((select ${libraries})::text[]))
    limit ${String(eventsMax + 1)}::bigint`
}

const SESSION_ID = fragment`nullif(left(e.properties ->> '$session_id',
  ${String(SESSION_ID_CHARS)}::integer), '')`

/** Number of a text; 0 for none. */
function numberOf(text: Fragment): Fragment {
  return fragment`coalesce(1 + (hashtextextended(${text}, 0) & ${NUMBER_BITS_MASK}::bigint), 0)`
}

/** Number of a list of texts: each different list becomes JSON once, which is most of its work. */
function numberOfMembers(list: Fragment): Fragment {
  return fragment`1 + (hash_array_extended(${list}, 0) & ${NUMBER_BITS_MASK}::bigint)`
}

function memberText({ properties, isPresence = false, isName = false }: SessionMember): Fragment {
  if (isName) return fragment`e.event`
  const texts = properties.map((name) => fragment`e.properties ->> ${name}`)
  const [first] = texts
  if (first !== undefined && texts.length === 1 && !isPresence) {
    return fragment`left(${first}, ${String(SESSION_MEMBER_CHARS)}::integer)`
  }
  const some = fragment`coalesce(${commas(texts.map((text) => fragment`nullif(${text}, '')`))})`
  if (isPresence) return fragment`case when ${some} is not null then '1' end`
  const any = fragment`coalesce(${some}, ${commas(texts)})`
  return fragment`left(${any}, ${String(SESSION_MEMBER_CHARS)}::integer)`
}

function itemText(items: SessionEventOptions['items']): Fragment {
  const cases = items.map(
    (event) => fragment`when ${event} then e.properties ->> ${SESSION_ITEMS[event]}`,
  )
  if (cases.length === 0) return fragment`null::text`
  const all = cases.reduce((before, each) => fragment`${before} ${each}`)
  return fragment`nullif(left(case e.event ${all} end, ${String(SESSION_ITEM_CHARS)}::integer), '')`
}

const NAMED = fragment`
  select a.bytes, a.events::float8 as events, a.person_id::text as person, a.lone
  from actors a order by ${actorOrder(fragment`a`)}`

/** Actors per row when actors are not named. */
const PACK_ACTORS = 500
const COUNT_BYTES = 4

const PACKED = fragment`
  select string_agg(int4send(z.events::integer) || z.bytes, '') as bytes,
    sum(z.events)::float8 as events, null::text as person, null::text as lone
  from (
    select a.*, (row_number() over () - 1) / ${String(PACK_ACTORS)}::bigint as pack from actors a
  ) z group by z.pack`

const BY_ID = fragment`
  select a.bytes, a.events::float8 as events, null::text as person,
    ${numberOf(fragment`a.lone`)}::text as lone
  from actors a order by a.lone`

type ActorColumns = readonly [actor: Fragment, inOrder: Fragment]

/** Columns `person_id` and `lone` of the actors of `read`, and the rows of all actors. */
const ACTORS: Readonly<Record<SessionActors, (project: ProjectId) => ActorColumns>> = {
  unnamed: (project) => [personOrId(project), PACKED],
  named: (project) => [personOrId(project), NAMED],
  ids: () => [
    fragment`null::bigint as person_id, x.distinct_id collate "C" as lone from read x`,
    BY_ID,
  ],
}

function personOrId(project: ProjectId): Fragment {
  return fragment`d.person_id, case when d.person_id is null then x.distinct_id end as lone
    from read x ${actorOf(project, fragment`x`)}`
}

const ACTORS_IN: Readonly<
  Record<SessionActors, (rows: readonly ActorRow[]) => Iterable<SessionActor>>
> = {
  unnamed: actorsOfPacks,
  named: (rows) => eachOf(rows, ({ bytes, ...key }) => ({ ...key, events: numbersIn(bytes) })),
  ids: (rows) =>
    eachOf(rows, ({ bytes, lone }) => ({ id: Number(lone), events: numbersIn(bytes) })),
}

/** Rows that the ids of a project are spread over. */
const ID_ROWS = 64

/** @returns `too_many` when a project has more distinct ids than `idsMax`. */
export async function personsOfIds(
  db: Db,
  project: ProjectId,
  idsMax: number,
): Promise<IdPersons | 'too_many'> {
  const rows = await run<{ bytes: Buffer }>(
    db,
    fragment`
      select string_agg(float8send(i.id::float8) || float8send(i.person::float8), '') as bytes
      from (
        select ${numberOf(fragment`d.distinct_id`)} as id, d.person_id as person
        from distinct_ids d where d.project_id = ${String(project)}::integer
        limit ${String(idsMax + 1)}::bigint
      ) i group by i.person % ${String(ID_ROWS)}::bigint`,
    false,
  )
  const bytes = Buffer.concat(rows.map((row) => row.bytes)).swap64()
  const numbers = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT)
  new Uint8Array(numbers.buffer).set(bytes)
  return numbers.length > 2 * idsMax ? 'too_many' : numbers
}

function eachOf<Row, Item>(rows: readonly Row[], of: (row: Row) => Item): Iterable<Item> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield of(row)
    },
  }
}

function actorsOfPacks(rows: readonly ActorRow[]): Iterable<SessionActor> {
  return {
    *[Symbol.iterator]() {
      for (const { bytes } of rows) {
        for (let at = 0, end = 0; at < bytes.length; at = end) {
          const from = at + COUNT_BYTES
          end = from + bytes.readUInt32BE(at) * EVENT_BYTES
          yield { events: numbersIn(bytes.subarray(from, end)) }
        }
      }
    },
  }
}

const EVENT_BYTES = 36

function numbersIn(bytes: Buffer): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const long = (at: number) => view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4)
  const numbers = new Float64Array((bytes.length / EVENT_BYTES) * EVENT_NUMBERS)
  for (let from = 0, to = 0; from < bytes.length; from += EVENT_BYTES, to += EVENT_NUMBERS) {
    numbers[to] = long(from)
    numbers[to + 1] = long(from + 8)
    numbers[to + 2] = view.getInt32(from + 16)
    numbers[to + 3] = long(from + 20)
    numbers[to + 4] = long(from + 28)
  }
  return numbers
}
