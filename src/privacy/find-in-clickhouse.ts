/**
 * Finds the events of a deletion in ClickHouse, where only ClickHouse may hold them: their keys and
 * names. Deleted events are found again until their removal has been shipped, so the scan resumes
 * after the last event that it has seen, and ends when none follows.
 */

import { daysOf } from '../clickhouse/block-reader.ts'
import { assert } from '../core/code.ts'
import { DELETION_IDS_MAX } from '../core/limits/limits.ts'
import { REPLICA_SCAN_MS } from '../core/limits/limits-replica.ts'
import { away } from '../event-store/clickhouse/no-answer.ts'
import { openReading, type Reading } from '../event-store/clickhouse/reads/reading.ts'
import { dayOf, selectEvents } from '../event-store/clickhouse/reads/selection.ts'
import { countIn, type Walk, walkRows } from '../event-store/clickhouse/reads/walk.ts'
import type { ReplicaEvents, Replicated } from '../event-store/clickhouse/replica/replica-reads.ts'
import { PERSONS } from '../event-store/outbox/gaps.ts'
import type { EventsAsked } from '../events/ports.ts'
import { DAY_MS } from '../events/time/instant.ts'
import { parseIsoTime } from '../events/time/iso-time.ts'
import { reachesInto, type SpanOfTime } from '../events/time/partition-month.ts'
import type { Sql } from '../postgres/connect.ts'
import { type Fragment, fragment } from '../postgres/fragment.ts'
import { listDeletedIdsAfter } from './deleted-ids-store.ts'
import type { FindWalk, FoundKey, FoundKeys, Place } from './deletion-place.ts'
import type { StoredDeletion } from './deletion-store.ts'

export type FindDeps = {
  readonly sql: Sql
  readonly columns: ReplicaEvents
  /** Parses the filters of a deletion. @throws {AppError} when they cannot be read. */
  readonly askedOf: (deletion: StoredDeletion) => EventsAsked
}

const NOTHING: FoundKeys = { keys: [], place: undefined }

/**
 * @throws {AppError} `unavailable` while ClickHouse does not answer, is behind, or lacks events that
 * are somewhere else.
 */
export async function findKeys(
  { sql, columns, askedOf }: FindDeps,
  deletion: StoredDeletion,
  walk: FindWalk,
): Promise<FoundKeys> {
  const { kind, withEvents } = deletion
  if (kind === 'person' && !withEvents) return NOTHING
  const { signal } = walk
  const call = { signal, time: { left: () => REPLICA_SCAN_MS } }
  const asked = kind === 'events' ? askedOf(deletion) : undefined
  return await columns.read(sql, call, async (store, replicated) => {
    assertWhole(replicated, asked ?? spanOf(deletion))
    const reading = openReading({ columns: store, sql }, call)
    const { snapshotBlock } = replicated
    if (asked !== undefined) return await matches(reading, { ...asked, snapshotBlock }, walk)
    const looking = { sql, reading, snapshotBlock }
    return kind === 'retention'
      ? await oldEvents(looking, deletion, walk)
      : await eventsOfPerson(looking, deletion, walk)
  })
}

/** Fails while ClickHouse lacks events in the span: they would not be found, and would stay. */
function assertWhole({ gaps, refusing }: Replicated, span: SpanOfTime | undefined): void {
  const lacking = gaps.filter((month) => month !== PERSONS && !refusing.includes(month))
  const lacks = lacking.find((month) => span === undefined || reachesInto(span, month))
  if (lacks !== undefined) throw away(`it lacks events of ${lacks}`)
}

/** Span of the events that a deletion may take; undefined for all. */
function spanOf({ cutoff }: StoredDeletion): SpanOfTime | undefined {
  if (cutoff === null) return undefined
  return { after: undefined, before: String(BigInt(Date.parse(cutoff)) * 1_000n) }
}

type Looking = { readonly sql: Sql; readonly reading: Reading; readonly snapshotBlock: number }

/** A place is the distinct id that is done, and the last event of those behind it. */
async function eventsOfPerson(
  looking: Looking,
  deletion: StoredDeletion,
  { place, rows }: FindWalk,
): Promise<FoundKeys> {
  const [after = '', ...seen] = place ?? []
  const ids = await listDeletedIdsAfter(looking.sql, deletion.id, after, DELETION_IDS_MAX)
  const last = ids.at(-1)
  if (last === undefined) return NOTHING
  const where = fragment`e.created_us < toInt64(${microsOf(deletion.askedAt)})
    and e.distinct_id in (JSONExtract(${JSON.stringify(ids)}, 'Array(String)'))`
  const found = await keysBehind(looking, deletion, { where, seen, rows })
  const keys = found.map((key) => ({ ...key, place: [after, key.day, key.uuid] }))
  if (keys.length === rows) return { keys, place: keys.at(-1)?.place }
  return { keys, place: ids.length < DELETION_IDS_MAX ? undefined : [last] }
}

