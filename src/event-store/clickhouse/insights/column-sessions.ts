/** Reads the events that sessions are made of, in ClickHouse. */

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
import {
  commas,
  type Fragment,
  fragment,
  numbered,
  wholeNumbers,
} from '../../../postgres/fragment.ts'
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
  type SessionEventOptions,
  type SessionEvents,
  type SessionMember,
} from '../../session-events.ts'
import { memberText } from '../renderer/json-member.ts'
import type { Asking } from './asking.ts'
import { keyOf } from './column-actors.ts'
import { ACTOR, ACTOR_HASH, ACTOR_ORDER, maskOf, textList } from './column-fragments.ts'

export async function sessionEvents(
  asking: Asking,
  selection: EventSelection,
  roles: readonly EventRole[],
  options: SessionEventOptions,
): Promise<SessionEvents | 'too_many_events' | 'too_many_values'> {
  const { members, items, eventsMax, valuesMax } = options
  const [who, readActors] = ACTORS[options.actors]
  const readsActors = options.actors !== 'ids'
  const { from, resolved } = await asking.prepare(selection, { roles, readsActors })
  const names = namesRead(options)
  const of = (property: string) => numbered('text', names.indexOf(property))
  const session = fragment`nullIf(leftUTF8(${of(SESSION_ID)}, ${wholeNumbers([SESSION_ID_CHARS])}), '')`
  const read = fragment`
    select ${who}, e.timestamp_us as at, e.distinct_id as owner, UUIDToNum(e.uuid) as id,
      e.event as event, ${maskOf(roles, resolved)} as mask, ${textsRead(names)} ${from}`
  const found = fragment`
    select *, ${session} as own_session, ${membersText(members, of)} as members,
      ${itemText(items, of)} as item
    from (${read})
    where own_session is not null
      or not has(${textList(SERVER_LIBRARIES)}, ifNull(${of(LIBRARY)}, ''))`
  const values = await asking.rows(fragment`
    select distinct arrayJoin([
      (1, ${numberOf(fragment`members`)}, members), (2, ${numberOf(fragment`item`)}, ifNull(item, ''))
    ]) as value from (${found}) limit ${wholeNumbers([2 * valuesMax + 2])}`)
  const texts = {
    members: new Map<number, readonly (string | null)[]>(),
    items: new Map<number, string>(),
  }
  for (const [value] of values) {
    const [kind, id, own] = Array.isArray(value) ? value : []
    if (Number(kind) === 1) texts.members.set(Number(id), membersIn(String(own)))
    else if (Number(id) !== 0) texts.items.set(Number(id), String(own))
  }
  if (texts.members.size > valuesMax || texts.items.size > valuesMax) return 'too_many_values'
  const events = fragment`
    select *, ${numberOf(fragment`own_session`)} as session,
      ${KIND} + mask * ${wholeNumbers([2 ** ROLE_BITS_FROM])} as bits
    from (${found}) limit ${wholeNumbers([eventsMax + 1])}`
  const actors = await readActors(asking, events)
  return actors.numbers > eventsMax * EVENT_NUMBERS
    ? 'too_many_events'
    : { ...texts, actors: actors.all }
}

type Read = { readonly numbers: number; readonly all: Iterable<SessionActor> }

/** Numbers of the events of an actor, in order: see `foldSessions`. */
const NUMBERS = fragment`arrayFlatten(arrayMap(
  x -> [toFloat64(x.1), toFloat64(x.4), toFloat64(x.5), toFloat64(x.6), toFloat64(x.7)],
  arraySort(groupArray((at, owner, id, session, bits, ${numberOf(fragment`members`)},
    ${numberOf(fragment`item`)})))))`

async function unnamedActors(asking: Asking, events: Fragment): Promise<Read> {
  const lists = await asking.numberLists(
    fragment`select ${NUMBERS} from (${events}) group by actor`,
  )
  return {
    numbers: lists.numbers,
    all: {
      *[Symbol.iterator]() {
        for (const numbers of lists) yield { events: numbers }
      },
    },
  }
}

async function namedActors(asking: Asking, events: Fragment): Promise<Read> {
  const rows = await asking.rows(
    fragment`select ${NUMBERS}, person, lone from (${events}) group by person, lone ${ACTOR_ORDER}`,
  )
  const all = rows.map(([list, person, lone]) => ({
    events: Float64Array.from(Array.isArray(list) ? list.map(Number) : []),
    ...keyOf(person, lone),
  }))
  return { numbers: all.reduce((sum, { events }) => sum + events.length, 0), all }
}

