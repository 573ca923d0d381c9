/** Counter of events that ingestion drops, refuses and changes. */

import type { Metrics } from '../../core/metrics/metrics.ts'
import { NO_PROJECT_ID } from './ingestion-warning.ts'
import type { WarningReason } from './warning-reasons.ts'

/** Projects that have a label of their own in the figures of a process. */
export const WARNING_LABEL_PROJECTS_MAX = 50

export type OnWarned = (reason: WarningReason, projectId: number, events: number) => void

/**
 * Counts by reason and project. The first projects that lose events in this process get labels of
 * their own until it ends; later ones share `other`. Losses without a project count as `none`.
 */
export function warningMetrics(metrics: Pick<Metrics, 'counters'>): OnWarned {
  const dropped = metrics.counters(
    'sluice_events_dropped_total',
    'Events dropped, refused or changed; a request that was not read counts as one.',
    ['reason', 'project'],
  )
  const named = new Set<number>()
  const labelOf = (projectId: number): string => {
    if (projectId === NO_PROJECT_ID) return 'none'
    if (named.size < WARNING_LABEL_PROJECTS_MAX) named.add(projectId)
    return named.has(projectId) ? String(projectId) : 'other'
  }
  return (reason, projectId, events) => dropped.labels(reason, labelOf(projectId)).inc(events)
}
