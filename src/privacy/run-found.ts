/**
 * Deletes events found in ClickHouse, chunk by chunk. The search relied on facts from before it:
 * each chunk checks that they still hold.
 */

import type { ProjectId } from '../core/ids.ts'
import { DELETION_CHUNK_ROWS_MAX } from '../core/limits/limits.ts'
import type { EventSelection } from '../event-store/event-selection.ts'
import { MONTH_OF_DAY } from '../event-store/outbox/enqueue-tombstones.ts'
import { LOSS_ACCEPTED } from '../event-store/outbox/gaps.ts'
import type { Db } from '../postgres/db.ts'
import { fragment, run } from '../postgres/fragment.ts'
import {
  type Deleted,
  deleteFound,
  deleteOldEvents,
  deletePersonEvents,
  rowsOf,
} from './deletion-chunks.ts'
import type { FoundKeys, Place } from './deletion-place.ts'
import type { StoredDeletion } from './deletion-store.ts'
import {
  EventsMoved,
  type Held,
  inChunk,
  mayBegin,
  type RunDeletionsDeps,
  type Step,
} from './run-chunk.ts'

/** Result of a turn's search, and the progress with it. */
export type Found = FoundKeys & {
  /** The months that had left Postgres, with blanks between. */
  readonly months: string
  /** Set for a deletion by filter: the events to delete in Postgres too. */
  readonly selection: EventSelection | undefined
  /** How many of the keys are done. */
  done: number
  /** Position of the deletion after them. */
  at: Place | null
  /** Removals from the project up to the search, and own ones since: see `removalsOf`. */
  removals: number
}

type Look = { readonly chunks: number; readonly share: number; readonly signal: AbortSignal }

/**
 * @returns undefined when it is not time yet.
 * @throws {AppError} `unavailable` while ClickHouse does not answer, or is behind.
 */
export async function findNext(
  { sql, findKeys, selectionOf }: RunDeletionsDeps,
  deletion: StoredDeletion,
  { chunks, share, signal }: Look,
): Promise<Found | undefined> {
  // Read before ClickHouse is asked, so that the search covers everything committed by now.
  const [seen] = await sql<(Held & Pick<Found, 'months' | 'removals'>)[]>`
    select place, to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      as "startedAt", ${monthsOf(sql)} as months, ${removalsOf(sql, deletion.projectId)} as removals
    from deletions d where id = ${deletion.id} and ${mayBegin(sql)}`
  if (seen === undefined) return undefined
  const { place, months, removals } = seen
  const found = await findKeys(deletion, {
    startedAt: seen.startedAt ?? deletion.askedAt,
    place: place ?? undefined,
    rows: chunks * rowsOf(DELETION_CHUNK_ROWS_MAX, share),
    signal,
  })
  const selection = deletion.kind === 'events' ? await selectionOf(deletion) : undefined
  return { ...found, months, selection, done: 0, at: place, removals }
}

export function isUsedUp({ keys, done }: Found): boolean {
  return done === keys.length
}

/** Deletes one chunk of what was found. */
export async function runFoundChunk(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  found: Found,
  share: number,
): Promise<Step> {
  const { projectId } = deletion
  const until = found.done + rowsOf(DELETION_CHUNK_ROWS_MAX, share)
  const keys = found.keys.slice(found.done, until)
  let place = until < found.keys.length ? keys.at(-1)?.place : found.place
  let events = 0
  const step = await inChunk(deps, deletion, found.selection, async (tx, held) => {
    // Another worker has continued from there.
    if (JSON.stringify(held.place) !== JSON.stringify(found.at)) return undefined
    // Another transaction has removed events, and one of them may have been stored anew and must
    // stay.
    const [removed] = await tx<{ times: number }[]>`select ${removalsOf(tx, projectId)} as times`
    if (removed?.times !== found.removals) return undefined
    events = await deleteFound(tx, projectId, keys)
    // Events of a month that moved since this snapshot are in neither table here.
    const [now] = await deps.sql<{ months: string }[]>`select ${monthsOf(deps.sql)} as months`
    if (now?.months !== found.months) throw new EventsMoved()
    if (place === undefined) {
      const rest = await deleteRest(tx, deletion, share)
      events += rest.events
      place = rest.place
    }
    return { events, place }
  })
  if (step === 'waits') return step
  found.done += keys.length
  found.at = place ?? null
  if (events > 0) found.removals += 1
  return step
}

