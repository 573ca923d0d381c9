/** Invites as messages and as entries of the audit log. */
import type { Invite } from '../../../proto/gen/sluice/v1/Invite.ts'
import type { Signup } from '../../../proto/gen/sluice/v1/Signup.ts'
import type { StoredInvite } from '../../store/people/invite-store.ts'
import { auditorOf } from '../audit.ts'
import { toUserSummary } from './user-message.ts'

export const auditInvite = auditorOf<StoredInvite>({
  scope: 'Invite',
  type: 'sluice.v1.Invite',
  idOf: ({ id }) => id,
  nameOf: ({ targetEmail }) => targetEmail,
  show: (invite) => toInvite(invite),
})

/** @param token only where the invite has just been made. */
export function toInvite(invite: StoredInvite, token?: string): Invite {
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
    ...(token === undefined ? {} : { token }),
  }
}

/** Fields of an invite for the person who may accept it. */
export function toSignup(invite: StoredInvite): Signup {
  return {
    id: invite.id,
    target_email: invite.targetEmail,
    first_name: invite.firstName,
    organization_name: invite.organizationName,
  }
}
