/**
 * One flush of the writer, from its batches to the outcome of each: statements, retries, dead
 * letters.
 */

import type { ProjectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { IngestEvent } from '../events/event.ts'
import type { PersonsChanged } from '../events/event-batch.ts'
import type { LiveHub } from '../events/live/live-hub.ts'
import { type Loss, lossOf } from '../events/warnings/ingestion-warning.ts'
import { type BisectSteps, bisect } from './bisect.ts'
import { HELD } from './outcomes.ts'
import type { QueuedBatch } from './queue.ts'
import { type RetryDeps, retryStore } from './retry-store.ts'
import { type FlushResult, type FlushRow, type IngestStore, StoreError } from './store-port.ts'
import type { WriterOutcome } from './writer-port.ts'

/** Outcomes of the batches of a flush. */
type Counts = { stored: number; duplicates: number; deadLetters: number }

/** Adds up the outcomes of the rows of a flush, by batch, over all its statements. */
export class FlushTally {
  readonly rows: readonly FlushRow[]
  readonly changed: PersonsChanged[] = []
  readonly #batches: (Counts & { missing: boolean; held: boolean })[]

  constructor(batches: readonly QueuedBatch[]) {
    this.#batches = batches.map(() => ({
      stored: 0,
      duplicates: 0,
      deadLetters: 0,
      missing: false,
      held: false,
    }))
    this.rows = batches.flatMap(({ batch: { projectId, events, ackedAtMs } }, batch) =>
      events.map((event) => ({ projectId, event, batch, ackedAtMs })),
    )
  }

  /** @returns the counts of these rows alone. */
  add(rows: readonly FlushRow[], result: FlushResult): Counts {
    const counts = { stored: 0, duplicates: 0, deadLetters: 0 }
    const duplicates = new Set(result.duplicates)
    const deleted = new Set(result.acked?.deleted)
    const held = new Set(result.acked?.held)
    for (const [position, row] of rows.entries()) {
      const batch = this.#batches[row.batch]
      if (batch === undefined || deleted.has(position)) continue
      if (held.has(position)) {
        batch.held = true
        continue
      }
      if (result.missingProjects.has(row.projectId)) {
        batch.missing = true
        continue
      }
      const kind = duplicates.has(position) ? 'duplicates' : 'stored'
      batch[kind] += 1
      counts[kind] += 1
    }
    this.changed.push(...result.changed)
    return counts
  }

  addDeadLetter(row: FlushRow): Counts {
    const batch = this.#batches[row.batch]
    if (batch !== undefined) batch.deadLetters += 1
    return { stored: 0, duplicates: 0, deadLetters: 1 }
  }

  outcome(index: number): WriterOutcome {
    const batch = this.#batches[index]
    if (batch === undefined || batch.missing) return { kind: 'no_project' }
    if (batch.held) return HELD
    const { stored, duplicates, deadLetters } = batch
    return { kind: 'stored', stored, duplicates, deadLetters }
  }
}

/** Age of its oldest batch up to which a flush is retried. */
export const FLUSH_DEADLINE_MS = 4_000

export type FlushCounts = {
  readonly stored: number
  readonly duplicates: number
  readonly deadLetters: number
}

export type FlushDeps = RetryDeps & {
  readonly store: IngestStore
  readonly log: Log
  onCommitted(counts: FlushCounts): void
  /** Rows that are not among the stored ones after this flush, all of one project and reason. */
  readonly onLost?: ((projectId: number, losses: readonly Loss[]) => void) | undefined
  /** One attempt at a flush has ended, `ms` after it began. */
  readonly onAttempt?: ((outcome: 'committed' | 'failed', ms: number) => void) | undefined
  /** Receives the stored events. */
  readonly live?: Pick<LiveHub, 'stored' | 'uncertain'> | undefined
}

export type FlushOptions = {
  readonly slot: number
  /** Rows of one statement. */
  readonly rowsMax: number
  /** False once the batches have been answered: the attempt under way ends, and none is retried. */
  isWanted(): boolean
  /** The store has answered, if only that it refuses. */
  onAnswered(): void
  onCommitted(counts: FlushCounts): void
}

