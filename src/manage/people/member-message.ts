/** Members of an organization as messages and as entries of the audit log. */
import type { OrganizationMember } from '../../../proto/gen/sluice/v1/OrganizationMember.ts'
import type { StoredMember } from '../../store/people/member-store.ts'
import { auditorOf } from '../audit.ts'
import { toUserSummary } from './user-message.ts'

export const auditMember = auditorOf<StoredMember>({
  scope: 'OrganizationMembership',
  type: 'sluice.v1.OrganizationMember',
  idOf: ({ id }) => id,
  nameOf: ({ user }) => user.email,
  show: (member) => toMember(member),
})

export function toMember(member: StoredMember): OrganizationMember {
  return {
    id: member.id,
    user: toUserSummary(member.user),
    level: member.level,
    joined_at: member.joinedAt,
    updated_at: member.updatedAt,
    is_active: member.isActive,
    is_email_verified: member.isEmailConfirmed,
  }
}
