/** Deletes in the background what was asked for, chunk by chunk. */
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../core/clock.ts'
import type { OrganizationId, ProjectId } from '../../core/ids.ts'
import {
  DELETION_CHUNK_MS,
  DELETION_CHUNK_TARGET_MS,
  DELETION_CHUNKS_A_TURN,
  DELETION_RESTS,
  DELETION_SHARE_CALM,
  DELETION_SHARE_FIRST,
  DELETION_SHARE_MAX,
  DELETION_STATEMENT_MS,
  DELETIONS_PER_TURN_MAX,
} from '../../core/limits/limits.ts'
import type { EventSelection } from '../events/event-selection.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'
import { failureCode } from '../pool/failures.ts'
import { QUERY_CANCELED, SERIALIZATION_FAILURE } from '../pool/sqlstate.ts'
import { insertAuditEntry } from '../projects/audit-store.ts'
import { listIdsToTell, removeRefusedOf } from './deleted-ids-store.ts'
import {
  type Deleted,
  deleteMatches,
  deleteOldEvents,
  deletePersonEvents,
  type Place,
  walkByIndex,
} from './deletion-chunks.ts'
import {
  haveFlushesEnded,
  isOverdue,
  listNextDeletions,
  noteDeletionError,
  type StoredDeletion,
} from './deletion-store.ts'

export type RunDeletionsDeps = {
  readonly sql: Sql
  readonly clock: Clock
  /**
   * The events that the filters of a deletion select; undefined when none can match.
   * @throws {AppError} when they cannot be read.
   */
  readonly selectionOf: (deletion: StoredDeletion) => Promise<EventSelection | undefined>
  /**
   * Caches forget a deleted person. They are told by the call that deletes it, and again from here:
   * a worker that dies between commit and telling would leave their answers.
   */
  readonly onPersonDeleted: (
    project: ProjectId,
    distinctIds: readonly string[],
    hasMoreIds: boolean,
  ) => Promise<void>
  /** True when the spill holds nothing from before that time (ms since 1970). */
  readonly isSpillPast: (timeMs: number) => Promise<boolean>
  readonly bounds: ChunkBounds
  /** Of deletions that run, by id: what their chunks are divided by. */
  readonly shares: Map<string, number>
}

/** Milliseconds. */
export type ChunkBounds = {
  /** What a chunk is to take: the next one is larger or smaller. */
  readonly targetMs: number
  /** What a statement of a chunk may take at the server, and its whole transaction. */
  readonly statementMs: number
  readonly chunkMs: number
}

export const CHUNK_BOUNDS: ChunkBounds = {
  targetMs: DELETION_CHUNK_TARGET_MS,
  statementMs: DELETION_STATEMENT_MS,
  chunkMs: DELETION_CHUNK_MS,
}

/** What came of one chunk: `waits` when it is not time yet, or another worker is at it. */
type Step = 'more' | 'over' | 'waits'

/**
 * Works on all deletions that run, one of each project in turn, until none has more to do. Killed
 * at any moment, it goes on with the next call; workers that do it at once share the work. For
 * a loop.
 * @param signal ends it between two chunks.
 */
export async function runDeletions(deps: RunDeletionsDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    let isBusy = false
    const next = await listNextDeletions(deps.sql, DELETIONS_PER_TURN_MAX)
    const running = new Set(next.map(({ id }) => id))
    // Of what another worker has ended.
    for (const id of deps.shares.keys()) if (!running.has(id)) deps.shares.delete(id)
    for (const deletion of next) {
      if (signal.aborted) return
      if ((await runTurn(deps, deletion, signal)) !== 'waits') isBusy = true
    }
    if (!isBusy) return
  }
}

/** Rests after each chunk, which leaves four fifths of the disk to others. */
async function runTurn(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  signal: AbortSignal,
): Promise<Step> {
  const { sql, clock, isSpillPast } = deps
  const isEvents = deletion.kind === 'events'
  try {
    // Before the snapshot of a chunk, which must see what they have committed.
    if (!(await haveFlushesEnded(sql, deletion.id))) return 'waits'
    if (isEvents && !(await isSpillPast(Date.parse(deletion.askedAt)))) return 'waits'
    const selection = isEvents ? await deps.selectionOf(deletion) : undefined
    for (let chunk = 0; chunk < DELETION_CHUNKS_A_TURN && !signal.aborted; chunk++) {
      const startedAt = clock.monotonic()
      const step = await tryChunk(deps, deletion, selection)
      if (step !== 'more') return step
      await clock.sleep(DELETION_RESTS * (clock.monotonic() - startedAt), signal).catch(() => {
        // Woken by the abort; the condition above ends the turn.
      })
    }
    return 'more'
  } catch (error) {
    // Somebody else deleted the same events, or a pass of another worker was at the counters.
    if (failureCode(error) === SERIALIZATION_FAILURE) return 'waits'
    await noteDeletionError(
      deps.sql,
      deletion.id,
      error instanceof Error ? error.message : 'failed',
    )
    return 'waits'
  }
}

