/** Audit log: one entry per mutation, written in its transaction. */
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Principal } from '../access/principal.ts'
import { assert } from '../core/code.ts'
import type { OrganizationId, ProjectId } from '../core/ids.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Db } from '../postgres/db.ts'
import { type AuditChange, insertAuditEntry } from '../store/audit/audit-store.ts'
import { publicBody } from '../wire/proto/render.ts'

/** Characters of a JSON value in the audit log; of a longer one only the length is kept. */
export const AUDIT_VALUE_CHARS_MAX = 32_768

/** Values of `scope`, in the order of the contract. */
export const AUDIT_SCOPES = [
  'Alert',
  'Annotation',
  'Cohort',
  'Dashboard',
  'Deletion',
  'Event',
  'EventDefinition',
  'FeatureFlag',
  'Insight',
  'Invite',
  'Organization',
  'OrganizationMembership',
  'Person',
  'PersonalApiKey',
  'Plugin',
  'PluginConfig',
  'Project',
  'SharedLink',
  'Subscription',
  'User',
] as const
/** Entries of the instance are the operator's alone to read. */
export type AuditScope = (typeof AUDIT_SCOPES)[number] | 'Instance'

export type AuditEntry = {
  readonly scope: AuditScope
  /** `created`, `updated`, `deleted`, or a word for another kind of change. */
  readonly activity: string
  readonly itemId: string | number
  readonly itemName: string | null
  /** Full name of the message that `before` and `after` are, e.g. `sluice.v1.FeatureFlag`. */
  readonly type: string
  /** The item before and after the change, as REST shows it; null when it did not exist. */
  readonly before: object | null
  readonly after: object | null
  /** Secret fields: the entry records that they changed, but holds no value. */
  readonly secrets?: readonly string[]
  /** Fields that follow from others, so that the entry leaves them out. */
  readonly derived?: readonly string[]
  /** Secrets that the message lacks, before and after: the entry holds no value of theirs either. */
  readonly hidden?: readonly [Hidden, Hidden]
  readonly version?: number
  readonly snapshot?: Json
}

/** Values by field. */
export type Hidden = { readonly [field: string]: Json }

/** Author and place of a change; `principal` is null when the call was made without a key. */
export type AuditCaller = {
  readonly principal: Pick<Principal, 'userId' | 'keyId'> | null
  readonly access: AuditPlace
}

/** One kind of item, as the entries about its changes show it. */
export type AuditedKind<Item> = Pick<AuditEntry, 'scope' | 'type' | 'secrets' | 'derived'> & {
  readonly idOf: (item: Item) => string | number
  readonly nameOf: (item: Item) => string | null
  /** The item as a message of `type`; `before` is there when the entry shows both. */
  readonly show: (item: Item, before?: Item) => object
  /** Secrets that the message lacks. */
  readonly hiddenOf?: (item: Item) => Hidden
  /** The version that the change made, if it made one. */
  readonly versionOf?: (
    after: Item,
    before: Item | null,
  ) => Pick<AuditEntry, 'version' | 'snapshot'>
}

/** Writes the entry of one change. `before` is null for a creation, `after` for a deletion. */
export type Auditor<Item> = (
  tx: Db,
  caller: AuditCaller,
  change: {
    /** Unless given: `created`, `deleted` or `updated`, by which of the two is null. */
    readonly activity?: string
    readonly before: Item | null
    readonly after: Item | null
  },
) => Promise<void>

/** Place of the change: fields of a `ProjectAccess` or an `OrganizationAccess`. */
export type AuditPlace = {
  readonly organizationId?: OrganizationId | null
  readonly projectId?: ProjectId | null
}

/**
 * Fields that no entry holds: times change with every change, the value of a key is secret, and
 * levels are those of the caller, not of the item.
 */
const IGNORED: ReadonlySet<string> = new Set([
  'updated_at',
  'last_updated_at',
  'value',
  'effective_membership_level',
  'membership_level',
])
const MASKED = '********'

export async function audit(
  tx: Db,
  { principal, access }: AuditCaller,
  entry: AuditEntry,
): Promise<void> {
  await insertAuditEntry(tx, {
    id: uuidv7(),
    organizationId: access.organizationId ?? null,
    projectId: access.projectId ?? null,
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

/** An entry of an operation that changes no item, with its parameters as given. */
export async function auditFacts(
  tx: Db,
  { principal, access }: AuditCaller,
  entry: Pick<AuditEntry, 'scope' | 'activity' | 'itemId' | 'itemName'> & {
    readonly facts: JsonObject
  },
): Promise<void> {
  const { facts, itemId, ...words } = entry
  await insertAuditEntry(tx, {
    id: uuidv7(),
    organizationId: access.organizationId ?? null,
    projectId: access.projectId ?? null,
    userId: principal?.userId ?? null,
    keyId: principal?.keyId ?? null,
    ...words,
    itemId: String(itemId),
    itemVersion: null,
    changes: Object.entries(facts).map(([field, value]) => {
      return { field, action: 'created', before: null, after: bounded(value) }
    }),
    snapshot: undefined,
  })
}

export function auditorOf<Item>(kind: AuditedKind<Item>): Auditor<Item> {
  const { scope, type, secrets, derived, idOf, nameOf, show, hiddenOf, versionOf } = kind
  const hide = (item: Item | null) => (item === null ? {} : (hiddenOf?.(item) ?? {}))
  return async (tx, caller, { before, after, activity }) => {
    const item = after ?? before
    assert(item !== null, 'an entry is about an item')
    const implied = before === null ? 'created' : after === null ? 'deleted' : 'updated'
    await audit(tx, caller, {
      scope,
      activity: activity ?? implied,
      itemId: idOf(item),
      itemName: nameOf(item),
      type,
      before: before === null ? null : show(before),
      after: after === null ? null : show(after, before ?? undefined),
      ...(secrets === undefined ? {} : { secrets }),
      ...(derived === undefined ? {} : { derived }),
      hidden: [hide(before), hide(after)],
      ...(after === null ? {} : versionOf?.(after, before)),
    })
  }
}

function changesOf(entry: AuditEntry): readonly AuditChange[] {
  const { type, before, after, secrets = [], derived = [], hidden = [{}, {}] } = entry
  const old = { ...(before === null ? {} : publicBody(type, before)), ...hidden[0] }
  const made = { ...(after === null ? {} : publicBody(type, after)), ...hidden[1] }
  const changes: AuditChange[] = []
  for (const field of new Set([...Object.keys(old), ...Object.keys(made)])) {
    if (IGNORED.has(field) || derived.includes(field)) continue
    // The public body is JSON.
    const from = (old[field] ?? null) as Json
    const to = (made[field] ?? null) as Json
    if (JSON.stringify(from) === JSON.stringify(to)) continue
    const action = from === null ? 'created' : to === null ? 'deleted' : 'changed'
    const isSecret = secrets.includes(field) || field in hidden[0] || field in hidden[1]
    const show = isSecret ? masked : bounded
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
