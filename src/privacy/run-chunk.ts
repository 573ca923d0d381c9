/** One chunk of a deletion, with its progress. */
import type { Clock } from '../core/clock.ts'
import type { ProjectId } from '../core/ids.ts'
import type { EventSelection } from '../event-store/event-selection.ts'
import { isInClickHouse } from '../event-store/months/home.ts'
import { instant } from '../event-store/postgres/renderer/instants.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { fragment, join, run } from '../postgres/fragment.ts'
import { forgetAnswers } from '../store/answers/forget-answers.ts'
import { listIdsToTell, removeRefusedOf } from './deleted-ids-store.ts'
import { auditEnd } from './deletion-audit.ts'
import {
  type Deleted,
  deleteMatches,
  deleteOldEvents,
  deletePersonEvents,
  walkByIndex,
} from './deletion-chunks.ts'
import type { FindWalk, FoundKeys, Place } from './deletion-place.ts'
import { isOverdue, type StoredDeletion } from './deletion-store.ts'

export type RunDeletionsDeps = {
  readonly sql: Sql
  readonly clock: Clock
  /**
   * The events that the filters of a deletion select; undefined when none can match.
   * @throws {AppError} when they cannot be read.
   */
  readonly selectionOf: (deletion: StoredDeletion) => Promise<EventSelection | undefined>
  /** Finds events in ClickHouse; undefined where there is none. */
  readonly findKeys: (deletion: StoredDeletion, walk: FindWalk) => Promise<FoundKeys>
  /**
   * Makes caches forget a deleted person. The call that deletes it does so too, but a worker that
   * dies between commit and that call would leave their answers.
   */
  readonly onPersonDeleted: (
    project: ProjectId,
    distinctIds: readonly string[],
    hasMoreIds: boolean,
  ) => Promise<void>
  /** True when the spill has no event from before that time (ms since 1970). */
  readonly isSpillPast: (timeMs: number) => Promise<boolean>
  readonly bounds: ChunkBounds
  /** Divisors of the chunk size of each running deletion, by id. */
  readonly shares: Map<string, number>
}

/** Milliseconds. */
export type ChunkBounds = {
  /** Target duration of a chunk: the next one is made larger or smaller. */
  readonly targetMs: number
  /** Time-outs of a statement of a chunk at the server, and of the whole transaction. */
  readonly statementMs: number
  readonly chunkMs: number
}

/**
 * Outcome of one chunk: `waits` when it is not time yet, or another worker runs it; `over` when
 * there are no more events to delete.
 */
export type Step = 'more' | 'over' | 'waits'

export type Held = { readonly place: string[] | null; readonly startedAt: string | null }

/** Events are found in Postgres. */
export async function runChunk(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  { selection, share }: { selection: EventSelection | undefined; share: number },
): Promise<Step> {
  return await inChunk(deps, deletion, selection, async (tx, { startedAt, place }) => {
    const walk = {
      startedAt: startedAt ?? deletion.askedAt,
      place: place ?? undefined,
      share,
    }
    const done = await deleteSome(tx, deletion, selection, walk)
    // A month that has left meanwhile was empty here. The key index is kept before any month
    // leaves.
    if (await isInClickHouse(deps.sql)) throw new EventsMoved()
    return done
  })
}

/** Raised within a transaction that gives up: events have moved meanwhile. */
export class EventsMoved extends Error {}

/**
 * Runs one chunk and saves its progress, in one transaction over one snapshot. The first chunk also
 * deletes dead letters.
 */
export async function inChunk(
  { sql, onPersonDeleted, bounds }: RunDeletionsDeps,
  deletion: StoredDeletion,
  selection: EventSelection | undefined,
  work: (tx: Db, held: Held) => Promise<Deleted | undefined>,
): Promise<Step> {
  return await sql.begin('isolation level repeatable read', async (tx): Promise<Step> => {
    const held = await hold(tx, deletion)
    if (held === undefined) return 'waits'
    const { startedAt } = held
    if (startedAt === null && deletion.kind === 'person') {
      await removeRefusedOf(tx, deletion)
      const { distinctIds, hasMoreIds } = await listIdsToTell(tx, deletion.id)
      await onPersonDeleted(deletion.projectId, distinctIds, hasMoreIds)
    }
    if (startedAt === null && selection !== undefined) {
      await removeRefusedMatches(tx, selection, deletion.askedAt)
    }
    await walkByIndex(tx, bounds.statementMs)
    const done = await work(tx, held)
    if (done === undefined) return 'waits'
    const isOver = done.place === undefined
    await tx`
      update deletions set deleted = deleted + ${done.events},
        place = ${done.place ?? null}::text[],
        started_at = coalesce(started_at, now()), error = null,
        is_walked = ${isOver}
      where id = ${deletion.id}`
    return isOver ? 'over' : 'more'
  })
}

