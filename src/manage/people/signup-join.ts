/** Acceptance of an invite: its common steps, and acceptance by an existing user. */
import { v7 as uuidv7 } from 'uuid'
import type { AcceptInviteResponse } from '../../../proto/gen/sluice/v1/AcceptInviteResponse.ts'
import { currentPlace } from '../../access/current-project.ts'
import { invalid, notFound, permissionDenied, refuseTaken } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import type { UserId } from '../../core/ids.ts'
import { joinMail } from '../../mail/mail-templates.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { deleteInvitesLike, type StoredInvite } from '../../store/people/invite-store.ts'
import { insertJoinMails } from '../../store/people/mail-outbox-store.ts'
import { insertOrganizationMembership } from '../../store/people/organization-store.ts'
import { confirmEmail, findUser, saveCurrentPlace } from '../../store/people/user-store.ts'
import type { ManagementSettings } from '../settings.ts'
import { auditInvite } from './invite-message.ts'
import { isUnlimited, type OpenInvite } from './open-invite.ts'

type Joined = { readonly id: UserId; readonly firstName: string; readonly email: string }

/**
 * Uses the invite up: deletes it with the organization's other invites to its address, and notifies
 * those who should know. Invites of other organizations stay.
 * @param caller null when the user was made by the acceptance.
 * @throws {AppError} `not_found` when it was withdrawn meanwhile: nobody joins by it any more.
 */
export async function conclude(
  tx: Db,
  settings: Pick<ManagementSettings, 'mail'>,
  invite: StoredInvite,
  caller: Principal | null,
  joined: Joined,
): Promise<void> {
  const { organizationId, organizationName } = invite
  if (!(await deleteInvitesLike(tx, invite))) throw notFound()
  const by = { principal: caller, access: { organizationId } }
  const change = { activity: 'accepted', before: invite, after: null }
  const mail = joinMail({ joined, organization: organizationName })
  await Promise.all([
    auditInvite(tx, by, change),
    settings.mail === undefined ? undefined : insertJoinMails(tx, organizationId, joined.id, mail),
  ])
}

/**
 * Makes the caller a member, and the organization their current one. Changes nothing else of the
 * user, and gives out no key.
 * @throws {AppError} `permission_denied` for a key with limits: its rights would grow.
 */
export async function joinByKey(
  deps: { readonly sql: Sql; readonly settings: Pick<ManagementSettings, 'mail'> },
  { invite, by }: OpenInvite,
  caller: Principal,
): Promise<AcceptInviteResponse> {
  if (!isUnlimited(caller)) {
    throw permissionDenied('Only an API key without limits can accept an invite.')
  }
  const user = await findUser(deps.sql, caller.userId)
  assert(user !== undefined, 'a key goes with its user')
  const { firstName, email } = user
  if (email.toLowerCase() !== invite.targetEmail.toLowerCase()) {
    throw invalid('This invite is for another email address.', null, 'invalid_recipient')
  }
  const { organizationId } = invite
  const place = await deps.sql.begin(async (tx) => {
    const membership = {
      id: uuidv7(),
      organization: organizationId,
      user: user.id,
      level: 1,
    } as const
    const written = insertOrganizationMembership(tx, membership)
    await refuseTaken(written, 'memberships_organization_id_user_id_key', alreadyMember)
    await conclude(tx, deps.settings, invite, caller, { id: user.id, firstName, email })
    if (by === 'mailed') await confirmEmail(tx, user.id, email)
    await saveCurrentPlace(tx, user.id, organizationId, null)
    return await currentPlace(tx, user.id)
  })
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: firstName,
    email,
    organization_id: organizationId,
    ...(place.projectId === null ? {} : { project_id: place.projectId }),
  }
}

export function alreadyMember() {
  return invalid('You are a member of this organization already.', null, 'user_already_member')
}
