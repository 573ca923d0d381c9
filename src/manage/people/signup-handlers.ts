import type { AcceptInviteRequest__Output } from '../../../proto/gen/sluice/v1/AcceptInviteRequest.ts'
import type { SignupServiceDefinition } from '../../../proto/gen/sluice/v1/SignupService.ts'
import { rowUuid } from '../../access/access.ts'
import { type CreatedUser, createUser } from '../../access/create-user.ts'
import { currentPlace } from '../../access/current-project.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { createPasswordHasher } from '../../access/password.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { NewsHub } from '../../core/project-news.ts'
import type { ManagementSettings } from '../../rpc/management-services.ts'
import { findInvite, type StoredInvite } from '../../store/people/invite-store.ts'
import { findStandingOfEmail } from '../../store/people/user-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { toSignup } from './invite-message.ts'
import { conclude, joinByKey } from './signup-join.ts'

const SERVICE = '/sluice.v1.SignupService'
const KEY_LABEL = 'First key'

export type SignupHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
  readonly settings: Pick<ManagementSettings, 'mail'>
}

export function createSignupHandlers(
  deps: SignupHandlersDeps,
): ServiceHandlers<SignupServiceDefinition> {
  const { management, sql, news } = deps
  const passwords = createPasswordHasher()
  return {
    GetSignup: management.forAnybody(`${SERVICE}/GetSignup`, {
      find: ({ invite_id: id }) => openInvite(sql, id),
      run: async (_request, invite) => toSignup(invite),
    }),

    AcceptInvite: management.forAnybody(`${SERVICE}/AcceptInvite`, {
      find: ({ invite_id: id }) => openInvite(sql, id),
      async run(request, invite, caller) {
        requireRecipient(request.email, invite)
        if (caller !== undefined) return await joinByKey(deps, invite, caller)
        requireNameAndPassword(request)
        // Before the password, which is slow to hash; the index decides about who comes meanwhile.
        await refuseAccountOf(sql, invite)
        const passwordHash = await passwords.hash(request.password ?? '')
        const { user, projectId } = await refusingTakenEmail(sql, invite, () =>
          join(deps, invite, request, passwordHash),
        )
        news.publish({ kind: 'keys' })
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

async function openInvite(db: Db, text: string): Promise<StoredInvite> {
  const id = rowUuid(text)
  const invite = id === undefined ? undefined : await findInvite(db, id)
  if (invite === undefined) throw notFound()
  if (invite.isExpired) {
    throw invalid('This invite has expired. Ask its sender for another one.', null, 'expired')
  }
  return invite
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
 * An account that exists is not touched: accepting answers a key, and whoever holds the link must
 * not get one that acts for somebody.
 */
async function refuseAccountOf(db: Db, invite: StoredInvite): Promise<void> {
  const standing = await findStandingOfEmail(db, invite.targetEmail, invite.organizationId)
  switch (standing) {
    case undefined:
      return
    case 'member':
      throw invalid('You are a member of this organization already.', null, 'user_already_member')
    case 'outsider': {
      const detail =
        'There is an account with this email address: accept with a personal API key of it.'
      throw invalid(detail, null, 'invalid_recipient')
    }
    default:
      standing satisfies never
  }
}

/** Of two acceptances at once the index lets one pass; the other is told what has become of it. */
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
  invite: StoredInvite,
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
      passwordHash,
      emailOptIn: request.email_opt_in ?? false,
      keyLabel: KEY_LABEL,
    })
    await conclude(tx, settings, invite, null, { id: user.userId, firstName, email })
    // The first project that a plain member may see need not be the first of all.
    const place = await currentPlace(tx, user.userId)
    return { user, projectId: place.projectId }
  })
}
