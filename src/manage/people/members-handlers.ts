/** Handlers of `OrganizationMemberService`: members of an organization, their levels and keys. */
import type { OrganizationMemberServiceDefinition } from '../../../proto/gen/sluice/v1/OrganizationMemberService.ts'
import { CURRENT_USER, type OrganizationAccess, rowId, rowUuid } from '../../access/access.ts'
import { found, invalid, permissionDenied } from '../../access/errors.ts'
import { ADMINISTRATOR } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  listMembers,
  listOrganizationsOf,
  type MemberReference,
  type StoredMember,
  updateMemberLevel,
} from '../../store/people/member-store.ts'
import { type Level, lockOrganization } from '../../store/people/organization-store.ts'
import {
  deletePersonalKey,
  listKeysReaching,
  lockKeyReaching,
  type PersonalKey,
  updatePersonalKey,
} from '../../store/people/personal-key-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management, ManagementCall } from '../management.ts'
import { auditKey, KEY_ID } from './key-rules.ts'
import { auditMember, toMember } from './member-message.ts'
import { toPersonalApiKey } from './personal-api-key-message.ts'
import { withdrawInvites } from './withdraw-invites.ts'

const SERVICE = '/sluice.v1.OrganizationMemberService'
const OWNER = 15

export type MemberHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
}

export function createMemberHandlers({
  management,
  sql,
  feed,
}: MemberHandlersDeps): ServiceHandlers<OrganizationMemberServiceDefinition> {
  /** The member of a call's path, for any kind of request. */
  const named = <Request extends { readonly user: string }>(
    call: ManagementCall<Request, OrganizationAccess>,
  ) => memberOf(sql, call.access.organizationId, call.principal, call.request.user)

  /** Publishes the change: gateways and workers cache the rights of keys. */
  const change = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const result = await sql.begin(work)
    feed.publish({ kind: 'keys' })
    return result
  }

  return {
    ListOrganizationMembers: management.underOrganization(`${SERVICE}/ListOrganizationMembers`, {
      async run({ request, access: { organizationId } }) {
        const [count, members] = await Promise.all([
          countMembers(sql, organizationId),
          listMembers(sql, organizationId, request),
        ])
        return { count, results: members.map(toMember) }
      },
    }),

    GetOrganizationMember: management.underOrganization(`${SERVICE}/GetOrganizationMember`, {
      find: (call) => named(call),
      run: async (_call, member) => toMember(member),
    }),

    UpdateOrganizationMember: management.underOrganization(`${SERVICE}/UpdateOrganizationMember`, {
      find: (call) => named(call),
      async run({ request, access, principal }, member) {
        if (request.level === undefined) return toMember(member)
        const level = levelOf(request.level)
        return toMember(await change((tx) => changeLevel(tx, principal, access, member, level)))
      },
    }),

    RemoveOrganizationMember: management.underOrganization(`${SERVICE}/RemoveOrganizationMember`, {
      find: (call) => named(call),
      async run({ access, principal }, member) {
        await change((tx) => remove(tx, principal, access, member))
        return {}
      },
    }),

    ListMemberKeys: management.underOrganization(`${SERVICE}/ListMemberKeys`, {
      find: (call) => named(call),
      async run({ access: { organizationId } }, { user }) {
        const keys = await listKeysReaching(sql, user.id, organizationId)
        return { results: keys.map((key) => toPersonalApiKey(key)) }
      },
    }),

    RevokeMemberKey: management.underOrganization(`${SERVICE}/RevokeMemberKey`, {
      find: (call) => named(call),
      async run({ request, access, principal }, member) {
        await change((tx) => revoke(tx, principal, access, member, request.id))
        return {}
      },
    }),
  }
}

/** @throws {AppError} `not_found`. */
async function memberOf(
  db: Db,
  organization: OrganizationId,
  { userId }: Principal,
  text: string,
): Promise<StoredMember> {
  const reference = text === CURRENT_USER ? { userId } : referenceOf(text)
  return found(reference && (await findMember(db, organization, reference)))
}

function referenceOf(text: string): MemberReference | undefined {
  const uuid = rowUuid(text)
  if (uuid !== undefined) return { uuid }
  const userId = rowId(text)
  return userId === undefined ? undefined : { userId }
}

function levelOf(level: number): Level {
  if (level === 1 || level === ADMINISTRATOR || level === OWNER) return level
  throw invalid(`"${level}" is not a valid choice.`, 'level', 'invalid_choice')
}

