/** Withdraws the open invites of a removed user. */
import type { Principal } from '../../access/principal.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { deleteInvitesBy } from '../../store/people/invite-store.ts'
import { auditInvite } from './invite-message.ts'

/**
 * Deletes the invites that a user has made, each with its entry: the author of an invite knows a
 * token of it, and could come back by it.
 * @param principal null for the operator.
 * @param organization limits it to this one; all of them when undefined.
 */
export async function withdrawInvites(
  tx: Db,
  principal: Principal | null,
  author: UserId,
  organization?: OrganizationId,
): Promise<void> {
  const invites = await deleteInvitesBy(tx, author, organization)
  for (const invite of invites) {
    const access = { organizationId: invite.organizationId }
    await auditInvite(tx, { principal, access }, { before: invite, after: null })
  }
}
