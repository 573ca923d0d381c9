/** Handlers of `UserService`. */
import type { UpdateMeRequest__Output } from '../../../proto/gen/sluice/v1/UpdateMeRequest.ts'
import type { UserServiceDefinition } from '../../../proto/gen/sluice/v1/UserService.ts'
import { rowId, rowUuid } from '../../access/access.ts'
import { type CurrentPlace, currentPlace } from '../../access/current-project.ts'
import { found, invalid } from '../../access/errors.ts'
import { reachesProject, refuseRestrictedKeys, UNRESTRICTED } from '../../access/key-limits.ts'
import { createPasswordHasher } from '../../access/password.ts'
import type { Principal } from '../../access/principal.ts'
import { createTries } from '../../access/tries.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { EventReader } from '../../events/ports.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import { listOrganizationMemberships } from '../../store/people/organization-membership-store.ts'
import { listPersonalKeys, lockPersonalKey } from '../../store/people/personal-key-store.ts'
import {
  countUsers,
  findUserId,
  listUsers,
  lockUser,
  saveCurrentPlace,
  type UserSettings,
  updateUser,
} from '../../store/people/user-store.ts'
import { findVisibleProjects } from '../../store/projects/visible-projects-store.ts'
import { echo } from '../../wire/details.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { LookAtVolumes } from '../looked-volumes.ts'
import type { Management } from '../management.ts'
import type { ManagementSettings } from '../settings.ts'
import { addressChange, changeAddress, confirmByToken } from './email-change.ts'
import { KEY_ID } from './key-rules.ts'
import { changePassword, type NewPassword, newPasswordOf } from './password-change.ts'
import { toPersonalApiKey } from './personal-api-key-message.ts'
import { revokeKey, setActive } from './user-changes.ts'
import { isEmptyChange, mergeUser, toUserListItem, toWritable } from './user-message.ts'
import { createUserView, type ViewUser } from './user-view.ts'

const SERVICE = '/sluice.v1.UserService'

export type UserHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly events: EventReader
  readonly queryLimiter: QueryLimiter
  readonly lookAtVolumes: LookAtVolumes
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly settings: Pick<ManagementSettings, 'version' | 'mail'>
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
}

/**
 * The caller may be gone at any time: their key is remembered for up to a second after the user was
 * removed.
 */
export function createUserHandlers(deps: UserHandlersDeps): ServiceHandlers<UserServiceDefinition> {
  const { management, sql, events, queryLimiter, lookAtVolumes, feed, settings, clock } = deps
  const view = createUserView({ sql, events, queryLimiter, lookAtVolumes }, settings)
  const guards = { passwords: createPasswordHasher(), tries: createTries({ clock }) }
  return {
    ListUsers: management.ofCaller(`${SERVICE}/ListUsers`, {
      find: async ({ principal }) => refuseRestrictedKeys(principal),
      async run({ request }) {
        const [count, users] = await Promise.all([countUsers(sql), listUsers(sql, request)])
        return { count, results: users.map(toUserListItem) }
      },
    }),

    GetMe: management.ofCaller(`${SERVICE}/GetMe`, {
      run: async ({ principal }) => found(await view(principal.userId, principal)),
    }),

    UpdateMe: management.ofCaller(`${SERVICE}/UpdateMe`, {
      async run({ request, principal }) {
        const isChange = !isEmptyChange(request)
        const password = await newPasswordOf({ db: sql, ...guards }, principal, request)
        if (isChange) {
          const { mail } = settings
          await sql.begin((tx) => change(tx, mail, principal, request, password))
        }
        // Cached keys know whether their user is staff, cached sessions know their user.
        if (request.is_staff !== undefined || password !== undefined) {
          feed.publish({ kind: 'keys' })
        }
        return found(await view(principal.userId, principal))
      },
    }),

    VerifyEmail: management.forAnybody(`${SERVICE}/VerifyEmail`, {
      run: async ({ token }) => ({ email: await confirmByToken(sql, token ?? '') }),
    }),

    GetUser: management.ofCaller(`${SERVICE}/GetUser`, {
      find: ({ request, principal }) => userOf(sql, principal, request.id),
      run: async (_call, id) => found(await view(id, UNRESTRICTED)),
    }),

    ...createStaffHandlers(deps, view),
  }
}

