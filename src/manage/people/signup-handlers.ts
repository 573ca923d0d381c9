/** Handlers of `SignupService`: shows invites and accepts them, with or without a key. */
import type { AcceptInviteRequest__Output } from '../../../proto/gen/sluice/v1/AcceptInviteRequest.ts'
import type { SignupServiceDefinition } from '../../../proto/gen/sluice/v1/SignupService.ts'
import { type CreatedUser, createUser } from '../../access/create-user.ts'
import { currentPlace } from '../../access/current-project.ts'
import { invalid } from '../../access/errors.ts'
import { createPasswordHasher } from '../../access/password.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { StoredInvite } from '../../store/people/invite-store.ts'
import { findEmailRelation } from '../../store/people/user-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import type { ManagementSettings } from '../settings.ts'
import { toSignup } from './invite-message.ts'
import { alreadyMember, conclude, joinByKey, type OpenInvite, openInvite } from './signup-join.ts'

const SERVICE = '/sluice.v1.SignupService'
const KEY_LABEL = 'First key'

export type SignupHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly settings: Pick<ManagementSettings, 'mail'>
}

export function createSignupHandlers(
  deps: SignupHandlersDeps,
): ServiceHandlers<SignupServiceDefinition> {
  const { management, sql, feed } = deps
  const passwords = createPasswordHasher()
  return {
    GetSignup: management.forAnybody(`${SERVICE}/GetSignup`, {
      find: ({ invite_id: secret }, caller) => openInvite(sql, secret, caller),
      run: async (_request, { invite }) => toSignup(invite),
    }),

    AcceptInvite: management.forAnybody(`${SERVICE}/AcceptInvite`, {
      find: ({ invite_id: secret }, caller) => openInvite(sql, secret, caller),
      async run(request, open, caller) {
        const { invite } = open
        requireRecipient(request.email, invite)
        if (caller !== undefined) return await joinByKey(deps, open, caller)
        requireNameAndPassword(request)
        // Checked before the slow hash of the password. The index decides between concurrent calls.
        await refuseAccountOf(sql, invite)
        const passwordHash = await passwords.hash(request.password ?? '')
        const { user, projectId } = await refusingTakenEmail(sql, invite, () =>
          join(deps, open, request, passwordHash),
        )
        feed.publish({ kind: 'keys' })
        return {
          id: user.userId,
          uuid: user.userUuid,
          distinct_id: user.distinctId,
          first_name: request.first_name ?? '',
          email: invite.targetEmail,
          organization_id: user.organizationId,
          ...(projectId === null ? {} : { project_id: projectId }),
          personal_api_key: user.personalApiKey,
        }
      },
    }),
  }
}

function requireNameAndPassword({ first_name: name, password }: AcceptInviteRequest__Output): void {
  const missing = name === undefined ? 'first_name' : password === undefined ? 'password' : null
  if (missing !== null) throw invalid('This field is required.', missing, 'required')
}

function requireRecipient(email: string | undefined, { targetEmail }: StoredInvite): void {
  if (email === undefined || email.toLowerCase() === targetEmail.toLowerCase()) return
  throw invalid('This invite is for another email address.', null, 'invalid_recipient')
}

/**
 * Leaves an existing account untouched: accepting answers with a key, and the holder of the link
 * must not get a key of another user.
 */
async function refuseAccountOf(db: Db, invite: StoredInvite): Promise<void> {
  const relation = await findEmailRelation(db, invite.targetEmail, invite.organizationId)
  switch (relation) {
    case undefined:
      return
    case 'member':
      throw alreadyMember()
    case 'outsider': {
      const detail =
        'There is an account with this email address: accept with a personal API key of it.'
      throw invalid(detail, null, 'invalid_recipient')
    }
    default:
      relation satisfies never
  }
}

/** The index lets one of two concurrent acceptances pass. The other gets the reason. */
async function refusingTakenEmail<T>(
  db: Db,
  invite: StoredInvite,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.detail?.code === 'unique') {
      await refuseAccountOf(db, invite)
    }
    throw error
  }
}

async function join(
  { sql, settings }: SignupHandlersDeps,
  { invite, by }: OpenInvite,
  request: AcceptInviteRequest__Output,
  passwordHash: string,
): Promise<{ user: CreatedUser; projectId: ProjectId | null }> {
  const { organizationId, targetEmail: email } = invite
  const firstName = request.first_name ?? ''
  return await sql.begin(async (tx) => {
    const user = await createUser(tx, {
      email,
      firstName,
      organizationId,
      organizationName: '',
      level: 1,
      personalApiKey: '',
      projectApiKey: '',
      isStaff: false,
      isEmailConfirmed: by === 'mailed',
      passwordHash,
      emailOptIn: request.email_opt_in ?? false,
      keyLabel: KEY_LABEL,
    })
    await conclude(tx, settings, invite, null, { id: user.userId, firstName, email })
    // A plain member may not see the organization's first project.
    const place = await currentPlace(tx, user.userId)
    return { user, projectId: place.projectId }
  })
}
