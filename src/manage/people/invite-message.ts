import type { Invite } from '../../../proto/gen/sluice/v1/Invite.ts'
import type { Signup } from '../../../proto/gen/sluice/v1/Signup.ts'
import { toUserSummary } from '../../rpc/user-summary.ts'
import type { StoredInvite } from '../../store/people/invite-store.ts'

/** Full name of the message, as the audit log takes it. */
export const INVITE_TYPE = 'sluice.v1.Invite'

export function toInvite(invite: StoredInvite): Invite {
  const { createdBy, message } = invite
  return {
    id: invite.id,
    target_email: invite.targetEmail,
    first_name: invite.firstName,
    emailing_attempt_made: invite.emailingAttemptMade,
    is_expired: invite.isExpired,
    ...(createdBy === null ? {} : { created_by: toUserSummary(createdBy) }),
    created_at: invite.createdAt,
    updated_at: invite.updatedAt,
    ...(message === null ? {} : { message }),
  }
}

/** What whoever has the link is shown before accepting. */
export function toSignup(invite: StoredInvite): Signup {
  return {
    id: invite.id,
    target_email: invite.targetEmail,
    first_name: invite.firstName,
    organization_name: invite.organizationName,
  }
}
