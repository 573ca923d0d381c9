/** Pages of the audit log as calls answer them. */
import type { ActivityEntry } from '../../proto/gen/sluice/v1/ActivityEntry.ts'
import { invalid } from '../access/errors.ts'
import { assert } from '../core/code.ts'
import { GRPC_MESSAGE_BYTES_MAX } from '../core/limits/limits.ts'
import type { Db } from '../postgres/db.ts'
import {
  type AuditSelection,
  countAuditEntries,
  listAuditEntries,
  type StoredAuditEntry,
} from '../store/audit/audit-read-store.ts'
import type { Page } from '../wire/page.ts'
import { toUserSummary } from './people/user-message.ts'
import { toWireValue } from './wire-value.ts'

/** Bytes of the changes on a page of activity, as text; on the wire some six times as much. */
const ACTIVITY_PAGE_BYTES_MAX = 4_194_304
assert(6 * ACTIVITY_PAGE_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'a page must fit into a message')

export type ActivityPage = { readonly count: number; readonly results: ActivityEntry[] }

/** @throws {AppError} `invalid_argument` when the entries are too large to be sent together. */
export async function pageOfActivity(
  db: Db,
  selection: AuditSelection,
  { limit, offset }: Page,
): Promise<ActivityPage> {
  const [count, entries] = await Promise.all([
    countAuditEntries(db, selection),
    listAuditEntries(db, selection, { limit, offset, bytesMax: ACTIVITY_PAGE_BYTES_MAX }),
  ])
  if (entries === 'too_large') {
    throw invalid('The entries of this page are too large to send together.', 'limit')
  }
  return { count, results: entries.map(toActivityEntry) }
}

function toActivityEntry(entry: StoredAuditEntry): ActivityEntry {
  return {
    id: entry.id,
    ...(entry.user === null ? {} : { user: toUserSummary(entry.user) }),
    ...(entry.keyId === null ? {} : { key_id: entry.keyId }),
    activity: entry.activity,
    scope: entry.scope,
    item_id: entry.itemId,
    ...(entry.projectId === null ? {} : { project_id: entry.projectId }),
    ...(entry.organizationId === null ? {} : { organization_id: entry.organizationId }),
    detail: {
      ...(entry.itemName === null ? {} : { name: entry.itemName }),
      ...(entry.itemVersion === null ? {} : { version: entry.itemVersion }),
      changes: entry.changes.map(({ field, action, before, after }) => ({
        field,
        action,
        before: toWireValue(before),
        after: toWireValue(after),
      })),
    },
    created_at: entry.createdAt,
  }
}
