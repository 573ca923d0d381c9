import type { UpdateMeRequest__Output } from '../../../proto/gen/sluice/v1/UpdateMeRequest.ts'
import type { User } from '../../../proto/gen/sluice/v1/User.ts'
import type { UserServiceDefinition } from '../../../proto/gen/sluice/v1/UserService.ts'
import { rowId, rowUuid } from '../../access/access.ts'
import { type CurrentPlace, currentPlace } from '../../access/current-project.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { reachesProject, refuseRestrictedKeys, UNRESTRICTED } from '../../access/key-limits.ts'
import type { Principal } from '../../access/principal.ts'
import type { NewsHub } from '../../core/project-news.ts'
import { violatedConstraint } from '../../store/failures.ts'
import {
  findVisibleProjects,
  listMemberships,
} from '../../store/people/organization-membership-store.ts'
import {
  countUsers,
  findUserId,
  listUsers,
  lockUser,
  saveCurrentPlace,
  updateUser,
} from '../../store/people/user-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import { echo } from '../../wire/details.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { audit } from '../audit.ts'
import type { Management } from '../management.ts'
import { isEmptyChange, mergeUser, toUserListItem, toWritable } from './user-message.ts'
import { createUserView } from './user-view.ts'

const SERVICE = '/sluice.v1.UserService'

export type UserHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
  readonly settings: { readonly version: string }
}

export function createUserHandlers({
  management,
  sql,
  news,
  settings,
}: UserHandlersDeps): ServiceHandlers<UserServiceDefinition> {
  const view = createUserView(sql, settings)
  return {
    ListUsers: management.ofCaller(`${SERVICE}/ListUsers`, {
      find: async ({ principal }) => refuseRestrictedKeys(principal),
      async run({ request }) {
        const [count, users] = await Promise.all([countUsers(sql), listUsers(sql, request)])
        return { count, results: users.map(toUserListItem) }
      },
    }),

    GetMe: management.ofCaller(`${SERVICE}/GetMe`, {
      run: async ({ principal }) => existing(await view(principal.userId, principal)),
    }),

    UpdateMe: management.ofCaller(`${SERVICE}/UpdateMe`, {
      async run({ request, principal }) {
        const isChange = !isEmptyChange(request)
        if (isChange) await refusingTakenEmail(sql.begin((tx) => change(tx, principal, request)))
        // Who is staff is remembered with each key.
        if (request.is_staff !== undefined) news.publish({ kind: 'keys' })
        return existing(await view(principal.userId, principal))
      },
    }),

    GetUser: management.ofCaller(`${SERVICE}/GetUser`, {
      async find({ request, principal }) {
        refuseRestrictedKeys(principal)
        const uuid = rowUuid(request.id)
        const id = uuid === undefined ? undefined : await findUserId(sql, uuid)
        if (id === undefined) throw notFound()
        return id
      },
      run: async (_call, id) => existing(await view(id, UNRESTRICTED)),
    }),
  }
}

async function change(
  tx: Db,
  principal: Principal,
  request: UpdateMeRequest__Output,
): Promise<void> {
  const { userId } = principal
  const stored = await lockUser(tx, userId)
  if (stored === undefined) throw notFound()
  const user = mergeUser(stored, request)
  await updateUser(tx, userId, user)
  const from = await currentPlace(tx, userId)
  const to = (await move(tx, principal, request)) ?? from
  await audit(
    tx,
    principal,
    { organizationId: from.organizationId },
    {
      scope: 'User',
      activity: 'updated',
      itemId: userId,
      itemName: user.email,
      type: 'sluice.v1.UpdateMeRequest',
      before: toWritable(stored, from),
      after: toWritable(user, to),
    },
  )
}

/**
 * Moves the caller to another current place: a project takes its organization along, and an
 * organization alone its first project.
 * @returns the new place; undefined when the request names none.
 * @throws {AppError} `invalid_argument` of the field that names what the caller, or the key, does
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
    organization === undefined ? [] : listMemberships(tx, userId, principal),
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

/** The index decides, not a look beforehand: it sees what other transactions do meanwhile. */
async function refusingTakenEmail<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violatedConstraint(error) !== 'users_email') throw error
    throw invalid('There is already an account with this email address.', 'email', 'unique')
  }
}

/** A key outlives its user for a second at most, while it is remembered. */
function existing(user: User | undefined): User {
  if (user === undefined) throw notFound()
  return user
}
