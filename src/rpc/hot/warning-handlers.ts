/** `ReportWarnings`: counts of events that gateways have dropped, refused and changed. */

import type { IngestServiceDefinition } from '../../../proto/gen/sluice/v1/IngestService.ts'
import { isObject } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { WarningReason } from '../../events/warnings/warning-reasons.ts'
import type { Sql } from '../../postgres/connect.ts'
import { addWarnings } from '../../store/warnings/ingestion-warning-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { MemberAuth } from '../server/member-auth.ts'

export type WarningHandlersDeps = {
  readonly memberAuth: MemberAuth
  /** A call that it does not answer fails; the gateway reports again. */
  readonly sql: Sql
}

export function createWarningHandlers({
  memberAuth,
  sql,
}: WarningHandlersDeps): Pick<ServiceHandlers<IngestServiceDefinition>, 'ReportWarnings'> {
  return {
    async ReportWarnings({ samples, counts }, context) {
      memberAuth(context)
      await addWarnings(sql, {
        samples: samples.map(({ project_id: projectId, reason, subject, details, count }) => {
          const read = parseJson(details)
          // A newer gateway may know of more reasons: they are stored all the same.
          const type = reason as WarningReason
          return {
            warning: { projectId, type, subject, details: isObject(read) ? read : {} },
            count,
          }
        }),
        counts: counts.map(({ project_id: projectId, reason, age_ms: ageMs, count }) => {
          return { projectId, type: reason, ageMs, count }
        }),
      })
      return {}
    },
  }
}