/**
 * Deletes the rest at the end: events that ClickHouse refuses are in Postgres alone, in months that
 * Postgres has, and events that it has lost have only keys. There is little of either.
 */
async function deleteRest(tx: Db, deletion: StoredDeletion, share: number): Promise<Deleted> {
  const { kind, withEvents } = deletion
  if (kind === 'events' || (kind === 'person' && !withEvents)) {
    return { events: 0, place: undefined }
  }
  const some = kind === 'person' ? deletePersonEvents : deleteOldEvents
  let events = 0
  let place: Place | undefined
  do {
    const done: Deleted = await some(tx, deletion, place, share)
    events += done.events
    place = done.place
  } while (place !== undefined)
  if (kind === 'person') return { events, place: undefined }
  const lost = await deleteLostEvents(tx, deletion, share)
  return { events: events + lost.events, place: lost.place }
}

function monthsOf(db: Db) {
  return db`(
    select coalesce(string_agg(substring(c.relname from 14), ' ' order by c.relname), '')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event_ledger'::regclass
  )`
}

/** Removals from the project so far: each transaction that removes events counts itself. */
function removalsOf(db: Db, project: ProjectId) {
  return db`(
    select coalesce(sum(count), 0)::float8 from project_changes
    where project_id = ${project} and kind = 'deletion'
  )`
}

/** Deletes events that no walk finds in ClickHouse, because it has lost them. */
type Key = { readonly day: string; readonly uuid: string }

/**
 * Deletes events that ClickHouse has lost, if an operator has accepted the loss, after all other
 * old events of their project; events stored since then are too old as well. The key index has
 * their keys, but not the names by which they were counted: the counters of a day are deleted with
 * the last of its keys, and until then an event without a name is subtracted from their sum.
 */
async function deleteLostEvents(
  tx: Db,
  { projectId, cutoff }: StoredDeletion,
  share: number,
): Promise<Deleted> {
  const nothing: Deleted = { events: 0, place: undefined }
  const [accepted] = await tx<{ isThere: boolean }[]>`
    select exists (
      select from event_gaps where reason = ${LOSS_ACCEPTED} and not asked
    ) as "isThere"`
  if (cutoff === null || accepted?.isThere !== true) return nothing
  const rows = rowsOf(DELETION_CHUNK_ROWS_MAX, share)
  const old = fragment`
    select day::text as day, uuid::text as uuid from event_ledger e
    where e.project_id = ${String(projectId)}::integer and e.day < ${cutoff}::date
      and ${MONTH_OF_DAY} in (
        select month from event_gaps where reason = ${LOSS_ACCEPTED} and not asked
      )
    order by e.day, e.uuid limit ${String(rows + 1)}::bigint`
  const found = await run<Key>(tx, old, false)
  if (found.length === 0) return nothing
  const keys = found.slice(0, rows)
  const events = await deleteFound(
    tx,
    projectId,
    keys.map((key) => ({ ...key, event: '' })),
  )
  // The last day may have more events, so its counters stay.
  const next = found.at(rows)?.day
  const days = new Set(keys.map(({ day }) => day).filter((day) => day !== next))
  await tx`
    delete from event_counts
    where project_id = ${projectId} and day in (
      select unnest(string_to_array(${[...days].join(',')}, ','))::date
    )`
  return { events, place: next === undefined ? undefined : [cutoff] }
}
