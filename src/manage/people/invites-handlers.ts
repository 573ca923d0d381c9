/** Handlers of `InviteService`: makes, lists and deletes invites, and queues their mails. */
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Invite } from '../../../proto/gen/sluice/v1/Invite.ts'
import type { InviteServiceDefinition } from '../../../proto/gen/sluice/v1/InviteService.ts'
import type { NewInvite__Output } from '../../../proto/gen/sluice/v1/NewInvite.ts'
import { type OrganizationAccess, rowUuid } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import { ADMINISTRATOR } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { throttled } from '../../access/throttle.ts'
import { assert } from '../../core/code.ts'
import { inviteMail } from '../../mail/mail-templates.ts'
import type { Sql } from '../../postgres/connect.ts'
import { countOfDay } from '../../store/people/daily-count-store.ts'
import {
  countInvites,
  deleteInvite,
  deleteInvitesTo,
  insertInvites,
  listInvites,
  type NewInvite,
  type StoredInvite,
} from '../../store/people/invite-store.ts'
import { insertMails, type NewMail } from '../../store/people/mail-outbox-store.ts'
import { hasOrganizationMemberAmong, type Level } from '../../store/people/organization-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { merger } from '../merge.ts'
import type { ManagementSettings } from '../settings.ts'
import { auditInvite, toInvite } from './invite-message.ts'

const SERVICE = '/sluice.v1.InviteService'

export type InviteHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly settings: Pick<ManagementSettings, 'mail' | 'invitesPerDay'>
}

export function createInviteHandlers(
  deps: InviteHandlersDeps,
): ServiceHandlers<InviteServiceDefinition> {
  const { management, sql } = deps
  return {
    ListInvites: management.underOrganization(`${SERVICE}/ListInvites`, {
      async run({ request, access: { organizationId } }) {
        const [count, invites] = await Promise.all([
          countInvites(sql, organizationId),
          listInvites(sql, organizationId, request),
        ])
        return { count, results: invites.map((invite) => toInvite(invite)) }
      },
    }),

    CreateInvite: management.underOrganization(`${SERVICE}/CreateInvite`, {
      async run({ request, access, principal }) {
        const [made] = await makeInvites(deps, access, principal, [request])
        assert(made !== undefined, 'an invite was made')
        return made
      },
    }),

    DeleteInvite: management.underOrganization(`${SERVICE}/DeleteInvite`, {
      async run({ request, access, principal }) {
        const id = found(rowUuid(request.id))
        await sql.begin(async (tx) => {
          const invite = found(await deleteInvite(tx, access.organizationId, id))
          await auditInvite(tx, { principal, access }, { before: invite, after: null })
        })
        return {}
      },
    }),

    BulkCreateInvites: management.underOrganization(`${SERVICE}/BulkCreateInvites`, {
      async run({ request, access, principal }) {
        return { results: await makeInvites(deps, access, principal, request.invites) }
      },
    }),
  }
}

type InviteFields = Pick<
  NewInvite__Output,
  'target_email' | 'first_name' | 'message' | 'null_fields'
>

/**
 * Makes all invites, with their mails and entries, or none. Only this answer has their tokens. Each
 * replaces earlier invites to its address, of this request too.
 */
async function makeInvites(
  { sql, settings }: InviteHandlersDeps,
  access: OrganizationAccess,
  principal: Principal,
  asked: readonly InviteFields[],
): Promise<Invite[]> {
  if (asked.length === 0) return []
  const { organizationId: organization } = access
  const { mail, invitesPerDay } = settings
  const drafts = asked.map((fields) => toDraft(fields, mail !== undefined))
  const wanted = drafts.map(({ invite }) => invite)
  const emails = wanted.map(({ targetEmail }) => targetEmail)
  return await sql.begin(async (tx) => {
    if (await hasOrganizationMemberAmong(tx, organization, emails)) {
      throw invalid('A user with this email address already belongs to the organization.', null)
    }
    for (const who of [`organization ${organization}`, `user ${principal.userId}`]) {
      const restS = await countOfDay(tx, `invites of ${who}`, wanted.length, invitesPerDay)
      if (restS !== undefined) throw throttled(restS * 1_000)
    }
    const place = { organization, author: principal.userId }
    const invites = await insertInvites(tx, place, wanted, mail !== undefined)
    const standing = new Map(wanted.map((invite) => [invite.targetEmail.toLowerCase(), invite.id]))
    const kept = [...standing.values()]
    // The locks of the counts above hold up other invites to the organization until this has ended.
    const replaced = await deleteInvitesTo(tx, organization, emails, kept)
    // Sent one after the other without waiting: one round trip for all.
    const by = { principal, access }
    const writes = [
      ...invites.map((invite) => auditInvite(tx, by, { before: null, after: invite })),
      ...replaced.map((invite) => auditInvite(tx, by, { before: invite, after: null })),
    ]
    if (mail !== undefined) {
      const mails = invites.flatMap((invite, at) =>
        kept.includes(invite.id)
          ? toMail(invite, access.level, `${mail.publicUrl}/signup/${drafts[at]?.mailToken}`)
          : [],
      )
      writes.push(insertMails(tx, mails))
    }
    await Promise.all(writes)
    return invites.map((invite, at) => toInvite(invite, drafts[at]?.token))
  })
}

type Draft = {
  readonly invite: NewInvite
  readonly token: string
  readonly mailToken: string | null
}

/**
 * Makes two tokens, because they prove different things: the author of the invite can use the one,
 * only the owner of the mailbox the other.
 */
function toDraft(fields: InviteFields, isMailed: boolean): Draft {
  const { orNull } = merger(fields.null_fields)
  const token = randomText()
  const mailToken = isMailed ? randomText() : null
  const invite = {
    id: randomUUID(),
    targetEmail: fields.target_email ?? '',
    firstName: fields.first_name ?? '',
    message: orNull('message', fields.message, null),
    tokenSha256: keyDigest(token).toString('hex'),
    mailTokenSha256: mailToken === null ? null : keyDigest(mailToken).toString('hex'),
  }
  return { invite, token, mailToken }
}

/** The mail may go to any address, so only administrators may write free text in it. */
function toMail(invite: StoredInvite, level: Level, link: string): NewMail {
  const { organizationName: organization, createdBy } = invite
  assert(createdBy !== null, 'whoever makes an invite exists in the transaction that makes it')
  const { email } = createdBy
  const isFree = level >= ADMINISTRATOR
  const text = inviteMail({
    inviter: { firstName: isFree ? createdBy.firstName : '', email },
    organization,
    firstName: isFree ? invite.firstName : '',
    message: isFree ? invite.message : null,
    link,
  })
  return { id: uuidv7(), recipient: invite.targetEmail, replyTo: email, ...text }
}
