/**
 * Finds the events of a deletion in ClickHouse, where that alone may hold them: their keys and
 * names. What was found and deleted is found again until its removal has been shipped, so a walk
 * goes on behind the last event that it has seen, and is over where no more are behind.
 */
import { assert } from '../../core/code.ts'
import {
  DELETION_CHUNK_ROWS_MAX,
  DELETION_IDS_MAX,
  DELETION_STRETCH_ROWS,
} from '../../core/limits/limits.ts'
import { COPY_SCAN_MS } from '../../core/limits/limits-columns.ts'
import type { EventsAsked } from '../../events/ports.ts'
import { parseIsoTime } from '../../events/time/iso-time.ts'
import type { CopiedEvents } from '../event-copy/read/read-copy.ts'
import { daysOf } from '../events-clickhouse/block-reader.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import { atKeys } from '../events-clickhouse/read/events-of-keys.ts'
import { openReading, type Reading } from '../events-clickhouse/read/reading.ts'
import { type Selection, selectEvents } from '../events-clickhouse/read/selection.ts'
import { countIn, walkKeys } from '../events-clickhouse/read/walk.ts'
import type { Sql } from '../pool/connect.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'
import { listDeletedIdsAfter } from './deleted-ids-store.ts'
import type { FindWalk, FoundKey, FoundKeys, Place } from './deletion-place.ts'
import type { StoredDeletion } from './deletion-store.ts'

export type FindDeps = {
  readonly sql: Sql
  readonly columns: CopiedEvents
  /** What the filters of a deletion ask for. @throws {AppError} when they cannot be read. */
  readonly askedOf: (deletion: StoredDeletion) => EventsAsked
}

const NOTHING: FoundKeys = { keys: [], place: undefined }

/** @throws {AppError} `unavailable` while ClickHouse does not answer, or is behind. */
export async function findKeys(
  { sql, columns, askedOf }: FindDeps,
  deletion: StoredDeletion,
  walk: FindWalk,
): Promise<FoundKeys> {
  const { signal } = walk
  const call = { signal, time: { left: () => COPY_SCAN_MS } }
  return await columns.read(sql, call, async (store, { pin }) => {
    const reading = openReading({ columns: store, sql }, call)
    if (deletion.kind === 'events') {
      return await matches(reading, { ...askedOf(deletion), pin }, walk)
    }
    const looking = { sql, store, reading, pin }
    if (deletion.kind === 'retention') return await oldEvents(looking, deletion, walk)
    return deletion.withEvents ? await eventsOfPerson(looking, deletion, walk) : NOTHING
  })
}

type Looking = {
  readonly sql: Sql
  readonly store: ColumnStore
  readonly reading: Reading
  readonly pin: number
}

/** A place is the distinct id that is done, and the last event of those behind it. */
async function eventsOfPerson(
  looking: Looking,
  deletion: StoredDeletion,
  { place, share }: FindWalk,
): Promise<FoundKeys> {
  const [after = '', ...seen] = place ?? []
  const ids = await listDeletedIdsAfter(looking.sql, deletion.id, after, DELETION_IDS_MAX)
  const last = ids.at(-1)
  if (last === undefined) return NOTHING
  const where = fragment`e.created_us < toInt64(${microsOf(deletion.askedAt)})
    and e.distinct_id in (JSONExtract(${JSON.stringify(ids)}, 'Array(String)'))`
  const found = await keysBehind(looking, deletion, where, seen, rowsOf(share))
  if (!found.isEnd) return { keys: found.keys, place: [after, ...placeOf(found.keys)] }
  return { keys: found.keys, place: ids.length < DELETION_IDS_MAX ? undefined : [last] }
}

async function oldEvents(
  looking: Looking,
  deletion: StoredDeletion,
  { place, share }: FindWalk,
): Promise<FoundKeys> {
  const { cutoff } = deletion
  assert(cutoff !== null, 'a retention has its day')
  const where = fragment`e.day < toInt32(${String(daysOf(cutoff))})`
  const { keys, isEnd } = await keysBehind(looking, deletion, where, place ?? [], rowsOf(share))
  return { keys, place: isEnd ? undefined : placeOf(keys) }
}

/** In the order of time, as a list has them. */
async function matches(
  reading: Reading,
  asked: EventsAsked,
  { startedAt, place, share }: FindWalk,
): Promise<FoundKeys> {
  const selection = await selectEvents(reading, asked)
  if (selection === undefined) return NOTHING
  const stored = fragment`e.created_us < toInt64(${microsOf(startedAt)})`
  const where = fragment`${selection.where} and ${stored}`
  const { span } = await countIn(reading, selection.span, where)
  if (span === undefined) return NOTHING
  const [micros, uuid] = place ?? []
  const position = micros === undefined || uuid === undefined ? undefined : { micros, uuid }
  const rows = Math.ceil(DELETION_STRETCH_ROWS / share)
  const narrow: Selection = { span, reach: selection.reach, where }
  const walked = { order: 'oldest', position, skip: 0, rows } as const
  const found = await walkKeys(reading, narrow, walked)
  const last = found.at(-1)
  if (last === undefined) return NOTHING
  const named = await reading.rows(fragment`
    select ${KEY} from ${reading.events} where ${atKeys(asked.project, found)} and ${where}`)
  return {
    keys: named.map(keyOf),
    place: found.length < rows ? undefined : [last.micros, last.uuid],
  }
}

const KEY = fragment`toString(e.day), toString(e.uuid), e.event`
const DAY_MS = 86_400_000

function keyOf([days, uuid, event]: readonly unknown[]): FoundKey {
  const day = new Date(Number(days) * DAY_MS).toISOString()
  // Years before 1000 and after 9999 do not come here: Postgres and the parser bound them.
  return { day: day.slice(0, day.indexOf('T')), uuid: String(uuid), event: String(event) }
}

/** @param seen day and uuid of the last event before; empty at the beginning. */
async function keysBehind(
  { reading, pin }: Looking,
  { projectId }: StoredDeletion,
  where: Fragment,
  [day, uuid]: readonly string[],
  rows: number,
): Promise<{ readonly keys: readonly FoundKey[]; readonly isEnd: boolean }> {
  const behind =
    day === undefined || uuid === undefined
      ? fragment`true`
      : fragment`(e.day, toString(e.uuid)) > (toInt32(${String(daysOf(day))}), ${uuid})`
  const found = await reading.rows(fragment`
    select ${KEY} from ${reading.events}
    where e.project_id = toInt32(${String(projectId)}) and e.block <= toUInt64(${String(pin)})
      and ${where} and ${behind}
    order by e.day, toString(e.uuid) limit toUInt64(${String(rows)})`)
  return { keys: found.map(keyOf), isEnd: found.length < rows }
}

function placeOf(keys: readonly FoundKey[]): Place {
  const last = keys.at(-1)
  return last === undefined ? [] : [last.day, last.uuid]
}

function rowsOf(share: number): number {
  return Math.ceil(DELETION_CHUNK_ROWS_MAX / share)
}

function microsOf(time: string): string {
  const instant = parseIsoTime(time)
  assert(instant !== undefined, 'a deletion has a time')
  return String(BigInt(instant.ms) * 1_000n + BigInt(instant.us))
}
