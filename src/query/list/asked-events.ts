/** Counts how often lists ask for an event by its name. */
import { cleanText } from '../../core/clean-text.ts'
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_NAME_LENGTH_MAX } from '../../core/limits/limits.ts'

/** How often lists have asked for one event since the counts were last written. */
export type AskedEvent = {
  readonly projectId: ProjectId
  readonly event: string
  readonly count: number
}

export type AskedEvents = {
  add(project: ProjectId, event: string): void
  /**
   * Hands all counts to `write`, one call at a time. Counts of a failed call are kept for the next
   * one. They may have been written already, so counts are approximate.
   */
  flush(): Promise<void>
}

/**
 * Counts in memory, so that a list costs no write. It holds at most `entriesMax` names. Further
 * names are not counted until the next flush.
 */
export function createAskedEvents(
  write: (counts: readonly AskedEvent[]) => Promise<void>,
  options: { entriesMax: number },
): AskedEvents {
  let counts = new Map<string, AskedEvent>()
  let flushing: Promise<void> = Promise.resolve()

  const add = ({ projectId, event, count }: AskedEvent) => {
    // The bound is in code points, of which each has at most two code units. No stored event has a
    // longer name.
    if (event.length > 2 * EVENT_NAME_LENGTH_MAX) return
    const key = `${projectId} ${event}`
    const known = counts.get(key)
    if (known === undefined && counts.size >= options.entriesMax) return
    counts.set(key, { projectId, event, count: count + (known?.count ?? 0) })
  }
  const writeAll = async () => {
    if (counts.size === 0) return
    const taken = [...counts.values()]
    counts = new Map()
    try {
      await write(taken)
    } catch (error) {
      taken.forEach(add)
      throw error
    }
  }
  return {
    // Names of stored events have been cleaned in the same way.
    add: (projectId, event) => add({ projectId, event: cleanText(event), count: 1 }),
    flush() {
      const flush = flushing.then(writeAll)
      flushing = flush.catch(() => {
        // The caller of that flush gets the failure.
      })
      return flush
    },
  }
}
