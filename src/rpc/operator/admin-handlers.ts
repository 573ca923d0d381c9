/** The handlers of the operator's service. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { CreateUserRequest__Output } from '../../../proto/gen/sluice/v1/CreateUserRequest.ts'
import type { CreateUserResponse } from '../../../proto/gen/sluice/v1/CreateUserResponse.ts'
import type { DrainResponse } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { SpillStatus } from '../../../proto/gen/sluice/v1/SpillStatus.ts'
import { type CreatedUser, createUser } from '../../access/create-user.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { Handler } from '../../wire/call.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import type { ReplicaHandlers } from './replica-handlers.ts'

export type AdminHandlersDeps = {
  /** Guards with the operator token: `createMemberAuth(operatorToken)`. */
  readonly operatorAuth: MemberAuth
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  /** Status of this process and of the cluster. */
  readonly status: () => Promise<GetStatusResponse>
  readonly drain: (node: string) => Promise<DrainResponse>
  readonly spill: () => Promise<SpillStatus>
  /** Guarded here. */
  readonly deadLetters: DeadLetterHandlers
  readonly copy: ReplicaHandlers
  readonly plugins: OperatorPluginHandlers
  readonly people: PeopleHandlers
  readonly instance: Pick<ServiceHandlers<AdminServiceDefinition>, 'ShowInstance'>
  readonly activity: Pick<ServiceHandlers<AdminServiceDefinition>, 'ListInstanceActivity'>
  /** Called with each new user, in the transaction that makes it. */
  readonly onCreated: (tx: Db, user: CreatedUser) => Promise<void>
  readonly onDrained: (drained: DrainResponse) => Promise<void>
}

/** The operator's calls about plugins. */
export type OperatorPluginHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'SetPluginsLevel' | 'RotateSecrets'
>

/** The operator's calls about users and their keys. */
export type PeopleHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  | 'ShowUser'
  | 'DisableUser'
  | 'EnableUser'
  | 'CreateKey'
  | 'RevokeKey'
  | 'ConfirmEmail'
  | 'SetOwner'
  | 'CreateLoginLink'
>

export type DeadLetterHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'ListDeadLetters' | 'GetDeadLetter' | 'ReplayDeadLetters' | 'DiscardDeadLetters'
>

/** Every call is refused without the operator token, before anything else happens. */
export function createAdminHandlers({
  operatorAuth,
  sql,
  feed,
  status,
  drain,
  spill,
  deadLetters,
  copy,
  plugins,
  people,
  instance,
  activity,
  onCreated,
  onDrained,
}: AdminHandlersDeps): ServiceHandlers<AdminServiceDefinition> {
  const guarded =
    <Request, Response>(handler: Handler<Request, Response>): Handler<Request, Response> =>
    async (request, context) => {
      operatorAuth(context)
      return await handler(request, context)
    }
  return {
    CreateUser: guarded((request) => makeUser({ sql, feed, onCreated }, request)),
    SetPluginsLevel: guarded(plugins.SetPluginsLevel),
    RotateSecrets: guarded(plugins.RotateSecrets),
    ShowInstance: guarded(instance.ShowInstance),
    SetOwner: guarded(people.SetOwner),
    ListInstanceActivity: guarded(activity.ListInstanceActivity),
    ShowUser: guarded(people.ShowUser),
    DisableUser: guarded(people.DisableUser),
    EnableUser: guarded(people.EnableUser),
    CreateKey: guarded(people.CreateKey),
    RevokeKey: guarded(people.RevokeKey),
    CreateLoginLink: guarded(people.CreateLoginLink),
    ConfirmEmail: guarded(people.ConfirmEmail),
    GetStatus: guarded(() => status()),
    Drain: guarded(async ({ node }) => {
      const drained = await drain(node)
      await onDrained(drained)
      return drained
    }),
    GetSpill: guarded(() => spill()),
    GetCopy: guarded(copy.GetCopy),
    CompareCopy: guarded(copy.CompareCopy),
    FillCopy: guarded(copy.FillCopy),
    MoveHome: guarded(copy.MoveHome),
    MoveMonth: guarded(copy.MoveMonth),
    ListDeadLetters: guarded(deadLetters.ListDeadLetters),
    GetDeadLetter: guarded(deadLetters.GetDeadLetter),
    ReplayDeadLetters: guarded(deadLetters.ReplayDeadLetters),
    DiscardDeadLetters: guarded(deadLetters.DiscardDeadLetters),
  }
}

async function makeUser(
  { sql, feed, onCreated }: Pick<AdminHandlersDeps, 'sql' | 'feed' | 'onCreated'>,
  request: CreateUserRequest__Output,
): Promise<CreateUserResponse> {
  const user = await sql.begin(async (tx) => {
    const created = await createUser(tx, {
      email: request.email,
      firstName: request.first_name,
      organizationId: request.organization_id.trim(),
      organizationName: request.organization_name,
      level: request.level,
      personalApiKey: request.personal_api_key,
      projectApiKey: '',
      isStaff: false,
      // Confirmed by the operator.
      isEmailConfirmed: true,
    })
    await onCreated(tx, created)
    return created
  })
  feed.publish({ kind: 'keys' })
  const { project } = user
  return {
    user_id: user.userId,
    user_uuid: user.userUuid,
    distinct_id: user.distinctId,
    organization_id: user.organizationId,
    ...(project === null ? {} : { project_id: project.id, project_api_key: project.apiToken }),
    personal_api_key: user.personalApiKey,
  }
}
