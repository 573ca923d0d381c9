/** Lets the operator set the owner of an organization, such as one with a deactivated owner. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import { rowUuid } from '../../access/access.ts'
import { found, invalid, notFound } from '../../access/errors.ts'
import { ADMINISTRATOR } from '../../access/policy.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import { type OrganizationId, organizationId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  findMember,
  findOwner,
  type StoredMember,
  updateMemberLevel,
} from '../../store/people/member-store.ts'
import { type Level, lockOrganization } from '../../store/people/organization-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditMember } from './member-message.ts'
import { userOf } from './operator-people.ts'

const OWNER = 15

/** Not guarded: `createAdminHandlers` does that. */
export function createOperatorOwner({
  sql,
  feed,
}: {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
}): Pick<ServiceHandlers<AdminServiceDefinition>, 'SetOwner'> {
  return {
    async SetOwner(request) {
      const text = rowUuid(request.organization_id.trim())
      if (text === undefined) throw invalid('Must be a valid UUID.', 'organization_id')
      const organization = organizationId(text)
      const userId = await userOf(sql, request.user)
      const { owner, before } = await sql.begin(async (tx) => {
        const known = await lockOrganization(tx, organization)
        if (known === undefined) throw notFound('Organization not found.')
        const member = await findMember(tx, organization, { userId })
        if (member === undefined) {
          throw invalid('The user is no member of the organization: invite them first.', 'user')
        }
        if (!member.isActive) throw invalid('A deactivated user cannot be the owner.', 'user')
        return await passOn(tx, organization, member)
      })
      feed.publish({ kind: 'keys' })
      return {
        organization_id: organization,
        owner: owner.user.email,
        ...(before === undefined ? {} : { owner_before: before.user.email }),
      }
    },
  }
}

async function passOn(
  tx: Db,
  organization: OrganizationId,
  member: StoredMember,
): Promise<{ owner: StoredMember; before: StoredMember | undefined }> {
  const before = await findOwner(tx, organization)
  if (before?.id === member.id) return { owner: member, before }
  if (before !== undefined) await setLevel(tx, organization, before, ADMINISTRATOR)
  return { owner: await setLevel(tx, organization, member, OWNER), before }
}

async function setLevel(
  tx: Db,
  organization: OrganizationId,
  before: StoredMember,
  level: Level,
): Promise<StoredMember> {
  await updateMemberLevel(tx, before.id, level)
  const after = found(await findMember(tx, organization, { uuid: before.id }))
  const caller = { principal: null, access: { organizationId: organization } }
  await auditMember(tx, caller, { before, after })
  return after
}
