import type { AdminServiceDefinition } from '../../proto/gen/sluice/v1/AdminService.ts'
import type { DrainResponse } from '../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { SpillStatus } from '../../proto/gen/sluice/v1/SpillStatus.ts'
import { createUser } from '../access/create-user.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { Sql } from '../store/pool/connect.ts'
import type { ServiceHandlers } from '../wire/service-handlers.ts'
import type { MemberAuth } from './server/member-auth.ts'

export type AdminHandlersDeps = {
  /** Guards with the operator token: `createMemberAuth(operatorToken)`. */
  readonly operatorAuth: MemberAuth
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
  /** What this process knows of itself and of the cluster. */
  readonly status: () => Promise<GetStatusResponse>
  readonly drain: (node: string) => Promise<DrainResponse>
  readonly spill: () => Promise<SpillStatus>
  /** Guarded here. */
  readonly deadLetters: DeadLetterHandlers
}

export type DeadLetterHandlers = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'ListDeadLetters' | 'GetDeadLetter' | 'ReplayDeadLetters' | 'DiscardDeadLetters'
>

export function createAdminHandlers({
  operatorAuth,
  sql,
  news,
  status,
  drain,
  spill,
  deadLetters,
}: AdminHandlersDeps): ServiceHandlers<AdminServiceDefinition> {
  return {
    async CreateUser(request, context) {
      operatorAuth(context)
      const user = await sql.begin((tx) =>
        createUser(tx, {
          email: request.email,
          firstName: request.first_name,
          organizationId: request.organization_id.trim(),
          organizationName: request.organization_name,
          level: request.level,
          personalApiKey: request.personal_api_key,
          projectApiKey: '',
          isStaff: false,
        }),
      )
      news.publish({ kind: 'keys' })
      const { project } = user
      return {
        user_id: user.userId,
        user_uuid: user.userUuid,
        distinct_id: user.distinctId,
        organization_id: user.organizationId,
        ...(project === null ? {} : { project_id: project.id, project_api_key: project.apiToken }),
        personal_api_key: user.personalApiKey,
      }
    },

    async GetStatus(_request, context) {
      operatorAuth(context)
      return await status()
    },

    async Drain({ node }, context) {
      operatorAuth(context)
      return await drain(node)
    },

    async GetSpill(_request, context) {
      operatorAuth(context)
      return await spill()
    },

    async ListDeadLetters(request, context) {
      operatorAuth(context)
      return await deadLetters.ListDeadLetters(request, context)
    },

    async GetDeadLetter(request, context) {
      operatorAuth(context)
      return await deadLetters.GetDeadLetter(request, context)
    },

    async ReplayDeadLetters(request, context) {
      operatorAuth(context)
      return await deadLetters.ReplayDeadLetters(request, context)
    },

    async DiscardDeadLetters(request, context) {
      operatorAuth(context)
      return await deadLetters.DiscardDeadLetters(request, context)
    },
  }
}
