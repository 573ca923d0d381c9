/** Audit entries about the instance rather than one organization: writing and reading them. */
import type { AdminServiceDefinition } from '../../proto/gen/sluice/v1/AdminService.ts'
import type { DrainResponse } from '../../proto/gen/sluice/v1/DrainResponse.ts'
import type { Principal } from '../access/principal.ts'
import type { ProjectId } from '../core/ids.ts'
import type { JsonObject } from '../core/json.ts'
import type { Db } from '../postgres/db.ts'
import { findProject } from '../store/projects/project-store.ts'
import { pageOf } from '../wire/page.ts'
import type { ServiceHandlers } from '../wire/service-handlers.ts'
import { pageOfActivity } from './activity-page.ts'
import { auditFacts } from './audit.ts'

/** Author of an operation: null for the operator, who has a token and no name. */
type Doer = Pick<Principal, 'userId' | 'keyId'> | null
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

/** An entry of an operation of the operator, or of staff, on the instance. */
export async function auditOperator(
  tx: Db,
  activity: string,
  item: string,
  facts: JsonObject,
  principal: Doer = null,
): Promise<void> {
  const entry = { scope: 'Instance', activity, itemId: item, itemName: null, facts } as const
  await auditFacts(tx, { principal, access: {} }, entry)
}

/** Records that a worker was told to give up its shards. */
export async function auditDrained(
  db: Db,
  { address = '', released = 0 }: DrainResponse,
  principal: Doer = null,
): Promise<void> {
  await auditOperator(db, 'drained', address, { released }, principal)
}

/** Records replayed or discarded dead letters in the activity of their project. */
export async function auditDeadLetters(
  tx: Db,
  what: 'replayed' | 'discarded',
  project: ProjectId,
  counts: JsonObject,
  principal: Doer = null,
): Promise<void> {
  const found = await findProject(tx, project)
  // The project is gone, and its activity with it.
  if (found === undefined) return
  const { organizationId } = found
  const place = { principal, access: { organizationId, projectId: project } }
  const entry = { scope: 'Event', itemId: project, itemName: null, facts: counts } as const
  await auditFacts(tx, place, { ...entry, activity: `dead_letters_${what}` })
}
