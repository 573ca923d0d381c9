/** Deletes in the background what was asked for, chunk by chunk. */

import { DELETION_RESTS } from '../core/limits/limits.ts'
import { isInClickHouse } from '../event-store/months/home.ts'
import { failureCode } from '../postgres/failures.ts'
import { QUERY_CANCELED, SERIALIZATION_FAILURE } from '../postgres/sqlstate.ts'
import {
  haveFlushesEnded,
  listNextDeletions,
  noteDeletionError,
  type StoredDeletion,
} from './deletion-store.ts'
import { cancelUnwantedPass } from './retention-store.ts'
import {
  type ChunkBounds,
  EventsMoved,
  endDeletion,
  type RunDeletionsDeps,
  runChunk,
  type Step,
} from './run-chunk.ts'
import { findNext, isUsedUp, runFoundChunk } from './run-found.ts'

/** Target time of a chunk: captures that are stored meanwhile wait for its log to be written. */
const DELETION_CHUNK_TARGET_MS = 25
/** A chunk that takes longer is cut, and tried again with a quarter of the events, 20 at least. */
const DELETION_STATEMENT_MS = 10_000
/** Time limit of the whole transaction of a chunk; then its connection is given up. */
const DELETION_CHUNK_MS = 40_000
export const DELETION_SHARE_MAX = 256
/** Divisor of the first chunk of a deletion, while its duration is unknown. */
const DELETION_SHARE_FIRST = 8
/** Largest divisor after a missed target: on a busy machine every chunk is slow. */
const DELETION_SHARE_CALM = 16
/** Deletions under way that one worker looks at in a turn; one of each project. */
const DELETIONS_PER_TURN_MAX = 100
/** Chunks of one deletion before the next one has its turn. */
const DELETION_CHUNKS_A_TURN = 8

export const CHUNK_BOUNDS: ChunkBounds = {
  targetMs: DELETION_CHUNK_TARGET_MS,
  statementMs: DELETION_STATEMENT_MS,
  chunkMs: DELETION_CHUNK_MS,
}

/**
 * Works on all running deletions, one of each project in turn, until none has more to do. Killed at
 * any moment, the next call resumes; workers that run it at once share the work. Meant for a loop.
 * @param signal ends it between two chunks.
 */
export async function runDeletions(deps: RunDeletionsDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    let isBusy = false
    const next = await listNextDeletions(deps.sql, DELETIONS_PER_TURN_MAX)
    const running = new Set(next.map(({ id }) => id))
    // Forgets deletions that another worker has ended.
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
    // Another worker died before the end.
    if (deletion.isWalked) return await end(deps, deletion)
    if (deletion.kind === 'retention' && (await cancelUnwantedPass(sql, deletion.id))) return 'over'
    // Checked before the snapshot of a chunk, which must see what the flushes have committed.
    if (!(await haveFlushesEnded(sql, deletion.id))) return 'waits'
    if (isEvents && !(await isSpillPast(Date.parse(deletion.askedAt)))) return 'waits'
    const turn = await openTurn(deps, deletion, signal)
    if (turn === undefined) return 'waits'
    for (let chunk = 0; chunk < DELETION_CHUNKS_A_TURN && !signal.aborted; chunk++) {
      const startedAt = clock.monotonic()
      const step = await tryChunk(deps, deletion, turn.run)
      if (step === 'over') return await end(deps, deletion)
      if (step === 'waits') return step
      await clock.sleep(DELETION_RESTS * (clock.monotonic() - startedAt), signal).catch(() => {
        // Woken by the abort; the condition above ends the turn.
      })
      if (turn.isUsedUp()) break
    }
    return 'more'
  } catch (error) {
    // Another deletion removed the same events, or a pass of another worker was at the counters.
    if (failureCode(error) === SERIALIZATION_FAILURE || error instanceof EventsMoved) return 'waits'
    if (signal.aborted) return 'waits'
    await noteDeletionError(
      deps.sql,
      deletion.id,
      error instanceof Error ? error.message : 'failed',
    )
    return 'waits'
  }
}

async function end({ sql, shares }: RunDeletionsDeps, deletion: StoredDeletion): Promise<Step> {
  await endDeletion(sql, deletion)
  shares.delete(deletion.id)
  return 'over'
}

type RunOne = (own: RunDeletionsDeps, share: number) => Promise<Step>

/** Chunks of one turn, and whether they are used up. */
type Turn = { readonly run: RunOne; readonly isUsedUp: () => boolean }

/**
 * Opens a turn. Where only ClickHouse may hold events, it searches there once, before any row is
 * locked: the search may take its time, which no chunk has.
 */
async function openTurn(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  signal: AbortSignal,
): Promise<Turn | undefined> {
  if (await isInClickHouse(deps.sql)) {
    const chunks = DELETION_CHUNKS_A_TURN
    const found = await findNext(deps, deletion, { chunks, share: shareOf(deps, deletion), signal })
    return (
      found && {
        run: (own, share) => runFoundChunk(own, deletion, found, share),
        isUsedUp: () => isUsedUp(found),
      }
    )
  }
  const selection = deletion.kind === 'events' ? await deps.selectionOf(deletion) : undefined
  return {
    run: (own, share) => runChunk(own, deletion, { selection, share }),
    isUsedUp: () => false,
  }
}

function shareOf({ shares }: RunDeletionsDeps, { id }: StoredDeletion): number {
  return shares.get(id) ?? DELETION_SHARE_FIRST
}

/** Runs a chunk, and makes the next one smaller after a slow chunk, larger after a fast one. */
async function tryChunk(
  deps: RunDeletionsDeps,
  deletion: StoredDeletion,
  run: RunOne,
): Promise<Step> {
  const { sql, clock, bounds, shares } = deps
  const { id } = deletion
  const share = shareOf(deps, deletion)
  const startedAt = clock.monotonic()
  const late = new AbortController()
  const cancel = clock.after(bounds.chunkMs, () => late.abort(new ChunkTooSlow()))
  try {
    const step = await run({ ...deps, sql: sql.withSignal(late.signal) }, share)
    const tookMs = clock.monotonic() - startedAt
    if (step === 'more') shares.set(id, nextShare(share, tookMs / bounds.targetMs))
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
