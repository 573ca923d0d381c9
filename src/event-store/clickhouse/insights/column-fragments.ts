/** Shared parts of insight statements in ClickHouse: buckets, actors, values, selections. */

import { type Fragment, fragment, join, wholeNumbers } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import {
  type EventRole,
  NO_VALUE,
  NO_VALUE_PLACE,
  OTHER_VALUE,
  OTHER_VALUE_PLACE,
} from '../../insight-events.ts'
import { filterIn, type Resolved } from '../renderer/filter.ts'
import type { BreakdownColumn } from './breakdown-column.ts'

const DAY_US = 86_400_000_000n

/** Inputs of `fromSelection` beside the selection. */
export type FromParts = {
  readonly resolved: Resolved
  /** Conditions on the persons of the selection, see `PersonTests`. */
  readonly persons: readonly Fragment[]
  readonly breakdown: BreakdownColumn | undefined
  /** Whether the statement reads persons outside of the conditions and the breakdown. */
  readonly readsPersons: boolean
  /** Reads only events of blocks up to this one; undefined for all. */
  readonly snapshotBlock: number | undefined
}

/** `from events e … where …`, with `p.person_id` where it is read: 0 for none. */
export function fromSelection(selection: EventSelection, parts: FromParts): Fragment {
  const { resolved, persons, breakdown, readsPersons, snapshotBlock } = parts
  const upToBlock =
    snapshotBlock === undefined ? [] : [fragment`e.block <= ${wholeNumbers([snapshotBlock])}`]
  const where = join(
    [...reachedBy(selection), ...upToBlock, ...filtersOf(selection, resolved), ...persons],
    'and',
  )
  const joins = breakdown?.joins ?? fragment``
  const read = [where, joins, ...(breakdown === undefined ? [] : [breakdown.text])]
  const owners = readsPersons || read.some(namesPersons) ? ownersOf(selection) : fragment``
  return fragment`from events e ${owners} ${joins} where ${where}`
}

function namesPersons({ text }: Fragment): boolean {
  return text.some((part) => part.includes('p.person_id'))
}

function ownersOf({ project }: EventSelection): Fragment {
  return fragment`left any join (
    select id, person_id from distinct_ids final where project_id = ${wholeNumbers([project])}
  ) p on p.id = sipHash128(e.distinct_id)`
}

/** The days beside the times: rows are in order of the day. */
function reachedBy(s: EventSelection): readonly Fragment[] {
  const parts = [
    fragment`e.project_id = ${wholeNumbers([s.project])}`,
    fragment`e.timestamp_us < ${wholeNumbers([s.before])} and e.day <= ${dayOf(s.before)}`,
  ]
  if (s.after !== undefined) {
    parts.push(fragment`e.timestamp_us > ${wholeNumbers([s.after])} and e.day >= ${dayOf(s.after)}`)
  }
  return parts
}

function dayOf(micros: string): Fragment {
  const us = BigInt(micros)
  return wholeNumbers([us >= 0n ? us / DAY_US : -((-us + DAY_US - 1n) / DAY_US)])
}

function filtersOf(s: EventSelection, resolved: Resolved): readonly Fragment[] {
  const parts: Fragment[] = []
  if (s.event !== undefined) parts.push(fragment`e.event = ${s.event}`)
  if (s.distinctId !== undefined) parts.push(fragment`e.distinct_id = ${s.distinctId}`)
  if (s.personId !== undefined) parts.push(fragment`p.person_id = ${wholeNumbers([s.personId])}`)
  if (s.owners !== undefined) {
    const ids = fragment`JSONExtract(${JSON.stringify(s.owners)}, 'Array(String)')`
    parts.push(fragment`e.distinct_id in (${ids})`)
  }
  if (s.where !== undefined) parts.push(filterIn(s.where, resolved))
  return parts
}

/**
 * The number of the bucket, from 1; 0 is before the first.
 * @param edges ascending, ms since the epoch.
 */