/** After a chunk that took long, the next one is smaller; after one that was soon done, larger. */
async function tryChunk(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  selection: EventSelection | undefined,
): Promise<Step> {
  const { sql, clock, bounds, shares } = deps
  const { id } = deletion
  const share = shares.get(id) ?? DELETION_SHARE_FIRST
  const startedAt = clock.monotonic()
  const late = new AbortController()
  const cancel = clock.after(bounds.chunkMs, () => late.abort(new ChunkTooSlow()))
  try {
    const chunk = { selection, share }
    const step = await runChunk({ ...deps, sql: sql.endingWith(late.signal) }, deletion, chunk)
    const tookMs = clock.monotonic() - startedAt
    if (step === 'over') shares.delete(id)
    else if (step === 'more') shares.set(id, nextShare(share, tookMs / bounds.targetMs))
    return step
  } catch (error) {
    if (failureCode(error) !== QUERY_CANCELED && !late.signal.aborted) throw error
    shares.set(id, Math.min(4 * share, DELETION_SHARE_MAX))
    if (share === DELETION_SHARE_MAX) throw error
    await noteDeletionError(sql, id, new ChunkTooSlow().message)
    return 'more'
  } finally {
    cancel()
  }
}

/** @param targets how often the target went into the time that the chunk took. */
function nextShare(share: number, targets: number): number {
  if (targets > 2) return Math.max(share, Math.min(2 * share, DELETION_SHARE_CALM))
  return targets < 1 / 2 ? Math.max(share / 2, 1) : share
}

class ChunkTooSlow extends Error {
  override readonly message = 'a chunk took too long, the next one is smaller'
}

type Held = { readonly place: string[] | null; readonly startedAt: string | null }

/** One chunk with its progress, in one transaction over one snapshot. */
async function runChunk(
  { sql, onPersonDeleted, bounds }: RunDeletionsDeps,
  deletion: StoredDeletion,
  { selection, share }: { selection: EventSelection | undefined; share: number },
): Promise<Step> {
  return await sql.begin('isolation level repeatable read', async (tx): Promise<Step> => {
    const held = await hold(tx, deletion)
    if (held === undefined) return 'waits'
    const { startedAt, place } = held
    if (startedAt === null && deletion.kind === 'person') {
      await removeRefusedOf(tx, deletion)
      const { distinctIds, hasMoreIds } = await listIdsToTell(tx, deletion.id)
      await onPersonDeleted(deletion.projectId, distinctIds, hasMoreIds)
    }
    await walkByIndex(tx, bounds.statementMs)
    const done = await deleteSome(tx, deletion, selection, {
      startedAt: startedAt ?? deletion.askedAt,
      place: place ?? undefined,
      share,
    })
    const isOver = done.place === undefined
    await tx`
      update deletions set deleted = deleted + ${done.events},
        place = ${done.place ?? null}::text[],
        started_at = coalesce(started_at, now()), error = null,
        state = ${isOver ? 'completed' : 'running'},
        finished_at = case when ${isOver} then clock_timestamp() end
      where id = ${deletion.id}`
    if (isOver) await auditEnd(tx, deletion.id)
    return isOver ? 'over' : 'more'
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
    from deletions d where id = ${id} and state = 'running' and (
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= asked_xid or ${isOverdue(tx)}
    )
    for no key update skip locked`
  return row
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

/** The entry of a deletion that has ended, with what it deleted, in its transaction. */
export async function auditEnd(tx: Db, id: string): Promise<void> {
  const [row] = await tx<
    (Pick<StoredDeletion, 'projectId' | 'kind' | 'deleted' | 'askedBy' | 'cutoff'> & {
      organizationId: OrganizationId
    })[]
  >`
    select d.project_id as "projectId", d.kind, d.deleted::float8 as deleted,
      d.asked_by as "askedBy", to_char(d.cutoff, 'YYYY-MM-DD') as cutoff,
      p.organization_id as "organizationId"
    from deletions d join projects p on p.id = d.project_id where d.id = ${id}`
  if (row === undefined) return
  const { projectId, organizationId, kind, deleted, askedBy, cutoff } = row
  const change = (field: string, after: string | number) =>
    ({ field, action: 'created', before: null, after }) as const
  await insertAuditEntry(tx, {
    id: uuidv7(),
    ...{ organizationId, projectId, userId: askedBy, keyId: null },
    ...{ activity: 'completed', scope: 'Deletion', itemId: id, itemName: kind, itemVersion: null },
    changes: [change('deleted', deleted), ...(cutoff === null ? [] : [change('cutoff', cutoff)])],
    snapshot: undefined,
  })
}
