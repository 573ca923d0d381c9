import type { PersonsChanged } from '../project/ports.ts'
import type { QueuedGroup } from './queue.ts'
import type { FlushResult, FlushRow } from './store-port.ts'
import type { WriterOutcome } from './writer-port.ts'

/** A row that knows which group of the batch it came with. */
export type TalliedRow = FlushRow & { readonly group: number }

type Counts = { stored: number; duplicates: number; deadLetters: number }

/** Adds up what became of the rows of a batch, by group, over all flushes it took. */
export class FlushTally {
  readonly rows: readonly TalliedRow[]
  readonly changed: PersonsChanged[] = []
  readonly #groups: (Counts & { missing: boolean })[]

  constructor(batch: readonly QueuedGroup[]) {
    this.#groups = batch.map(() => ({ stored: 0, duplicates: 0, deadLetters: 0, missing: false }))
    this.rows = batch.flatMap(({ group: { projectId, events } }, group) =>
      events.map((event) => ({ projectId, event, group })),
    )
  }

  /** @returns the counts of these rows alone. */
  add(rows: readonly TalliedRow[], result: FlushResult): Counts {
    const counts = { stored: 0, duplicates: 0, deadLetters: 0 }
    const duplicates = new Set(result.duplicates)
    for (const [position, row] of rows.entries()) {
      const group = this.#groups[row.group]
      if (group === undefined) continue
      if (result.missingProjects.has(row.projectId)) {
        group.missing = true
        continue
      }
      const kind = duplicates.has(position) ? 'duplicates' : 'stored'
      group[kind] += 1
      counts[kind] += 1
    }
    this.changed.push(...result.changed)
    return counts
  }

  addDeadLetter(row: TalliedRow): Counts {
    const group = this.#groups[row.group]
    if (group !== undefined) group.deadLetters += 1
    return { stored: 0, duplicates: 0, deadLetters: 1 }
  }

  outcome(index: number): WriterOutcome {
    const group = this.#groups[index]
    if (group === undefined || group.missing) return { kind: 'no_project' }
    const { stored, duplicates, deadLetters } = group
    return { kind: 'stored', stored, duplicates, deadLetters }
  }
}