/** Handlers of staff for other users and their keys. */
function createStaffHandlers(
  { management, sql, feed }: UserHandlersDeps,
  view: ViewUser,
): Pick<ServiceHandlers<UserServiceDefinition>, 'UpdateUser' | 'ListUserKeys' | 'RevokeUserKey'> {
  return {
    UpdateUser: management.ofCaller(`${SERVICE}/UpdateUser`, {
      find: ({ request, principal }) => userOf(sql, principal, request.id),
      async run({ request: { is_active: isActive }, principal }, id) {
        if (isActive !== undefined) {
          await sql.begin((tx) => setActive(tx, principal, id, isActive))
          feed.publish({ kind: 'keys' })
        }
        return found(await view(id, UNRESTRICTED))
      },
    }),

    ListUserKeys: management.ofCaller(`${SERVICE}/ListUserKeys`, {
      find: ({ request, principal }) => userOf(sql, principal, request.id),
      async run(_call, id) {
        const keys = await listPersonalKeys(sql, id)
        return { results: keys.map((key) => toPersonalApiKey(key)) }
      },
    }),

    RevokeUserKey: management.ofCaller(`${SERVICE}/RevokeUserKey`, {
      find: ({ request, principal }) => userOf(sql, principal, request.id),
      async run({ request: { key_id: keyId }, principal }, id) {
        await sql.begin(async (tx) => {
          const key = KEY_ID.test(keyId) ? await lockPersonalKey(tx, id, keyId) : undefined
          await revokeKey(tx, principal, found(key))
        })
        feed.publish({ kind: 'keys' })
        return {}
      },
    }),
  }
}

/** @throws {AppError} `not_found`, or `permission_denied` for restricted keys. */
async function userOf(db: Db, principal: Principal, text: string): Promise<UserId> {
  refuseRestrictedKeys(principal)
  const uuid = rowUuid(text)
  return found(uuid === undefined ? undefined : await findUserId(db, uuid))
}

async function change(
  tx: Db,
  mail: ManagementSettings['mail'],
  principal: Principal,
  request: UpdateMeRequest__Output,
  password: NewPassword | undefined,
): Promise<void> {
  const { userId } = principal
  const stored = found(await lockUser(tx, userId))
  const address = addressChange(stored, request.email)
  const { email, ...others } = request
  const user = mergeUser(stored, address.kind === 'ask' ? others : request)
  await updateUser(tx, userId, user)
  const from = await currentPlace(tx, userId)
  const to = (await move(tx, principal, request)) ?? from
  const place = { organizationId: from.organizationId }
  await changeAddress(tx, mail, { principal, ...place }, stored, address)
  if (password !== undefined) {
    await changePassword(tx, { principal, access: place }, stored, password)
  }
  await auditUser(
    tx,
    { principal, access: place },
    {
      before: { id: userId, settings: stored, place: from },
      after: { id: userId, settings: user, place: to },
    },
  )
}

/** A user with the place where they work, both of which the user may change. */
type PlacedUser = {
  readonly id: UserId
  readonly settings: UserSettings
  readonly place: CurrentPlace
}

const auditUser = auditorOf<PlacedUser>({
  scope: 'User',
  type: 'sluice.v1.UpdateMeRequest',
  idOf: ({ id }) => id,
  nameOf: ({ settings }) => settings.email,
  show: ({ settings, place }) => toWritable(settings, place),
})

/**
 * Moves the caller to another current place: a project brings its organization along, and an
 * organization alone its first project.
 * @returns the new place; undefined when the request names none.
 * @throws {AppError} `invalid_argument` of a field with a place that the caller, or the key, does
 * not see, and of `set_current_team` when the two do not belong together.
 */
async function move(
  tx: Db,
  principal: Principal,
  { set_current_team: team, set_current_organization: organization }: UpdateMeRequest__Output,
): Promise<CurrentPlace | undefined> {
  const { userId } = principal
  const id = team === undefined ? undefined : rowId(team)
  const [projects, memberships] = await Promise.all([
    id === undefined ? [] : findVisibleProjects(tx, userId, [id]),
    organization === undefined ? [] : listOrganizationMemberships(tx, userId, principal),
  ])
  const project = projects.find((each) => reachesProject(principal, each))
  const joined = memberships.find((each) => each.id === organization?.toLowerCase())
  if (team !== undefined && project === undefined) throw unknownPlace('set_current_team', team)
  if (organization !== undefined && joined === undefined) {
    throw unknownPlace('set_current_organization', organization)
  }
  if (project !== undefined && joined !== undefined && project.organizationId !== joined.id) {
    throw invalid('The project belongs to another organization.', 'set_current_team')
  }
  const organizationId = project?.organizationId ?? joined?.id
  if (organizationId === undefined) return undefined
  await saveCurrentPlace(tx, userId, organizationId, project?.id ?? null)
  // A project that is not set is repaired like one that has gone.
  return await currentPlace(tx, userId)
}

function unknownPlace(field: string, id: string) {
  return invalid(`Object with id=${echo(id)} does not exist.`, field, 'does_not_exist')
}
