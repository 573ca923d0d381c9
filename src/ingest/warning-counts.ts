/** Counts the warnings of ingestion, so that a flush does not wait for them. */

import type { ProjectId } from '../core/ids.ts'
import { WARNED_PROJECTS_MAX, WARNINGS_PER_PROJECT_MAX } from '../core/limits/limits.ts'
import type { IngestionWarning } from './ingestion-warning.ts'

/** Warnings of one type about one subject since the last write: the newest, and how many. */
export type CountedWarning = { readonly warning: IngestionWarning; readonly count: number }

export type WarningCounts = {
  add(warnings: readonly IngestionWarning[]): void
  /**
   * Hands all counts to `write`, one call at a time. Counts of a failed call are kept for the next
   * one. They may have been written already, so counts are approximate.
   */
  flush(): Promise<void>
}

/** Counts in memory, a bounded number for each project; beyond that warnings are not kept. */
export function createWarningCounts(
  write: (warnings: readonly CountedWarning[]) => Promise<void>,
): WarningCounts {
  let projects = new Map<ProjectId, Map<string, CountedWarning>>()
  let flushing: Promise<void> = Promise.resolve()

  const add = ({ warning, count }: CountedWarning) => {
    const { projectId, type, subject } = warning
    const counts = projects.get(projectId) ?? new Map<string, CountedWarning>()
    if (counts.size === 0) {
      if (projects.size >= WARNED_PROJECTS_MAX) return
      projects.set(projectId, counts)
    }
    const key = `${type} ${subject}`
    const known = counts.get(key)
    if (known === undefined && counts.size >= WARNINGS_PER_PROJECT_MAX) return
    counts.set(key, { warning, count: count + (known?.count ?? 0) })
  }
  const writeAll = async () => {
    if (projects.size === 0) return
    const taken = [...projects.values()].flatMap((counts) => [...counts.values()])
    projects = new Map()
    try {
      await write(taken)
    } catch (error) {
      taken.forEach(add)
      throw error
    }
  }
  return {
    add(warnings) {
      for (const warning of warnings) add({ warning, count: 1 })
    },
    flush() {
      const flush = flushing.then(writeAll)
      flushing = flush.catch(() => {
        // The caller of that flush gets the failure.
      })
      return flush
    },
  }
}
