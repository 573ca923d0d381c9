/** Deletions as calls answer them. */

import type { Deletion } from '../../../proto/gen/sluice/v1/Deletion.ts'
import type { StoredDeletion } from '../../privacy/deletion-store.ts'
import { auditorOf } from '../audit.ts'
import { given } from '../wire-value.ts'

const DAY_MS = 86_400_000

/** @param backupDays days that the operator keeps backups; undefined when that is not set. */
export function toDeletion(deletion: StoredDeletion, backupDays: number | undefined): Deletion {
  const { filters, finishedAt, askedAt } = deletion
  const doneAt = Date.parse(finishedAt ?? askedAt)
  return {
    id: deletion.id,
    kind: deletion.kind,
    state: deletion.state,
    ...given('person_uuid', deletion.personUuid),
    delete_events: deletion.withEvents,
    filters: JSON.stringify(filters),
    ...given('cutoff', deletion.cutoff),
    ...given('total', deletion.total),
    deleted: deletion.deleted,
    ...given('error', deletion.error),
    ...given('created_by', deletion.askedBy),
    created_at: askedAt,
    ...given('finished_at', finishedAt),
    ...given('backups_hold_until', holdUntil(doneAt, backupDays)),
  }
}

/** Time until which a backup made just before the end may be kept. */
function holdUntil(doneAt: number, backupDays: number | undefined): string | null {
  return backupDays === undefined ? null : new Date(doneAt + backupDays * DAY_MS).toISOString()
}

/** Entries leave filters out, since these may hold data to forget. */
export const auditDeletion = auditorOf<StoredDeletion>({
  scope: 'Deletion',
  type: 'sluice.v1.Deletion',
  idOf: ({ id }) => id,
  nameOf: ({ kind }) => kind,
  show: (deletion) => toDeletion(deletion, undefined),
  secrets: ['filters'],
  derived: ['deleted', 'total', 'finished_at', 'error'],
})
