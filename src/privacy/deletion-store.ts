/** Rows of `deletions`: deletions in the background, and their progress. */
import type { ProjectId, UserId } from '../core/ids.ts'
import type { Json } from '../core/json.ts'
import { FLUSH_ATTEMPT_MS } from '../core/limits/limits.ts'
import { type Db, jsonText } from '../postgres/db.ts'
import { forgetAnswers } from '../store/answers/forget-answers.ts'

/** Time after which flushes that were under way when a deletion was requested have ended. */
const DELETION_WAIT_MAX_S = 60

export type DeletionKind = 'person' | 'events' | 'retention'
export type DeletionState = 'running' | 'completed' | 'cancelled'

export type StoredDeletion = {
  /** UUID. */
  readonly id: string
  readonly projectId: ProjectId
  readonly kind: DeletionKind
  readonly state: DeletionState
  readonly personUuid: string | null
  readonly withEvents: boolean
  /** The parameters of a list of events; null but for the kind `events`. */
  readonly filters: Json
  /** Events of earlier UTC days go, `YYYY-MM-DD`; null but for the kind `retention`. */
  readonly cutoff: string | null
  /** Events to delete, as counted when it was asked for; null when nobody has counted. */
  readonly total: number | null
  readonly deleted: number
  /** Nothing is left to delete but what was counted before. */
  readonly isWalked: boolean
  /** Error of its last turn, in words. */
  readonly error: string | null
  readonly askedBy: UserId | null
  /** ISO 8601, microseconds, `Z`. */
  readonly askedAt: string
  readonly finishedAt: string | null
}

export type NewDeletion = Pick<
  StoredDeletion,
  'id' | 'projectId' | 'kind' | 'personUuid' | 'withEvents' | 'filters' | 'total' | 'askedBy'
>

/**
 * Inserts a deletion. Runs in a transaction, during which answers of the project are not cached. A
 * transaction with a lower number than this one may still run, even if it began later: the newest
 * number in a snapshot is no bound on running transactions.
 */
export async function insertDeletion(db: Db, deletion: NewDeletion): Promise<void> {
  const { id, projectId, kind, personUuid, withEvents, filters, total, askedBy } = deletion
  await forgetAnswers(db, projectId)
  await db`
    insert into deletions
      (id, project_id, kind, person_uuid, with_events, filters, total, asked_by, asked_xid)
    values (${id}, ${projectId}, ${kind}, ${personUuid}, ${withEvents},
      ${jsonText(filters)}::text::json, ${total}, ${askedBy},
      pg_current_xact_id()::text::bigint)`
}

/**
 * False while a transaction runs that began before the deletion was asked for, and may store an
 * event as one from before it. Most have a number, which a chunk compares with its own snapshot;
 * this finds those that had none yet. Transactions that only read for long are no flushes.
 */
export async function haveFlushesEnded(db: Db, id: string): Promise<boolean> {
  const [row] = await db<{ ended: boolean }[]>`
    select not exists (
      select from pg_stat_activity a
      where a.datname = current_database() and a.pid <> pg_backend_pid()
        and a.xact_start <= d.asked_at
        and (a.backend_xid is not null
          or a.xact_start > d.asked_at - ${2 * FLUSH_ATTEMPT_MS}::integer * interval '1 ms')
    ) or ${isOverdue(db)} as ended
    from deletions d where d.id = ${id}`
  return row?.ended === true
}

/** True when the wait for a hanging transaction is over. */
export function isOverdue(db: Db) {
  return db`
    d.asked_at < clock_timestamp() - ${DELETION_WAIT_MAX_S}::integer * interval '1 second'`
}

export async function findDeletion(
  db: Db,
  project: ProjectId,
  id: string,
): Promise<StoredDeletion | undefined> {
  const [row] = await db<StoredDeletion[]>`
    select ${columns(db)} from deletions d where d.project_id = ${project} and d.id = ${id}`
  return row
}

/** Newest first. */
export async function listDeletions(
  db: Db,
  project: ProjectId,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredDeletion[]> {
  return await db<StoredDeletion[]>`
    select ${columns(db)} from deletions d where d.project_id = ${project}
    order by d.asked_at desc, d.id limit ${page.limit} offset ${page.offset}`
}

export async function countDeletions(
  db: Db,
  project: ProjectId,
): Promise<{ readonly all: number; readonly running: number }> {
  const [row] = await db<{ all: number; running: number }[]>`
    select count(*)::int as all, (count(*) filter (where state = 'running'))::int as running
    from deletions where project_id = ${project}`
  return row ?? { all: 0, running: 0 }
}

/**
 * Cancels a running deletion, in a transaction. Waits for a chunk in progress. Deleted data stays
 * deleted.
 * @returns false when the deletion does not run: then the transaction should be rolled back.
 */
export async function cancelDeletion(db: Db, project: ProjectId, id: string): Promise<boolean> {
  await forgetAnswers(db, project)
  const done = await db`
    update deletions set state = 'cancelled', finished_at = clock_timestamp()
    where project_id = ${project} and id = ${id} and state = 'running'`
  return done.count > 0
}

/** One of each project that has any: persons before filters, filters before age. */
export async function listNextDeletions(db: Db, limit: number): Promise<readonly StoredDeletion[]> {
  return await db<StoredDeletion[]>`
    select * from (
      select distinct on (d.project_id) ${columns(db)} from deletions d where d.state = 'running'
      order by d.project_id,
        case d.kind when 'person' then 0 when 'events' then 1 else 2 end, d.asked_at, d.id
    ) next order by "askedAt", id limit ${limit}`
}

/** Keeps what the last turn of a deletion failed with. */
export async function noteDeletionError(db: Db, id: string, error: string): Promise<void> {
  await db`update deletions set error = ${error} where id = ${id} and state = 'running'`
}

function columns(db: Db) {
  return db`
    d.id::text as id, d.project_id as "projectId", d.kind, d.state,
    d.person_uuid::text as "personUuid", d.with_events as "withEvents", d.filters,
    to_char(d.cutoff, 'YYYY-MM-DD') as cutoff, d.total::float8 as total,
    d.deleted::float8 as deleted, d.is_walked as "isWalked", d.error, d.asked_by as "askedBy",
    to_char(d.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "askedAt",
    to_char(d.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "finishedAt"`
}
