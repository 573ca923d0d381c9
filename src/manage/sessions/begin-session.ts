/** Begins the session of a user who has proved their identity. */
import { v7 as uuidv7 } from 'uuid'
import { currentPlace } from '../../access/current-project.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import { knownBrowserToken } from '../../access/known-browser.ts'
import type { Principal } from '../../access/principal.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  deleteSession,
  findPasswordHash,
  findSession,
  insertSession,
  type StoredSession,
} from '../../store/people/session-store.ts'
import { findUser, lockUser } from '../../store/people/user-store.ts'
import { auditFacts } from '../audit.ts'
import { type Proof, refused } from './credentials.ts'

export type BegunSession = {
  readonly principal: StoredSession
  /** The only time that it is known. */
  readonly token: string
  /** Proof of a known browser; empty for a user without a password. */
  readonly browserToken: string
  /** Another session has ended for it. */
  readonly hasReplaced: boolean
}

/**
 * Always creates a new secret: the one that the browser had before names no session afterwards.
 * @throws {AppError} `unauthenticated` when the user, the key or the password is gone meanwhile.
 */
export async function beginSession(
  sql: Sql,
  proof: Proof,
  from: { readonly agent: string; readonly replaced: Principal | undefined },
): Promise<BegunSession> {
  const { by, userId, keyId } = proof
  const token = randomText()
  const digest = keyDigest(token)
  return await sql.begin(async (tx) => {
    // Deactivation of a user and a change of password take the same lock.
    const user = await lockUser(tx, userId)
    if (user === undefined || !user.isActive) throw gone()
    const passwordHash = await findPasswordHash(tx, userId)
    if (proof.passwordHash !== undefined && passwordHash !== proof.passwordHash) throw gone()
    const id = uuidv7()
    await insertSession(tx, { digest, id, user: userId, keyId, agent: from.agent })
    const principal = await findSession(tx, digest)
    if (principal === undefined) throw gone()
    const { replaced } = from
    const hasReplaced =
      replaced?.sessionId !== undefined &&
      (await deleteSession(tx, replaced.userId, replaced.sessionId))
    await auditSession(tx, principal, 'signed_in', { by, agent: from.agent })
    const browserToken = passwordHash === null ? '' : knownBrowserToken(userId, passwordHash)
    return { principal, token, browserToken, hasReplaced }
  })
}

function gone() {
  return refused('invalid_credentials', 'These credentials are not valid any more.')
}

/** The entry is of the organization in which the user works, and names no secret. */
export async function auditSession(
  tx: Db,
  principal: Pick<Principal, 'userId' | 'keyId'>,
  activity: 'signed_in' | 'signed_out' | 'session_ended',
  facts: JsonObject,
): Promise<void> {
  const { userId } = principal
  const { organizationId } = await currentPlace(tx, userId)
  const itemName = (await findUser(tx, userId))?.email ?? null
  const entry = { scope: 'User', activity, itemId: userId, itemName, facts } as const
  await auditFacts(tx, { principal, access: { organizationId } }, entry)
}
