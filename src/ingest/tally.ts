/** Outcomes of the batches of a flush. */

import type { PersonsChanged } from '../events/event-batch.ts'
import { HELD } from './outcomes.ts'
import type { QueuedBatch } from './queue.ts'
import type { FlushResult, FlushRow } from './store-port.ts'
import type { WriterOutcome } from './writer-port.ts'

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
