import type { ProjectId } from '../../core/ids.ts'
import { EVENT_NAME_LENGTH_MAX } from '../../core/limits/limits.ts'
import { cleanText } from '../../core/validation/clean-text.ts'

/** How often lists have asked for an event by its name since the counts were last written. */
export type AskedEvent = {
  readonly projectId: ProjectId
  readonly event: string
  readonly count: number
}

export type AskedEvents = {
  add(project: ProjectId, event: string): void
  /**
   * Hands all counts to `write`, at most one call at a time. What a failed call was given is counted
   * on; whether it had been written is unknown then, and counts are no promise.
   */
  flush(): Promise<void>
}

/**
 * Counts in memory, so that a list costs no write. At most `entriesMax` names are held; what comes
 * on top is not counted until the next flush.
 */
export function createAskedEvents(
  write: (counts: readonly AskedEvent[]) => Promise<void>,
  options: { entriesMax: number },
): AskedEvents {
  let counts = new Map<string, AskedEvent>()
  let flushing: Promise<void> = Promise.resolve()

  const add = ({ projectId, event, count }: AskedEvent) => {
    // In code units, of which a code point has two at most. No stored event has a longer name.
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
    // As the names of stored events have been cleaned.
    add: (projectId, event) => add({ projectId, event: cleanText(event), count: 1 }),
    flush() {
      const flush = flushing.then(writeAll)
      flushing = flush.catch(() => {
        // Whoever asked for that flush has the failure; the next one starts clean.
      })
      return flush
    },
  }
}