/** A place may be a day alone: then it is before all of its events. */
async function oldEvents(
  looking: Looking,
  deletion: StoredDeletion,
  { place, rows }: FindWalk,
): Promise<FoundKeys> {
  const { cutoff, projectId } = deletion
  assert(cutoff !== null, 'a retention has its day')
  const seen = place ?? []
  // Days are what the table is sorted by: no more of them are read than have so many events.
  const days = await looking.reading.rows(fragment`
    select toString(e.day), toString(count()) from ${looking.reading.events}
    where ${ofProject(looking, projectId)} and e.day < toInt32(${String(daysOf(cutoff))})
      and ${fromDay(seen)}
    group by e.day order by e.day limit toUInt64(${String(rows)})`)
  let events = 0
  const full = days.find(([, count]) => {
    events += Number(count)
    return events >= rows
  })
  const last = full ?? days.at(-1)
  if (last === undefined) return NOTHING
  const where = fragment`e.day <= toInt32(${String(last[0])})`
  const found = await keysBehind(looking, deletion, { where, seen, rows })
  const keys = found.map((key) => ({ ...key, place: [key.day, key.uuid] }))
  if (keys.length === rows) return { keys, place: keys.at(-1)?.place }
  return { keys, place: full === undefined ? undefined : [dayText(Number(full[0]) + 1)] }
}

/** Finds matching events in the order of time, as a list has them. */
async function matches(
  reading: Reading,
  asked: EventsAsked,
  { startedAt, place, rows }: FindWalk,
): Promise<FoundKeys> {
  const selection = await selectEvents(reading, asked)
  if (selection === undefined) return NOTHING
  const stored = fragment`e.created_us < toInt64(${microsOf(startedAt)})`
  const where = fragment`${selection.where} and ${stored}`
  const [micros, uuid] = place ?? []
  const position = micros === undefined || uuid === undefined ? undefined : { micros, uuid }
  // Behind an event the next ones are near; before the first there may be centuries without any.
  const span =
    position === undefined ? (await countIn(reading, selection.span, where)).span : selection.span
  if (span === undefined) return NOTHING
  const walked: Walk = { order: 'oldest', position, skip: 0, rows }
  const found = await walkRows(reading, { span, where }, walked, fragment`e.event`)
  const keys = found.map((row) => {
    const [time = '', uuid = '', event = ''] = row.map(String)
    return { day: dayText(Number(dayOf(BigInt(time)))), uuid, event, place: [time, uuid] }
  })
  return { keys, place: keys.length < rows ? undefined : keys.at(-1)?.place }
}

/**
 * Formats days since 1970 as `YYYY-MM-DD`. Years are from 1 to 9999: Postgres and the parser bound
 * them.
 */
function dayText(days: number): string {
  const day = new Date(days * DAY_MS).toISOString()
  return day.slice(0, day.indexOf('T'))
}

type Behind = {
  readonly where: Fragment
  /** Day and uuid of the last event before, or less. */
  readonly seen: Place
  readonly rows: number
}

/** Finds events in the order of days and uuids. */
async function keysBehind(
  looking: Looking,
  { projectId }: StoredDeletion,
  { where, seen, rows }: Behind,
): Promise<readonly FoundKey[]> {
  const { reading } = looking
  const [day, uuid] = seen
  const behind =
    day === undefined || uuid === undefined
      ? fragment`true`
      : fragment`(e.day, toString(e.uuid)) > (toInt32(${String(daysOf(day))}), ${uuid})`
  const found = await reading.rows(fragment`
    select toString(e.day), toString(e.uuid), e.event from ${reading.events}
    where ${ofProject(looking, projectId)} and ${where} and ${fromDay(seen)} and ${behind}
    order by e.day, toString(e.uuid) limit toUInt64(${String(rows)})`)
  return found.map((row) => {
    const [days, uuid = '', event = ''] = row.map(String)
    return { day: dayText(Number(days)), uuid, event }
  })
}

function ofProject({ snapshotBlock }: Looking, project: number): Fragment {
  return fragment`e.project_id = toInt32(${String(project)}) and e.block <= toUInt64(${String(snapshotBlock)})`
}

/** A separate condition, as the sorting key does not serve a pair of a day and a text. */
function fromDay([day]: Place): Fragment {
  return day === undefined ? fragment`true` : fragment`e.day >= toInt32(${String(daysOf(day))})`
}

function microsOf(time: string): string {
  const instant = parseIsoTime(time)
  assert(instant !== undefined, 'a deletion has a time')
  return String(BigInt(instant.ms) * 1_000n + BigInt(instant.us))
}
