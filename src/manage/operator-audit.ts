/** What concerns the instance and none of its organizations: entries of the log, and their reading. */
import type { AdminServiceDefinition } from '../../proto/gen/sluice/v1/AdminService.ts'
import type { DrainResponse } from '../../proto/gen/sluice/v1/DrainResponse.ts'
import type { JsonObject } from '../core/json.ts'
import type { Db } from '../store/pool/db.ts'
import { pageOf } from '../wire/page.ts'
import type { ServiceHandlers } from '../wire/service-handlers.ts'
import { pageOfActivity } from './activity-page.ts'
import { auditFacts } from './audit.ts'

const OPERATOR = { principal: null, access: {} }
const PAGE_ROWS = { limit_default: 0, limit_max: 0 }

/** Not guarded: `createAdminHandlers` does that. */
export function createOperatorActivity(
  db: Db,
): Pick<ServiceHandlers<AdminServiceDefinition>, 'ListInstanceActivity'> {
  return {
    ListInstanceActivity: (request) =>
      pageOfActivity(db, { place: 'instance' }, pageOf(PAGE_ROWS, request)),
  }
}

/** An entry of what the operator has done to the instance. */
export async function auditOperator(
  tx: Db,
  activity: string,
  item: string,
  facts: JsonObject,
): Promise<void> {
  const entry = { scope: 'Instance', activity, itemId: item, itemName: null, facts } as const
  await auditFacts(tx, OPERATOR, entry)
}

/** Of a worker that was told to give up its shards. */
export async function auditDrained(
  db: Db,
  { address = '', released = 0 }: DrainResponse,
): Promise<void> {
  await auditOperator(db, 'drained', address, { released })
}
