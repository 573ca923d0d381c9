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
import { commas, type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
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
  const libraries = textList(SERVER_LIBRARIES)
  const where = fragment`${from} and (${SESSION_ID} is not null
    or not has(${libraries}, ifNull(${text('$lib')}, '')))`
  const columns = fragment`${membersText(members)} as members, ${itemText(items)} as item`
  const values = await asking.rows(fragment`
    select distinct arrayJoin([
      (1, ${numberOf(fragment`members`)}, members), (2, ${numberOf(fragment`item`)}, ifNull(item, ''))
    ]) as value from (select ${columns} ${where}) where value.1 = 1 or value.2 != 0
    limit ${wholeNumbers([2 * valuesMax + 2])}`)
  const found = {
    members: new Map<number, readonly (string | null)[]>(),
    items: new Map<number, string>(),
  }
  for (const [value] of values) {
    const [kind, id, own] = Array.isArray(value) ? value : []
    if (Number(kind) === 1) found.members.set(Number(id), membersIn(String(own)))
    else found.items.set(Number(id), String(own))
  }
  if (found.members.size > valuesMax || found.items.size > valuesMax) return 'too_many_values'
  const events = fragment`
    select ${who}, e.timestamp_us as at, e.distinct_id as owner, UUIDToNum(e.uuid) as id,
      ${numberOf(SESSION_ID)} as session,
      ${KIND} + (${maskOf(roles, resolved)}) * ${wholeNumbers([2 ** ROLE_BITS_FROM])} as bits,
      ${columns}
    ${where} limit ${wholeNumbers([eventsMax + 1])}`
  const actors = await readActors(asking, events)
  return actors.numbers > eventsMax * EVENT_NUMBERS
    ? 'too_many_events'
    : { ...found, actors: actors.all }
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

const KIND = fragment`multiIf(e.event = ${PAGE_EVENT}, ${wholeNumbers([VIEW_BIT + PAGE_BIT])},
  e.event = ${SCREEN_EVENT}, ${wholeNumbers([VIEW_BIT])},
  has(${textList(PASSIVE_EVENTS)}, toString(e.event)), 0, ${wholeNumbers([ACT_BIT])})`

function text(property: string): Fragment {
  return memberText(fragment`e.properties`, property)
}

const SESSION_ID = fragment`nullIf(leftUTF8(${text('$session_id')},
  ${wholeNumbers([SESSION_ID_CHARS])}), '')`

/** Number of a text; 0 for none. */
function numberOf(of: Fragment): Fragment {
  const hash = fragment`bitAnd(sipHash64(assumeNotNull(${of})), ${wholeNumbers([NUMBER_BITS_MASK])})`
  return fragment`if(isNull(${of}), toUInt64(0), 1 + ${hash})`
}

/** JSON text of a list. */
function membersText(members: readonly SessionMember[]): Fragment {
  if (members.length === 0) return fragment`'[]'`
  return fragment`toJSONString([${commas(members.map(oneMember))}])`
}

function oneMember({ properties, isPresence = false, isName = false }: SessionMember): Fragment {
  if (isName) return fragment`toNullable(toString(e.event))`
  const texts = properties.map(text)
  const some = fragment`coalesce(${commas(texts.map((each) => fragment`nullIf(${each}, '')`))})`
  if (isPresence) return fragment`if(isNull(${some}), null, '1')`
  const any = fragment`coalesce(${some}, ${commas(texts)})`
  return fragment`leftUTF8(${any}, ${wholeNumbers([SESSION_MEMBER_CHARS])})`
}

function itemText(items: SessionEventOptions['items']): Fragment {
  const cases = items.map((event) => fragment`e.event = ${event}, ${text(SESSION_ITEMS[event])},`)
  if (cases.length === 0) return fragment`CAST(null, 'Nullable(String)')`
  const all = cases.reduce((before, each) => fragment`${before} ${each}`)
  return fragment`nullIf(leftUTF8(multiIf(${all} null), ${wholeNumbers([SESSION_ITEM_CHARS])}), '')`
}