async function actorsById(asking: Asking, events: Fragment): Promise<Read> {
  const lists = await asking.numberLists(fragment`
    select arrayConcat([toFloat64(any(number))], ${NUMBERS}) from (${events})
    group by owner order by owner`)
  let ids = 0
  for (const _ of lists) ids += 1
  return {
    numbers: lists.numbers - ids,
    all: {
      *[Symbol.iterator]() {
        for (const numbers of lists) yield { id: numbers[0] ?? 0, events: numbers.subarray(1) }
      },
    },
  }
}

/** Number of a distinct id, by its hash. */
function idNumber(hash: Fragment): Fragment {
  return fragment`1 + bitAnd(toUInt64(reinterpretAsUInt128(${hash}) % 18446744073709551616),
    ${wholeNumbers([NUMBER_BITS_MASK])})`
}

const ACTORS = {
  unnamed: [ACTOR_HASH, unnamedActors],
  named: [ACTOR, namedActors],
  ids: [fragment`${idNumber(fragment`sipHash128(e.distinct_id)`)} as number`, actorsById],
} as const

/** @returns `too_many` when a project has more distinct ids than `idsMax`. */
export async function personsOfIds(
  asking: Asking,
  project: ProjectId,
  idsMax: number,
): Promise<IdPersons | 'too_many'> {
  const lists = await asking.numberLists(fragment`
    select arrayFlatten(groupArray([toFloat64(${idNumber(fragment`id`)}), toFloat64(person_id)]))
    from (
      select id, person_id from distinct_ids final
      where project_id = ${wholeNumbers([project])} and person_id != 0
      limit ${wholeNumbers([idsMax + 1])}
    )`)
  if (lists.numbers > 2 * idsMax) return 'too_many'
  const [pairs = new Float64Array()] = lists
  return pairs
}

const KIND = fragment`multiIf(event = ${PAGE_EVENT}, ${wholeNumbers([VIEW_BIT + PAGE_BIT])},
  event = ${SCREEN_EVENT}, ${wholeNumbers([VIEW_BIT])},
  has(${textList(PASSIVE_EVENTS)}, toString(event)), 0, ${wholeNumbers([ACT_BIT])})`

const SESSION_ID = '$session_id'
const LIBRARY = '$lib'

/** Properties that are read, each once. */
function namesRead({ members, items }: SessionEventOptions): readonly string[] {
  const ofMembers = members.flatMap(({ properties }) => properties)
  const ofItems = items.map((event) => SESSION_ITEMS[event])
  return [...new Set([SESSION_ID, LIBRARY, ...ofMembers, ...ofItems])]
}

/**
 * Each text is written once, and no filter stands above what is made of them: to analyse a long
 * statement takes ClickHouse longer than to read some thousand events, and its search for indexes
 * follows each use of a text in a filter.
 */
function textsRead(names: readonly string[]): Fragment {
  const texts = names.map((name) => memberText(fragment`e.properties`, name))
  return commas(texts.map((text, place) => fragment`${text} as ${numbered('text', place)}`))
}

/** Number of a text; 0 for none. */
function numberOf(of: Fragment): Fragment {
  const hash = fragment`bitAnd(sipHash64(assumeNotNull(${of})), ${wholeNumbers([NUMBER_BITS_MASK])})`
  return fragment`if(isNull(${of}), toUInt64(0), 1 + ${hash})`
}

/** Column of a property's text. */
type TextOf = (property: string) => Fragment

/** JSON text of a list. */
function membersText(members: readonly SessionMember[], of: TextOf): Fragment {
  if (members.length === 0) return fragment`'[]'`
  return fragment`toJSONString([${commas(members.map((member) => oneMember(member, of)))}])`
}

function oneMember(member: SessionMember, of: TextOf): Fragment {
  const { properties, isPresence = false, isName = false } = member
  if (isName) return fragment`toNullable(toString(event))`
  const texts = properties.map(of)
  const some = fragment`coalesce(${commas(texts.map((each) => fragment`nullIf(${each}, '')`))})`
  if (isPresence) return fragment`if(isNull(${some}), null, '1')`
  const any = fragment`coalesce(${some}, ${commas(texts)})`
  return fragment`leftUTF8(${any}, ${wholeNumbers([SESSION_MEMBER_CHARS])})`
}

function itemText(items: SessionEventOptions['items'], of: TextOf): Fragment {
  const cases = items.map((event) => fragment`event = ${event}, ${of(SESSION_ITEMS[event])},`)
  if (cases.length === 0) return fragment`CAST(null, 'Nullable(String)')`
  const all = cases.reduce((before, each) => fragment`${before} ${each}`)
  return fragment`nullIf(leftUTF8(multiIf(${all} null), ${wholeNumbers([SESSION_ITEM_CHARS])}), '')`
}