export function bucketOf(edges: readonly number[]): Fragment {
  // The last of equal edges counts: the bucket between them is empty.
  const places = new Map(edges.map((ms, index) => [BigInt(ms) * 1_000n, index + 1]))
  const starts = fragment`[${wholeNumbers([...places.keys()])}]`
  const first = wholeNumbers([...places.keys()].slice(0, 1))
  const found = fragment`transform(roundDown(e.timestamp_us, ${starts}), ${starts},
    [${wholeNumbers([...places.values()])}], 0)`
  return fragment`toInt32(if(e.timestamp_us < ${first}, 0, ${found}))`
}

/** Actor of an event: the number of its person, or 0 and the distinct id if there is no person. */
export const ACTOR = fragment`p.person_id as person, if(p.person_id = 0, e.distinct_id, '') as lone`

/** The same as one number, by which actors are grouped sooner; it does not say who they are. */
export const ACTOR_HASH = fragment`if(p.person_id = 0,
  reinterpretAsUInt128(sipHash128(e.distinct_id)), toUInt128(p.person_id)) as actor`

/** The groups as actors, over their key. */
export function groupActor(group: Fragment): Fragment {
  return fragment`toInt64(0) as person, assumeNotNull(${group}) as lone`
}

export function groupHash(group: Fragment): Fragment {
  return fragment`reinterpretAsUInt128(sipHash128(assumeNotNull(${group}))) as actor`
}

/** How many different ones there are, over `person` and `lone`. */
export const DIFFERENT_ACTORS = fragment`uniqExactIf(person, person != 0)
  + uniqExactIf(lone, person = 0)`

/** Order over `person` and `lone`: persons first. */
export const ACTOR_ORDER = fragment`order by person = 0, person, lone`

/** The value as it is shown: itself when it is one of `shown`. Empty without a breakdown. */
export function shownValue(
  breakdown: BreakdownColumn | undefined,
  shown: readonly string[],
): Fragment {
  if (breakdown === undefined) return fragment`''`
  const { text } = breakdown
  const list = textList(shown.flatMap((value) => breakdown.textOf(value) ?? []))
  return fragment`multiIf(isNull(${text}), ${NO_VALUE}, has(${list}, assumeNotNull(${text})),
    assumeNotNull(${text}), ${OTHER_VALUE})`
}

/** Value that a text of `shownValue` represents. */
export function shownText(breakdown: BreakdownColumn | undefined, text: string): string {
  if (breakdown === undefined || text === NO_VALUE || text === OTHER_VALUE) return text
  return breakdown.valueOf(text)
}

/** The place of the value as it is shown. */
export function shownPlace(breakdown: BreakdownColumn, shown: readonly string[]): Fragment {
  const { text } = breakdown
  const places = shown.flatMap((value, index) => {
    const own = breakdown.textOf(value)
    return own === undefined ? [] : [[own, index + 1] as const]
  })
  const none = wholeNumbers([NO_VALUE_PLACE])
  const other = wholeNumbers([OTHER_VALUE_PLACE])
  if (places.length === 0) return fragment`if(isNull(${text}), ${none}, ${other})`
  const texts = textList(places.map(([own]) => own))
  const numbers = wholeNumbers(places.map(([, place]) => place))
  return fragment`if(isNull(${text}), ${none},
    transform(assumeNotNull(${text}), ${texts}, [${numbers}], ${other}))`
}

export function textList(texts: readonly string[]): Fragment {
  return fragment`JSONExtract(${JSON.stringify(texts)}, 'Array(String)')`
}

export function isIn({ event, where }: EventRole, resolved: Resolved): Fragment {
  const parts: Fragment[] = []
  if (event !== null) parts.push(fragment`e.event = ${event}`)
  if (where !== undefined) parts.push(fragment`ifNull(${filterIn(where, resolved)}, false)`)
  return fragment`(${join(parts, 'and')})`
}

/** The events that have one of the roles. */
export function anyOf(roles: readonly EventRole[], resolved: Resolved): Fragment {
  return fragment`(${join(
    roles.map((role) => isIn(role, resolved)),
    'or',
  )})`
}

/** The bits of the roles that an event has. */
export function maskOf(roles: readonly EventRole[], resolved: Resolved): Fragment {
  return roles.reduce(
    (sum, role, place) => fragment`${sum} + if(${isIn(role, resolved)},
      ${wholeNumbers([2 ** place])}, 0)`,
    fragment`toUInt32(0)`,
  )
}
