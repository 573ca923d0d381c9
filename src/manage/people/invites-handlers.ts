import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { InviteServiceDefinition } from '../../../proto/gen/sluice/v1/InviteService.ts'
import type { NewInvite__Output } from '../../../proto/gen/sluice/v1/NewInvite.ts'
import { type OrganizationAccess, rowUuid } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import { inviteMail } from '../../mail/wording.ts'
import type { ManagementSettings } from '../../rpc/management-services.ts'
import {
  countInvites,
  deleteInvite,
  insertInvites,
  listInvites,
  type NewInvite,
  type StoredInvite,
} from '../../store/people/invite-store.ts'
import { insertMails, type NewMail } from '../../store/people/mail-outbox-store.ts'
import { hasMemberAmong } from '../../store/people/organization-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { type AuditEntry, audit } from '../audit.ts'
import type { Management } from '../management.ts'
import { merger } from '../merge.ts'
import { INVITE_TYPE, toInvite } from './invite-message.ts'

const SERVICE = '/sluice.v1.InviteService'

export type InviteHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly settings: Pick<ManagementSettings, 'mail'>
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
        return { count, results: invites.map(toInvite) }
      },
    }),

    CreateInvite: management.underOrganization(`${SERVICE}/CreateInvite`, {
      async run({ request, access, principal }) {
        const [invite] = await makeInvites(deps, access, principal, [request])
        assert(invite !== undefined, 'an invite was made')
        return toInvite(invite)
      },
    }),

    DeleteInvite: management.underOrganization(`${SERVICE}/DeleteInvite`, {
      async run({ request, access, principal }) {
        const id = rowUuid(request.id)
        if (id === undefined) throw notFound()
        await sql.begin(async (tx) => {
          const invite = await deleteInvite(tx, access.organizationId, id)
          if (invite === undefined) throw notFound()
          const entry = entryOf(invite, 'deleted')
          await audit(tx, principal, access, { ...entry, before: toInvite(invite) })
        })
        return {}
      },
    }),

    BulkCreateInvites: management.underOrganization(`${SERVICE}/BulkCreateInvites`, {
      async run({ request, access, principal }) {
        const invites = await makeInvites(deps, access, principal, request.invites)
        return { results: invites.map(toInvite) }
      },
    }),
  }
}

type InviteFields = Pick<
  NewInvite__Output,
  'target_email' | 'first_name' | 'message' | 'null_fields'
>

/** Makes all of them, with their mails and entries, or none. */
async function makeInvites(
  { sql, settings }: InviteHandlersDeps,
  access: OrganizationAccess,
  principal: Principal,
  asked: readonly InviteFields[],
): Promise<readonly StoredInvite[]> {
  if (asked.length === 0) return []
  const { organizationId: organization } = access
  const wanted = asked.map(toNewInvite)
  const emails = wanted.map(({ targetEmail }) => targetEmail)
  const { mail } = settings
  return await sql.begin(async (tx) => {
    if (await hasMemberAmong(tx, organization, emails)) {
      throw invalid('A user with this email address already belongs to the organization.', null)
    }
    const place = { organization, author: principal.userId }
    const invites = await insertInvites(tx, place, wanted, mail !== undefined)
    // Sent one after the other without waiting: one round trip for all.
    const writes = invites.map((invite) =>
      audit(tx, principal, access, { ...entryOf(invite, 'created'), after: toInvite(invite) }),
    )
    if (mail !== undefined) {
      const mails = invites.map((invite) => toMail(invite, mail.publicUrl))
      writes.push(insertMails(tx, mails))
    }
    await Promise.all(writes)
    return invites
  })
}

function toNewInvite(fields: InviteFields): NewInvite {
  const { orNull } = merger(fields.null_fields)
  return {
    // All of it random: the id is the secret of the link.
    id: randomUUID(),
    targetEmail: fields.target_email ?? '',
    firstName: fields.first_name ?? '',
    message: orNull('message', fields.message, null),
  }
}

function toMail(invite: StoredInvite, publicUrl: string): NewMail {
  const { id, organizationName: organization, firstName, message, createdBy: inviter } = invite
  assert(inviter !== null, 'whoever makes an invite exists in the transaction that makes it')
  const link = `${publicUrl}/signup/${id}`
  const text = inviteMail({ inviter, organization, firstName, message, link })
  return { id: uuidv7(), recipient: invite.targetEmail, replyTo: inviter.email, ...text }
}

function entryOf(invite: StoredInvite, activity: 'created' | 'deleted'): AuditEntry {
  const { id, targetEmail } = invite
  const what = { scope: 'Invite', itemId: id, itemName: targetEmail, type: INVITE_TYPE } as const
  return { ...what, activity, before: null, after: null }
}
