/** The password that callers give themselves. */
import type { UpdateMeRequest__Output } from '../../../proto/gen/sluice/v1/UpdateMeRequest.ts'
import { invalid, permissionDenied } from '../../access/errors.ts'
import { EVERY_SCOPE, hasScope, refuseRestrictedKeys } from '../../access/key-limits.ts'
import type { PasswordHasher } from '../../access/password.ts'
import type { Principal } from '../../access/principal.ts'
import type { Tries } from '../../access/tries.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import {
  deleteLoginLinksOf,
  deleteOtherSessions,
  findPasswordHash,
  savePasswordHash,
} from '../../store/people/session-store.ts'
import type { StoredUser } from '../../store/people/user-store.ts'
import { auditFacts } from '../audit.ts'

export type PasswordDeps = {
  readonly db: Db
  readonly passwords: PasswordHasher
  readonly tries: Tries
}

/** A password that the caller may take, and the one that it was allowed for. Both are hashes. */
export type NewPassword = { readonly hash: string; readonly before: string | null }

/**
 * Checks and hashes the password of a request. Takes some tenths of a second: call it outside
 * transactions.
 * @returns undefined for a request that changes no password.
 * @throws {AppError} `invalid_argument` of a field, `permission_denied` for a caller with limits,
 * `resource_exhausted` after too many wrong passwords.
 */
export async function newPasswordOf(
  { db, passwords, tries }: PasswordDeps,
  principal: Principal,
  { password, current_password: current }: UpdateMeRequest__Output,
): Promise<NewPassword | undefined> {
  if (password === undefined) {
    if (current !== undefined) throw invalid('This field is required.', 'password', 'required')
    return undefined
  }
  // The holder of a limited key could sign in with the password, and do everything.
  refuseRestrictedKeys(principal)
  if (!hasScope(principal.scopes, EVERY_SCOPE)) {
    throw permissionDenied('A password is changed by a session or a key that may do everything.')
  }
  const before = await findPasswordHash(db, principal.userId)
  if (before !== null) {
    if (current === undefined) {
      throw invalid('This field is required.', 'current_password', 'required')
    }
    const end = await tries.begin({ place: `user ${principal.userId}` })
    let isWrong = false
    try {
      isWrong = !(await passwords.verify(current, before))
    } finally {
      end(isWrong)
    }
    if (isWrong) throw invalid('The current password is wrong.', 'current_password')
  }
  return { hash: await passwords.hash(password), before }
}

/**
 * Ends the user's other sessions, and deletes links that would begin one. Publish a change of keys
 * after it.
 * @param user locked by the transaction.
 * @throws {AppError} `invalid_argument` when another change happened in between.
 */
export async function changePassword(
  tx: Db,
  caller: {
    readonly principal: Principal
    readonly access: { readonly organizationId: OrganizationId | null }
  },
  user: StoredUser,
  { hash, before }: NewPassword,
): Promise<void> {
  if ((await findPasswordHash(tx, user.id)) !== before) {
    throw invalid('The current password is wrong.', 'current_password')
  }
  await savePasswordHash(tx, user.id, hash)
  await deleteOtherSessions(tx, user.id, caller.principal.sessionId)
  await deleteLoginLinksOf(tx, user.id)
  const item = { itemId: user.id, itemName: user.email }
  const facts = { other_sessions: 'ended' }
  await auditFacts(tx, caller, { scope: 'User', activity: 'password_changed', ...item, facts })
}
