/** Handlers of `IngestionWarningService`. */
import type { DroppedEvents } from '../../../proto/gen/sluice/v1/DroppedEvents.ts'
import type { IngestionWarning } from '../../../proto/gen/sluice/v1/IngestionWarning.ts'
import type { IngestionWarningServiceDefinition } from '../../../proto/gen/sluice/v1/IngestionWarningService.ts'
import { reasonForm } from '../../events/warnings/warning-reasons.ts'
import type { Db } from '../../postgres/db.ts'
import { type DroppedCount, droppedOf } from '../../store/warnings/dropped-store.ts'
import {
  countWarnings,
  listWarnings,
  type StoredWarning,
} from '../../store/warnings/ingestion-warning-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { toWireStruct } from '../wire-value.ts'

const SERVICE = '/sluice.v1.IngestionWarningService'

export type IngestionWarningHandlersDeps = { readonly management: Management; readonly db: Db }

export function createIngestionWarningHandlers({
  management,
  db,
}: IngestionWarningHandlersDeps): ServiceHandlers<IngestionWarningServiceDefinition> {
  return {
    ListIngestionWarnings: management.underProject(`${SERVICE}/ListIngestionWarnings`, {
      async run({ request, access: { projectId } }) {
        const [count, warnings, dropped] = await Promise.all([
          countWarnings(db, projectId),
          listWarnings(db, projectId, request),
          droppedOf(db, projectId),
        ])
        return {
          count,
          results: warnings.map(toIngestionWarning),
          since: dropped.since,
          last_hour: dropped.rows.map(toDroppedEvents),
        }
      },
    }),
  }
}

/** A reason of another release has no words here. */
function toDroppedEvents({ reason, count }: DroppedCount): DroppedEvents {
  const form = reasonForm(reason)
  const { effect = '', meaning = '', advice = '' } = form ?? {}
  return { reason, effect, count, meaning, advice }
}

function toIngestionWarning(warning: StoredWarning): IngestionWarning {
  return {
    type: warning.type,
    details: toWireStruct(warning.details),
    count: warning.count,
    first_seen_at: warning.firstSeenAt,
    last_seen_at: warning.lastSeenAt,
  }
}
