/** Audit entries of sessions: begin and end. */
import { currentPlace } from '../../access/current-project.ts'
import type { Principal } from '../../access/principal.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'
import { findUser } from '../../store/people/user-store.ts'
import { auditFacts } from '../audit.ts'

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
