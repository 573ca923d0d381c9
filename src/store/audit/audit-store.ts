/** Writes entries of the audit log. */
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'

export type AuditChange = {
  readonly field: string
  readonly action: 'created' | 'changed' | 'deleted'
  readonly before: Json
  readonly after: Json
}

export type NewAuditEntry = {
  readonly id: string
  readonly organizationId: OrganizationId | null
  readonly projectId: ProjectId | null
  readonly userId: UserId | null
  readonly keyId: string | null
  readonly activity: string
  readonly scope: string
  readonly itemId: string
  readonly itemName: string | null
  readonly itemVersion: number | null
  readonly changes: readonly AuditChange[]
  /** The whole item after the change, where it can be rolled back to. */
  readonly snapshot: Json | undefined
}

/** Call in the transaction of the change. */
export async function insertAuditEntry(tx: Db, entry: NewAuditEntry): Promise<void> {
  const { snapshot } = entry
  await tx`
    insert into audit_log (
      id, organization_id, project_id, user_id, key_id, activity, scope, item_id, item_name,
      item_version, changes, snapshot
    ) values (
      ${entry.id}, ${entry.organizationId}, ${entry.projectId}, ${entry.userId}, ${entry.keyId},
      ${entry.activity}, ${entry.scope}, ${entry.itemId}, ${entry.itemName}, ${entry.itemVersion},
      ${jsonText(entry.changes)}::text::json,
      ${snapshot === undefined ? null : jsonText(snapshot)}::text::json
    )`
}

/** Counts of refused keys, each an entry of its own that is written again as it grows. */
export async function saveRefusedKeys(
  db: Db,
  counts: readonly { id: string; hour: string; prefix: string; count: number }[],
): Promise<void> {
  for (const { id, hour, prefix, count } of counts) {
    const changes = [
      { field: 'hour', action: 'created', before: null, after: hour },
      { field: 'refused', action: 'created', before: null, after: count },
    ]
    await db`
      insert into audit_log (id, activity, scope, item_id, changes)
      values (${id}, 'key_refused', 'Instance', ${prefix}, ${jsonText(changes)}::text::json)
      on conflict (id) do update set changes = excluded.changes`
  }
}
