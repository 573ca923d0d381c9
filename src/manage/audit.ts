/** Who changed what: one entry a mutation, written in its transaction. */
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Principal } from '../access/principal.ts'
import type { OrganizationId, ProjectId } from '../core/ids.ts'
import { AUDIT_VALUE_CHARS_MAX } from '../core/limits/limits.ts'
import type { Db } from '../store/pool/db.ts'
import { type AuditChange, insertAuditEntry } from '../store/projects/audit-store.ts'
import { publicBody } from '../wire/proto/render.ts'
import type { Json } from '../wire/proto/value.ts'

/** As the contract lists them where entries are asked for by scope. */
export const AUDIT_SCOPES = [
  'EventDefinition',
  'FeatureFlag',
  'Invite',
  'Organization',
  'PersonalApiKey',
  'Plugin',
  'PluginConfig',
  'Project',
  'User',
] as const
export type AuditScope = (typeof AUDIT_SCOPES)[number]

export type AuditEntry = {
  readonly scope: AuditScope
  /** `created`, `updated`, `deleted`, or a word for what else was done. */
  readonly activity: string
  readonly itemId: string | number
  readonly itemName: string | null
  /** Full name of the message that `before` and `after` are, e.g. `sluice.v1.FeatureFlag`. */
  readonly type: string
  /** The item before and after the change as REST shows it; null where there was or is none. */
  readonly before: object | null
  readonly after: object | null
  /** Members that are secrets: that they changed is kept, what they were is not. */
  readonly secrets?: readonly string[]
  /** Members that only follow from others, so that they are no change of their own. */
  readonly derived?: readonly string[]
  readonly version?: number
  readonly snapshot?: Json
}

/** Where the change was made; members of a `ProjectAccess` or an `OrganizationAccess`. */
export type AuditPlace = {
  readonly organizationId?: OrganizationId | null
  readonly projectId?: ProjectId | null
}

/**
 * Times move with every change, so that they say nothing; the value of a key is never kept; levels
 * are the caller's, not the item's.
 */
const IGNORED: ReadonlySet<string> = new Set([
  ...['updated_at', 'last_updated_at'],
  'value',
  ...['effective_membership_level', 'membership_level'],
])
const MASKED = '********'

/** @param principal null for what is done without a key. */
export async function audit(
  tx: Db,
  principal: Pick<Principal, 'userId' | 'keyId'> | null,
  place: AuditPlace,
  entry: AuditEntry,
): Promise<void> {
  await insertAuditEntry(tx, {
    id: uuidv7(),
    organizationId: place.organizationId ?? null,
    projectId: place.projectId ?? null,
    userId: principal?.userId ?? null,
    keyId: principal?.keyId ?? null,
    activity: entry.activity,
    scope: entry.scope,
    itemId: String(entry.itemId),
    itemName: entry.itemName,
    itemVersion: entry.version ?? null,
    changes: changesOf(entry),
    snapshot: entry.snapshot,
  })
}

function changesOf(entry: AuditEntry): readonly AuditChange[] {
  const { type, before, after, secrets = [], derived = [] } = entry
  const old = before === null ? {} : publicBody(type, before)
  const made = after === null ? {} : publicBody(type, after)
  const changes: AuditChange[] = []
  for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
    if (IGNORED.has(field) || derived.includes(field)) continue
    // What REST shows is JSON.
    const from = (old[field] ?? null) as Json
    const to = (made[field] ?? null) as Json
    if (JSON.stringify(from) === JSON.stringify(to)) continue
    const action = from === null ? 'created' : to === null ? 'deleted' : 'changed'
    const show = secrets.includes(field) ? masked : bounded
    changes.push({ field, action, before: show(from), after: show(to) })
  }
  return changes
}

function masked(value: Json): Json {
  return value === null ? null : MASKED
}

function bounded(value: Json): Json {
  const text = JSON.stringify(value)
  if (text.length <= AUDIT_VALUE_CHARS_MAX) return value
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { omitted: true, characters: text.length, sha256 }
}