/**
 * Writes the batches of a flush, in pieces and with retries, and adds up their outcomes in `tally`.
 * Rows that the store refuses become dead letters.
 * @throws {StoreError} when the rest could not be written; rows in `tally` were.
 */
export async function flushBatches(
  deps: FlushDeps,
  batches: readonly QueuedBatch[],
  tally: FlushTally,
  { slot, rowsMax, isWanted, onAnswered, onCommitted }: FlushOptions,
): Promise<void> {
  const { store, log, clock, random } = deps
  const oldest = Math.min(...batches.map((entry) => entry.queuedAt))
  const until = { deadline: oldest + FLUSH_DEADLINE_MS, isWanted }
  const attempt = <T>(work: () => Promise<T>): Promise<T> =>
    retryStore({ clock, random }, until, async () => {
      try {
        const result = await work()
        onAnswered()
        return result
      } catch (error) {
        if (isAnswer(error)) onAnswered()
        throw error
      }
    })
  const steps: BisectSteps<FlushRow> = {
    flush: async (rows) => {
      const result = await attempt(() => timedFlush(deps, slot, rows))
      onCommitted(tally.add(rows, result))
      deps.live?.stored(rows, isNewIn(rows, result))
      tellLost(deps, rows, result)
    },
    giveUp: async (row, error) => {
      if (!(error instanceof StoreError)) throw error
      await attempt(() => store.deadLetter(slot, row, error))
      onCommitted(tally.addDeadLetter(row))
      deps.onLost?.(row.projectId, [lossOf('dead_letter', row.event)])
      // The message may quote the event.
      log.warn('event refused by the store, kept as dead letter', {
        project: row.projectId,
        uuid: row.event.uuid,
        sqlstate: error.code,
      })
    },
    isRowAtFault: (error) => error instanceof StoreError && error.kind === 'data',
  }
  // Only a single large batch has more rows: one statement for all might outlast its attempt.
  for (let from = 0; from < tally.rows.length; from += rowsMax) {
    await bisect(tally.rows.slice(from, from + rowsMax), steps)
  }
}

/** Whether the row at a position was stored by this flush. Computed at the first call. */
function isNewIn(rows: readonly FlushRow[], result: FlushResult): (position: number) => boolean {
  let others: Set<number> | undefined
  return (position) => {
    const { duplicates, missingProjects, acked } = result
    others ??= new Set([...duplicates, ...(acked?.deleted ?? []), ...(acked?.held ?? [])])
    const project = rows[position]?.projectId
    return project !== undefined && !others.has(position) && !missingProjects.has(project)
  }
}

function tellLost({ onLost }: FlushDeps, rows: readonly FlushRow[], result: FlushResult): void {
  tellOf(result.duplicates, (event) => lossOf('duplicate', event))
  // Reported without ids: their persons are deleted.
  tellOf(result.acked?.deleted ?? [], () => ({ reason: 'deleted_person', ...NOBODY }))

  function tellOf(positions: readonly number[], toLoss: (event: IngestEvent) => Loss): void {
    const lost = new Map<ProjectId, Loss[]>()
    for (const position of positions) {
      const row = rows[position]
      if (row === undefined) continue
      const losses = lost.get(row.projectId) ?? []
      losses.push(toLoss(row.event))
      lost.set(row.projectId, losses)
    }
    for (const [project, losses] of lost) onLost?.(project, losses)
  }
}

const NOBODY = { event: '', distinctId: '', uuid: '' }

async function timedFlush(
  { store, clock, onAttempt, live }: FlushDeps,
  slot: number,
  rows: readonly FlushRow[],
): Promise<FlushResult> {
  const startedAt = clock.monotonic()
  try {
    const result = await store.flush(slot, rows)
    onAttempt?.('committed', clock.monotonic() - startedAt)
    return result
  } catch (error) {
    onAttempt?.('failed', clock.monotonic() - startedAt)
    // It may have committed: the next attempt then finds its rows stored, and notifies no stream.
    if (!isAnswer(error)) live?.uncertain(rows)
    throw error
  }
}

/** An unreachable store gives no answer, and a defect of ours is no answer of the store. */
function isAnswer(error: unknown): boolean {
  return error instanceof StoreError && (error.kind === 'data' || error.kind === 'conflict')
}
