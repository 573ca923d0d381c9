/** Changes of users by staff and the operator, recorded in each organization of the user. */
import type { CreatedUser } from '../../access/create-user.ts'
import { found, invalid } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { listOrganizationsOf } from '../../store/people/member-store.ts'
import { deletePersonalKey, type PersonalKey } from '../../store/people/personal-key-store.ts'
import { deleteLoginLinksOf, deleteSessionsOf } from '../../store/people/session-store.ts'
import {
  findUser,
  lockUser,
  type StoredUser,
  updateUserActive,
} from '../../store/people/user-store.ts'
import { type Auditor, auditorOf } from '../audit.ts'
import { auditKey } from './key-rules.ts'
import { toUserListItem } from './user-message.ts'
import { withdrawInvites } from './withdraw-invites.ts'

export const auditUserItem = auditorOf<StoredUser>({
  scope: 'User',
  type: 'sluice.v1.UserListItem',
  idOf: ({ id }) => id,
  nameOf: ({ email }) => email,
  show: (user) => toUserListItem(user),
})

/**
 * Lets a user in, or no longer. Publish a change of keys after it.
 * @param principal null for the operator.
 * @throws {AppError} `invalid_argument` when the callers would lock themselves out.
 */
export async function setActive(
  tx: Db,
  principal: Principal | null,
  id: UserId,
  isActive: boolean,
): Promise<StoredUser> {
  if (!isActive && principal?.userId === id) {
    throw invalid('You cannot deactivate yourself.', 'is_active')
  }
  const before = found(await lockUser(tx, id))
  if (before.isActive === isActive) return before
  await updateUserActive(tx, id, isActive)
  const after = { ...before, isActive }
  if (!isActive) {
    await withdrawInvites(tx, principal, id)
    await deleteSessionsOf(tx, id)
    await deleteLoginLinksOf(tx, id)
  }
  await auditEverywhere(tx, auditUserItem, principal, id, { before, after })
  return after
}

/** Deletes a key, of whichever user. Publish a change of keys after it. */
export async function revokeKey(
  tx: Db,
  principal: Principal | null,
  key: PersonalKey,
): Promise<void> {
  await deletePersonalKey(tx, key.id)
  const change = { activity: 'revoked', before: key, after: null }
  await auditEverywhere(tx, auditKey, principal, key.userId, change)
}

/** One entry in each organization of the user; one without a place when there is none. */
export async function auditEverywhere<Item>(
  tx: Db,
  auditor: Auditor<Item>,
  principal: Principal | null,
  user: UserId,
  change: Parameters<Auditor<Item>>[2],
): Promise<void> {
  const joined = await listOrganizationsOf(tx, user)
  const places: readonly (OrganizationId | null)[] = joined.length === 0 ? [null] : joined
  for (const organizationId of places) {
    await auditor(tx, { principal, access: { organizationId } }, change)
  }
}

/** Records a user that the operator has made, with a key, in an organization. */
export async function auditCreatedUser(tx: Db, { userId }: CreatedUser): Promise<void> {
  const after = found(await findUser(tx, userId))
  await auditEverywhere(tx, auditUserItem, null, userId, { before: null, after })
}