/**
 * Ends a deletion that has deleted everything: answers that were counted before are forgotten,
 * unless it found nothing. Not with the last chunk, whose snapshot would miss answers being cached.
 */
export async function endDeletion(
  sql: Sql,
  { id, projectId }: Pick<StoredDeletion, 'id' | 'projectId'>,
): Promise<void> {
  await sql.begin(async (tx) => {
    const [found] = await tx`
      select from deletions where id = ${id} and (kind = 'person' or deleted > 0)`
    if (found !== undefined) await forgetAnswers(tx, projectId)
    const ended = await tx`
      update deletions set state = 'completed', finished_at = clock_timestamp()
      where id = ${id} and state = 'running' and is_walked`
    if (ended.count > 0) await auditEnd(tx, id)
  })
}

/**
 * Holds the deletion until the transaction ends: two workers never wait for each other. Undefined
 * when it is held, does not run any more, or flushes may be under way that were there before it.
 */
async function hold(tx: Db, { id }: StoredDeletion): Promise<Held | undefined> {
  const [row] = await tx<Held[]>`
    select place, to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      as "startedAt"
    from deletions d where id = ${id} and not is_walked and ${mayBegin(tx)}
    for no key update skip locked`
  return row
}

/** Condition: the deletion runs, and transactions from before it have ended. */
export function mayBegin(db: Db) {
  return db`state = 'running' and (
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= asked_xid or ${isOverdue(db)}
    )`
}

async function deleteSome(
  tx: Db,
  deletion: StoredDeletion,
  selection: EventSelection | undefined,
  walk: { startedAt: string; place: Place | undefined; share: number },
): Promise<Deleted> {
  const { place, share } = walk
  const nothing: Deleted = { events: 0, place: undefined }
  switch (deletion.kind) {
    case 'person':
      return deletion.withEvents ? await deletePersonEvents(tx, deletion, place, share) : nothing
    case 'retention':
      return await deleteOldEvents(tx, deletion, place, share)
    case 'events':
      return selection === undefined ? nothing : await deleteMatches(tx, selection, walk)
    default:
      return deletion.kind satisfies never
  }
}

/**
 * Removes the dead letters that were kept before `askedAt` and pass the filters. A filter that asks
 * for more than name, distinct id, person and time asks what Postgres cannot read of them: then all
 * stay.
 */
async function removeRefusedMatches(
  tx: Db,
  { project, before, after, event, distinctId, personId, where }: EventSelection,
  askedAt: string,
): Promise<void> {
  if (where !== undefined) return
  // All have one form, so that their texts are in the order of time; no other text has this in it.
  const time = fragment`substring(l.payload from '"timestamp":"([^"]*)"') collate "C"`
  const bound = (micros: string) =>
    fragment`to_char(${instant(micros)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  const parts = [
    fragment`l.project_id = ${String(project)}::integer`,
    fragment`l.created_at < ${askedAt}::timestamptz and ${time} < ${bound(before)}`,
  ]
  if (after !== undefined) parts.push(fragment`${time} > ${bound(after)}`)
  if (event !== undefined) parts.push(fragment`l.event = ${event}`)
  if (distinctId !== undefined) parts.push(fragment`l.distinct_id = ${distinctId}`)
  if (personId !== undefined) {
    parts.push(fragment`l.distinct_id in (
      select distinct_id from distinct_ids where person_id = ${personId}::bigint)`)
  }
  await run(tx, fragment`delete from dead_letters l where ${join(parts, 'and')}`, false)
}
