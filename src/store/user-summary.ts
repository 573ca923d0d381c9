import type { UserId } from '../core/ids.ts'
import type { Db } from './pool/db.ts'

/** Who made or changed something. */
export type UserSummary = {
  readonly id: UserId
  readonly uuid: string
  readonly distinctId: string
  readonly firstName: string
  readonly email: string
}

/** A column of `UserSummary`, null once the user is gone: `users` is left-joined as `u`. */
export function userSummary(db: Db) {
  return db`
    case when u.id is not null then json_build_object(
      'id', u.id, 'uuid', u.uuid, 'distinctId', u.distinct_id, 'firstName', u.first_name,
      'email', u.email
    ) end`
}
