/** Audit entry of a deletion that has ended. */
import { v7 as uuidv7 } from 'uuid'
import type { OrganizationId } from '../core/ids.ts'
import type { Db } from '../postgres/db.ts'
import { insertAuditEntry } from '../store/audit/audit-store.ts'
import type { StoredDeletion } from './deletion-store.ts'

/** The entry of a deletion that has ended, with what it deleted, in its transaction. */
export async function auditEnd(
  tx: Db,
  id: string,
  activity: 'completed' | 'cancelled' = 'completed',
): Promise<void> {
  const [row] = await tx<
    (Pick<StoredDeletion, 'projectId' | 'kind' | 'deleted' | 'askedBy' | 'cutoff'> & {
      organizationId: OrganizationId
    })[]
  >`
    select d.project_id as "projectId", d.kind, d.deleted::float8 as deleted,
      d.asked_by as "askedBy", to_char(d.cutoff, 'YYYY-MM-DD') as cutoff,
      p.organization_id as "organizationId"
    from deletions d join projects p on p.id = d.project_id where d.id = ${id}`
  if (row === undefined) return
  const { projectId, organizationId, kind, deleted, askedBy, cutoff } = row
  const change = (field: string, after: string | number) =>
    ({ field, action: 'created', before: null, after }) as const
  await insertAuditEntry(tx, {
    id: uuidv7(),
    organizationId,
    projectId,
    userId: askedBy,
    keyId: null,
    activity,
    scope: 'Deletion',
    itemId: id,
    itemName: kind,
    itemVersion: null,
    changes: [change('deleted', deleted), ...(cutoff === null ? [] : [change('cutoff', cutoff)])],
    snapshot: undefined,
  })
}
