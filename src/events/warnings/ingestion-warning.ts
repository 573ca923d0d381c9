/**
 * Warnings to a project that ingestion dropped, refused or changed an event, each with its reason.
 */

import type { JsonObject } from '../../core/json.ts'
import type { IngestEvent } from '../event.ts'
import { WARNING_REASONS, type WarningReason } from './warning-reasons.ts'

/** Project id of losses without a project; only the operator sees them. */
export const NO_PROJECT_ID = 0

/** One event as people see it. It holds no properties. */
export type IngestionWarning = {
  readonly projectId: number
  readonly type: WarningReason
  /** Subject of the warning: warnings of one type about one subject are counted together. */
  readonly subject: string
  /** Details of the newest one; their size is bounded by the inputs. */
  readonly details: JsonObject
}

/** One event that a rule dropped or changed. */
export type Loss = {
  readonly reason: WarningReason
  readonly event: string
  readonly distinctId: string
  readonly uuid: string
  /** Value that the client sent in place of the stored one. */
  readonly given?: string
  /** Place of a dropped item in its batch, from 0. */
  readonly index?: number
}

/** The losses of one request. The list holds the first of them, the counts all. */
export type Losses = {
  readonly counts: Partial<Record<WarningReason, number>>
  readonly samples: readonly Loss[]
}

export function lossWarning(projectId: number, loss: Loss): IngestionWarning {
  const { reason, event, distinctId, uuid, given, index } = loss
  return {
    projectId,
    type: reason,
    subject: distinctId || event || (index === undefined ? '' : `item ${index}`),
    details: {
      distinct_id: distinctId,
      event,
      event_uuid: uuid,
      ...(given === undefined ? {} : { given }),
      ...(index === undefined ? {} : { index }),
      message: WARNING_REASONS[reason].meaning,
    },
  }
}

/** The loss of a whole event. */
export function lossOf(reason: WarningReason, { event, distinctId, uuid }: IngestEvent): Loss {
  return { reason, event, distinctId, uuid }
}
