/** Reads the events of each actor, and who is behind a number, in ClickHouse. */

import type { NumberLists } from '../../../clickhouse/number-lists.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
import { type ActorKey, type ActorText, type Packing, packingOf } from '../../actor-text.ts'
import type { EventSelection } from '../../event-selection.ts'
import {
  type ActorEventOptions,
  type ActorPage,
  type EventRole,
  isFirst,
  type TrendNumber,
} from '../../insight-events.ts'
import type { Asking, Prepared } from './asking.ts'
import {
  ACTOR,
  ACTOR_HASH,
  ACTOR_ORDER,
  anyOf,
  groupActor,
  groupHash,
  maskOf,
  shownPlace,
} from './column-fragments.ts'
import { countedEvents, prepareCount } from './column-trends.ts'

/** Numbers of an item, joined by colons, items by blanks: what `eventsOf` and `pairsOf` read. */
const PAIRS = fragment`arrayStringConcat(arrayMap(x -> concat(toString(x.1), ':', toString(x.2)),
  arraySort(groupArray((at, mask)))), ' ')`

export async function eventsByActor(
  asking: Asking,
  selection: EventSelection,
  roles: readonly EventRole[],
  { keepsOthers, eventsMax, isBounded, breakdown, isNamed, groups }: ActorEventOptions,
): Promise<Iterable<ActorText> | 'too_many'> {
  const readsActors = groups === undefined
  const beside = { roles, breakdown: breakdown?.source, readsActors, groups }
  const prepared = await asking.prepare(selection, beside)
  const { resolved } = prepared
  const mask = maskOf(roles, resolved)
  const others = keepsOthers ? fragment`` : fragment`and ${anyOf(roles, resolved)}`
  const bound = isBounded ? fragment`` : fragment`limit ${wholeNumbers([eventsMax + 1])}`
  const who = actorsOf(prepared, groups)
  const from = fragment`${prepared.from} ${who.some} ${others} ${bound}`
  const packing = breakdown === undefined ? packingOf(selection, roles.length) : undefined
  if (packing !== undefined) {
    return await packedByActor(asking, from, mask, packing, { eventsMax, isNamed, who })
  }
  const place = prepared.breakdown && shownPlace(prepared.breakdown, breakdown?.shown ?? [])
  const item = place ? fragment`concat(toString(${mask}), ':', toString(${place}))` : mask
  const rows = await asking.rows(fragment`
    select ${PAIRS}, person, lone, count() from (
      select ${who.named}, e.timestamp_us as at, ${item} as mask ${from}
    ) group by person, lone ${isNamed ? ACTOR_ORDER : fragment``}`)
  const read = rows.reduce((sum, [, , , events]) => sum + Number(events), 0)
  return read > eventsMax ? 'too_many' : rows.map((row) => actorOf(row, isNamed))
}

type PackedOptions = {
  readonly eventsMax: number
  readonly isNamed: boolean
  readonly who: ActorColumns
}

/** Numbers are less to send than texts. */
async function packedByActor(
  asking: Asking,
  from: Fragment,
  mask: Fragment,
  packing: Packing,
  { eventsMax, isNamed, who }: PackedOptions,
): Promise<Iterable<ActorText> | 'too_many'> {
  const since = fragment`(e.timestamp_us - ${wholeNumbers([packing.fromUs])})`
  const item = fragment`toFloat64(${since} * ${wholeNumbers([2 ** packing.bits])} + ${mask}) as item`
  if (!isNamed) {
    const lists = await asking.numberLists(fragment`
      select groupArray(item) from (select ${who.hash}, ${item} ${from}) group by actor`)
    return lists.numbers > eventsMax ? 'too_many' : packedActors(lists, packing)
  }
  const rows = await asking.rows(fragment`
    select groupArray(item), person, lone from (select ${who.named}, ${item} ${from})
    group by person, lone ${ACTOR_ORDER}`)
  let read = 0
  const actors = rows.map(([list, person, lone]): ActorText => {
    const items = Float64Array.from(Array.isArray(list) ? list.map(Number) : [])
    read += items.length
    return { pairs: '', items, packing, ...keyOf(person, lone) }
  })
  return read > eventsMax ? 'too_many' : actors
}

function packedActors(lists: NumberLists, packing: Packing): Iterable<ActorText> {
  return {
    *[Symbol.iterator]() {
      for (const items of lists) yield { pairs: '', items, packing }
    },
  }
}

/** @param row pairs, person and distinct id. */
export function actorOf(row: readonly unknown[], isNamed: boolean): ActorText {
  const [pairs, person, lone] = row
  return { pairs: String(pairs), ...(isNamed && keyOf(person, lone)) }
}

/** Actor columns: by name, as one number, and the condition that an event has an actor. */
type ActorColumns = { readonly named: Fragment; readonly hash: Fragment; readonly some: Fragment }

export function actorsOf({ group }: Prepared, groups: number | undefined): ActorColumns {
  if (groups === undefined) return { named: ACTOR, hash: ACTOR_HASH, some: fragment`` }
  const some = fragment`and isNotNull(${group})`
  return { named: groupActor(group), hash: groupHash(group), some }
}

export function keyOf(person: unknown, lone: unknown): ActorKey {
  const isPerson = String(person) !== '0'
  return { person: isPerson ? String(person) : null, lone: isPerson ? null : String(lone) }
}

export async function actorsBehind(
  asking: Asking,
  _project: ProjectId,
  numbers: readonly TrendNumber[],
  { limit, offset }: ActorPage,
): Promise<readonly ActorKey[]> {
  const parts: Fragment[] = []
  for (const number of numbers) {
    const own = await behind(asking, number)
    if (own !== undefined) parts.push(own)
  }
  const [first, ...others] = parts
  if (first === undefined) return []
  const all = others.reduce((sum, more) => fragment`${sum} union all ${more}`, first)
  const rows = await asking.rows(fragment`
    select person, lone, grouped from (${all}) group by grouped, person, lone
    order by grouped, person = 0, person, lone
    limit ${wholeNumbers([limit])} offset ${wholeNumbers([offset])}`)
  return rows.map(([person, lone, grouped]) => {
    const index = Number(grouped)
    return { ...keyOf(person, lone), group: index === NO_GROUPS ? null : index }
  })
}

/** In place of the index of a type. */
const NO_GROUPS = -1

/** Undefined for a value that no event has. */
async function behind(
  asking: Asking,
  { selection, measure, parts, value }: TrendNumber,
): Promise<Fragment | undefined> {
  const isOfGroups = measure.kind === 'groups'
  const prepared = await prepareCount(asking, selection, measure, parts, !isOfGroups)
  const isShown = parts.breakdown?.shown.includes(value) === true
  const text = isShown ? prepared.breakdown?.textOf(value) : value
  if (text === undefined) return undefined
  const isMeasured = measure.kind !== 'actors' && !isFirst(measure)
  const counted = countedEvents(prepared, measure, parts, !isOfGroups)
  const actor = isOfGroups ? groupActor(fragment`measured`) : fragment`person, lone`
  const grouped = wholeNumbers([isOfGroups ? measure.index : NO_GROUPS])
  return fragment`select ${actor}, toInt8(${grouped}) as grouped from (${counted})
    where bucket = 1 and value = ${text}
      ${isMeasured ? fragment`and isNotNull(measured)` : fragment``}`
}
