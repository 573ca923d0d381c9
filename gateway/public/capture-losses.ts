/** Counts what the capture routes refuse. */

import type { Code } from '../../src/core/code.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import { type Losses, lossOf, NO_PROJECT_ID } from '../../src/events/warnings/ingestion-warning.ts'
import type { WarningCounts } from '../../src/events/warnings/warning-counts.ts'
import { reasonForm, type WarningReason } from '../../src/events/warnings/warning-reasons.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import type { PublicError } from './public-errors.ts'

/** The events of one request that were sent to a worker. */
export type SentEvents = {
  readonly project: GatewayProject
  readonly count: number
  /** Undefined where a thread has encoded them. */
  readonly events?: readonly IngestEvent[]
}

const REASONS: Readonly<Partial<Record<PublicError, WarningReason>>> = {
  invalid_project: 'unknown_key',
  invalid_api_key: 'unknown_key',
  invalid_personal_api_key: 'unknown_key',
  no_scope_event_write: 'unknown_key',
  throttled: 'over_limit',
  invalid_payload: 'unreadable',
  malformed_data: 'unreadable',
  no_data: 'unreadable',
  request_too_large: 'request_too_large',
  server_error: 'overloaded',
  fetch_team_fail: 'unavailable',
  internal: 'internal_error',
}

/** Counts one request without accepted events. A known project means that it was read. */
export function countRefused(
  warnings: Pick<WarningCounts, 'count'>,
  error: PublicError,
  project?: GatewayProject,
): void {
  const reason = REASONS[error]
  if (reason === undefined) return
  const isEvent = reason === 'request_too_large' && project !== undefined
  warnings.count(project?.id ?? NO_PROJECT_ID, isEvent ? 'too_large' : reason, 1)
}

export function countUnstored(
  warnings: Pick<WarningCounts, 'count' | 'loseAll'>,
  { project, count, events }: SentEvents,
  reason: WarningReason,
): void {
  if (events === undefined) warnings.count(project.id, reason, count)
  else {
    const losses = events.map((event) => lossOf(reason, event))
    warnings.loseAll(project.id, losses)
  }
}

/**
 * @param code of src/core/code.ts, that a worker answered or that no worker did.
 * @param reason of the worker, which knows of its spill; empty where it says none.
 */
export function reasonOfCode(code: string, reason = ''): WarningReason {
  if (reason === ('spill_full' satisfies WarningReason)) return 'spill_full'
  switch (code as Code) {
    case 'not_found':
      return 'removed_project'
    case 'resource_exhausted':
      return 'overloaded'
    case 'unavailable':
    case 'deadline_exceeded':
      return 'unavailable'
    default:
      return 'internal_error'
  }
}

/** `no_name=1, no_distinct_id=2`. */
export function droppedText({ counts }: Losses): string {
  return Object.entries(counts)
    .filter(([reason]) => reasonForm(reason)?.effect === 'dropped')
    .map(([reason, count]) => `${reason}=${count}`)
    .join(', ')
}
