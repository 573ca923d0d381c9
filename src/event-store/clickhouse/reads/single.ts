/** Single events, and what samples of events have. */

import { assert } from '../../../core/code.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { isObject } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { firstOf } from '../../../core/order/first-of.ts'
import type {
  EventPlace,
  NewestWanted,
  PropertySample,
  PropertyValue,
  QueriedEvent,
  ValuesWanted,
} from '../../../events/ports.ts'
import { parseIsoTime } from '../../../events/time/iso-time.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { fragment } from '../../../postgres/fragment.ts'
import { isNestedMember, memberText } from '../renderer/json-member.ts'
import { lower } from '../renderer/operations.ts'
import { atKeys, EVENT_COLUMNS, eventOf, personsOf } from './events-of-keys.ts'
import { textSet } from './groups-passing.ts'
import type { Reading } from './reading.ts'
import { conditionOf, EVER, inSpan } from './selection.ts'
import { countIn, walkKeys } from './walk.ts'

/** Finds an event by uuid; of several days, on the one closest to the time in a version 7 uuid. */
export async function findEvent(
  reading: Reading,
  project: ProjectId,
  uuid: string,
): Promise<QueriedEvent | undefined> {
  const digits = uuid.replaceAll('-', '')
  const madeMs = digits[12] === '7' ? Number.parseInt(digits.slice(0, 12), 16) : 0
  const hyphened = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const [row] = await reading.rows(fragment`
    select ${EVENT_COLUMNS} from ${reading.events}
    where e.project_id = toInt32(${String(project)}) and e.uuid = toUUID(${hyphened})
    order by abs(intDiv(e.timestamp_us, 1000) - toInt64(${String(madeMs)})) limit 1`)
  if (row === undefined) return undefined
  const persons = await personsOf(reading, project, [{ distinctId: String(row[2]) }])
  return eventOf(row, persons)
}

export async function newestOf(
  reading: Reading,
  { project, distinctIds, before }: NewestWanted,
): Promise<ReadonlyMap<string, string>> {
  const span = { ...EVER, before: BigInt(before) }
  const rows = await reading.rows(fragment`
    select e.distinct_id, toString(max(e.timestamp_us)) from ${reading.events}
    where e.project_id = toInt32(${String(project)}) and ${inSpan(span)}
      and e.distinct_id in ${textSet(JSON.stringify(distinctIds))}
    group by e.distinct_id`)
  return new Map(rows.map(([id, micros]) => [String(id), String(micros)]))
}

export async function listValues(
  reading: Reading,
  wanted: ValuesWanted,
): Promise<readonly PropertyValue[]> {
  const { project, key, from, before, part, events, lengthMax, limit } = wanted
  const span = { after: BigInt(from) - 1n, before: BigInt(before) }
  const json = fragment`e.properties`
  const named =
    events.length === 0
      ? fragment`true`
      : fragment`e.event in (JSONExtract(${JSON.stringify(events)}, 'Array(String)'))`
  const holds =
    part === ''
      ? fragment`true`
      : fragment`position(${lower(fragment`v`)}, ${lower(fragment`${part}`)}) > 0`
  const rows = await reading.rows(fragment`
    select v, n from (
      select ${memberText(json, key)} as v, ${isNestedMember(json, key)} as n, count() as c
      from ${reading.events}
      where e.project_id = toInt32(${String(project)}) and ${inSpan(span)} and ${named}
      group by v, n
    ) where v is not null and lengthUTF8(v) <= toUInt64(${String(lengthMax)}) and ${holds}
    order by c desc, v limit toUInt64(${String(limit)})`)
  return rows.map(([text, isNested]) => ({ text: String(text), isNested: Number(isNested) === 1 }))
}

/** Sizes are those of texts, because the compressed size of a single event is not known. */
export async function samplePropertyNames(
  reading: Reading,
  project: ProjectId,
  { events, bytes, nameLengthMax, namesMax }: PropertySample,
): Promise<readonly string[]> {
  const reach = fragment`e.project_id = toInt32(${String(project)})`
  const { span } = await countIn(reading, EVER, reach)
  if (span === undefined) return []
  const walk = { order: 'newest', position: undefined, skip: 0, rows: events } as const
  const keys = await walkKeys(reading, { span, reach, where: reach }, walk)
  let all = 0
  const read = keys.filter((key, place) => {
    all += key.bytes
    return place === 0 || all <= bytes
  })
  const rows = await reading.rows(fragment`
    select e.properties from ${reading.events} where ${atKeys(project, read)}`)
  const counts = new Map<string, number>()
  for (const [properties] of rows) {
    const object: unknown = parseJson(String(properties))
    if (!isObject(object)) continue
    for (const name of Object.keys(object)) {
      if ([...name].length <= nameLengthMax) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const most = firstOf(counts, namesMax, ([a, ofA], [b, ofB]) => ofB - ofA || byCodePoint(a, b))
  return most.map(([name]) => name)
}

export async function matchingEvents(
  reading: Reading,
  project: ProjectId,
  places: readonly EventPlace[],
  where: FilterNode,
): Promise<ReadonlySet<string>> {
  if (places.length === 0) return new Set()
  const keys = places.map(({ id, timestamp }) => ({ uuid: id, micros: microsOf(timestamp) }))
  const condition = await conditionOf(reading, { project }, where)
  const rows = await reading.rows(fragment`
    select toString(e.uuid) from ${reading.events} where ${atKeys(project, keys)} and ${condition}`)
  return new Set(rows.map(([uuid]) => String(uuid)))
}

/** @param timestamp ISO 8601 in UTC. */
export function microsOf(timestamp: string): string {
  const instant = parseIsoTime(timestamp)
  assert(instant !== undefined, 'an event has no time')
  return String(BigInt(instant.ms) * 1_000n + BigInt(instant.us))
}
