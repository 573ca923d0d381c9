import type { UserSummary as UserSummaryMessage } from '../../proto/gen/sluice/v1/UserSummary.ts'
import type { UserSummary } from '../store/user-summary.ts'

export function toUserSummary(user: UserSummary): UserSummaryMessage {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    email: user.email,
  }
}