/**
 * Locks the caller and the member until the transaction ends: membership does not change meanwhile.
 * @throws {AppError} `permission_denied` for a caller who has left, `not_found`.
 */
async function lockBoth(
  tx: Db,
  { userId }: Principal,
  organization: OrganizationId,
  named: StoredMember,
): Promise<{ caller: StoredMember; member: StoredMember; isSelf: boolean }> {
  found(await lockOrganization(tx, organization))
  const caller = await findMember(tx, organization, { userId })
  if (caller === undefined) throw permissionDenied()
  const member = found(await findMember(tx, organization, { uuid: named.id }))
  return { caller, member, isSelf: caller.id === member.id }
}

/** @throws {AppError} `permission_denied` unless the caller is an administrator, and no lower. */
function requireOver(caller: StoredMember, member: StoredMember): void {
  if (caller.level >= ADMINISTRATOR && caller.level >= member.level) return
  throw permissionDenied('Only administrators change others, of their own level or below.')
}

async function changeLevel(
  tx: Db,
  principal: Principal,
  access: OrganizationAccess,
  named: StoredMember,
  level: Level,
): Promise<StoredMember> {
  const { caller, member, isSelf } = await lockBoth(tx, principal, access.organizationId, named)
  if (isSelf) throw permissionDenied('You cannot change your own level.')
  requireOver(caller, member)
  if (level > caller.level) throw permissionDenied('You can give no level above your own.')
  if (level === OWNER) {
    if (!member.isActive) throw invalid('A deactivated user cannot be the owner.', 'level')
    await setLevel(tx, principal, access, caller, ADMINISTRATOR)
  }
  return await setLevel(tx, principal, access, member, level)
}

async function setLevel(
  tx: Db,
  principal: Principal,
  access: OrganizationAccess,
  before: StoredMember,
  level: Level,
): Promise<StoredMember> {
  await updateMemberLevel(tx, before.id, level)
  const after = found(await findMember(tx, access.organizationId, { uuid: before.id }))
  await auditMember(tx, { principal, access }, { before, after })
  return after
}

async function remove(
  tx: Db,
  principal: Principal,
  access: OrganizationAccess,
  named: StoredMember,
): Promise<void> {
  const { organizationId } = access
  const { caller, member, isSelf } = await lockBoth(tx, principal, organizationId, named)
  if (!isSelf) requireOver(caller, member)
  if (member.level === OWNER) {
    throw invalid('The owner cannot leave: make another member the owner first.', null)
  }
  await deleteMember(tx, member.id)
  const by = { principal, access }
  await auditMember(tx, by, { activity: isSelf ? 'left' : 'removed', before: member, after: null })
  // Otherwise a removed member could come back by an invite token that they have kept.
  await withdrawInvites(tx, principal, member.user.id, organizationId)
}

/** Revokes a key for this organization only; it keeps the others that it reaches. */
async function revoke(
  tx: Db,
  principal: Principal,
  access: OrganizationAccess,
  named: StoredMember,
  id: string,
): Promise<void> {
  const { organizationId } = access
  const { caller, member, isSelf } = await lockBoth(tx, principal, organizationId, named)
  if (!isSelf) requireOver(caller, member)
  const { user } = member
  const known = KEY_ID.test(id) ? await lockKeyReaching(tx, user.id, organizationId, id) : undefined
  const key = found(known)
  const rest = (await reachedBy(tx, key)).filter((each) => each !== organizationId)
  const after =
    rest.length === 0 ? null : found(await updatePersonalKey(tx, id, narrowed(key, rest)))
  if (after === null) await deletePersonalKey(tx, id)
  await auditKey(tx, { principal, access }, { activity: 'revoked', before: key, after })
}

/** The organizations that a key reaches now. */
async function reachedBy(tx: Db, key: PersonalKey): Promise<readonly OrganizationId[]> {
  const joined = await listOrganizationsOf(tx, key.userId)
  const reached = await Promise.all(
    joined.map(async (organization) => {
      const keys = await listKeysReaching(tx, key.userId, organization)
      return keys.some(({ id }) => id === key.id) ? [organization] : []
    }),
  )
  return reached.flat()
}

function narrowed(key: PersonalKey, organizations: readonly OrganizationId[]) {
  return { ...key, scopedOrganizations: organizations }
}
