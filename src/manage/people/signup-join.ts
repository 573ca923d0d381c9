/** Acceptance of an invite: its common steps, and acceptance by an existing user. */
import { v7 as uuidv7 } from 'uuid'
import type { AcceptInviteResponse } from '../../../proto/gen/sluice/v1/AcceptInviteResponse.ts'
import { rowUuid } from '../../access/access.ts'
import { currentPlace } from '../../access/current-project.ts'
import { found, invalid, notFound, permissionDenied, refuseTaken } from '../../access/errors.ts'
import { EVERY_SCOPE } from '../../access/key-limits.ts'
import { keyDigest } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import type { UserId } from '../../core/ids.ts'
import { joinMail } from '../../mail/mail-templates.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  deleteInvitesLike,
  findInvite,
  findInviteByToken,
  type StoredInvite,
  type TokenKind,
} from '../../store/people/invite-store.ts'
import { insertJoinMails } from '../../store/people/mail-outbox-store.ts'
import { insertOrganizationMembership } from '../../store/people/organization-store.ts'
import { confirmEmail, findUser, saveCurrentPlace } from '../../store/people/user-store.ts'
import type { ManagementSettings } from '../settings.ts'
import { auditInvite } from './invite-message.ts'

/** The form of tokens that `randomText` makes. */
const TOKEN = /^[0-9A-Za-z]{43}$/

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

/** Finds the invite that a caller may accept, and the proof for it. */
export type OpenInvite = {
  readonly invite: StoredInvite
  /** A token of the invite, or the confirmed address of the caller. */
  readonly by: TokenKind | 'address'
}

/**
 * The invite of a token. An id, which is no secret, is enough only for a caller who has the invited
 * address and has confirmed it, with an unrestricted key.
 * @throws {AppError} `not_found`, the same for every reason; `invalid_argument` when it has
 * expired.
 */
export async function openInvite(
  db: Db,
  secret: string,
  caller: Principal | undefined,
): Promise<OpenInvite> {
  const open = found(await find(db, secret, caller))
  if (open.invite.isExpired) {
    throw invalid('This invite has expired. Ask its sender for another one.', null, 'expired')
  }
  return open
}

async function find(
  db: Db,
  secret: string,
  caller: Principal | undefined,
): Promise<OpenInvite | undefined> {
  if (TOKEN.test(secret)) {
    const known = await findInviteByToken(db, keyDigest(secret))
    return known && { invite: known.invite, by: known.token }
  }
  const id = rowUuid(secret)
  if (id === undefined || caller === undefined || !isUnlimited(caller)) return undefined
  const [invite, user] = await Promise.all([findInvite(db, id), findUser(db, caller.userId)])
  if (invite === undefined || user?.isEmailConfirmed !== true) return undefined
  const isInvited = user.email.toLowerCase() === invite.targetEmail.toLowerCase()
  return isInvited ? { invite, by: 'address' } : undefined
}

/** True for a key that holds all that its user may do. */
function isUnlimited(principal: Principal): boolean {
  const { scopes, scopedProjects, scopedOrganizations } = principal
  return (
    scopes.includes(EVERY_SCOPE) && scopedProjects.length === 0 && scopedOrganizations.length === 0
  )
}
