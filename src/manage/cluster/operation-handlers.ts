/** Handlers of `OperationService`: commands of operators, for staff of the instance. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { ChangeDeadLettersRequest__Output } from '../../../proto/gen/sluice/v1/ChangeDeadLettersRequest.ts'
import type { CopyStatus } from '../../../proto/gen/sluice/v1/CopyStatus.ts'
import type { DeadLetterFilter__Output } from '../../../proto/gen/sluice/v1/DeadLetterFilter.ts'
import type { DrainMemberRequest__Output } from '../../../proto/gen/sluice/v1/DrainMemberRequest.ts'
import type { DrainResponse } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { GetStatusResponse } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { ListDeadLettersRequest__Output } from '../../../proto/gen/sluice/v1/ListDeadLettersRequest.ts'
import type { OperationServiceDefinition } from '../../../proto/gen/sluice/v1/OperationService.ts'
import { invalid } from '../../access/errors.ts'
import { refuseRestrictedKeys } from '../../access/key-limits.ts'
import type { Principal } from '../../access/principal.ts'
import { listDeadLetterCauses } from '../../event-store/dead-letters/dead-letter-causes.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { auditDrained } from '../operator-audit.ts'

const SERVICE = '/sluice.v1.OperationService'

/** Operations of the operator's service, without its guard. */
export type ClusterOperations = {
  status(): Promise<GetStatusResponse>
  copy(): Promise<CopyStatus>
  /** By the id of a member. @throws {AppError} when it must not or cannot be drained. */
  drain(member: string): Promise<DrainResponse>
  /** The operator's own handlers; their audit entries name this user. */
  deadLettersOf(
    principal: Principal,
  ): Pick<
    ServiceHandlers<AdminServiceDefinition>,
    'ListDeadLetters' | 'ReplayDeadLetters' | 'DiscardDeadLetters'
  >
}

export type OperationHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly operations: ClusterOperations
}

/** The contract lets staff alone in; keys that are held to a part of the instance stay out too. */
export function createOperationHandlers({
  management,
  sql,
  operations,
}: OperationHandlersDeps): ServiceHandlers<OperationServiceDefinition> {
  const find = async ({ principal }: { readonly principal: Principal }) =>
    refuseRestrictedKeys(principal)
  return {
    GetCluster: management.ofCaller(`${SERVICE}/GetCluster`, {
      find,
      run: () => operations.status(),
    }),

    GetClusterCopy: management.ofCaller(`${SERVICE}/GetClusterCopy`, {
      find,
      run: () => operations.copy(),
    }),

    ListDeadLetters: management.ofCaller(`${SERVICE}/ListDeadLetters`, {
      find,
      run: ({ request, principal, context }) =>
        operations.deadLettersOf(principal).ListDeadLetters(toFilter(request), context),
    }),

    ListDeadLetterCauses: management.ofCaller(`${SERVICE}/ListDeadLetterCauses`, {
      find,
      run: async () => ({ results: (await listDeadLetterCauses(sql)).map(toCause) }),
    }),

    ReplayDeadLetters: management.ofCaller(`${SERVICE}/ReplayDeadLetters`, {
      find,
      run: ({ request, principal, context }) =>
        operations.deadLettersOf(principal).ReplayDeadLetters(toChosen(request), context),
    }),

    DiscardDeadLetters: management.ofCaller(`${SERVICE}/DiscardDeadLetters`, {
      find,
      run: ({ request, principal, context }) =>
        operations.deadLettersOf(principal).DiscardDeadLetters(toChosen(request), context),
    }),

    DrainMember: management.ofCaller(`${SERVICE}/DrainMember`, {
      find,
      run: ({ request, principal }) => drain({ sql, operations }, request, principal),
    }),
  }
}

async function drain(
  { sql, operations }: Pick<OperationHandlersDeps, 'sql' | 'operations'>,
  { member = '', address = '', dry_run }: DrainMemberRequest__Output,
  principal: Principal,
): Promise<DrainResponse> {
  const { members } = await operations.status()
  const found = members?.find(({ id }) => id === member)
  if (found === undefined) {
    throw invalid('There is no such member: it may have ended.', 'member', 'does_not_exist')
  }
  // The address confirms that the caller means this very process.
  if (found.address !== address) throw invalid('The member has another address.', 'address')
  if (dry_run) return { member_id: member, address, released: found.shards ?? 0 }
  const drained = await operations.drain(member)
  await auditDrained(sql, drained, principal)
  return drained
}

type Selecting = Omit<ListDeadLettersRequest__Output, 'project'> & { readonly project?: number }

/** Filter of a request, in which fields may be missing. */
function toFilter(
  { project, since = '', until = '', reason = '', cursor = 0, limit = 0 }: Partial<Selecting>,
  dryRun = false,
): DeadLetterFilter__Output {
  const ofProject = project === undefined ? {} : { project_id: project }
  return { ids: [], ...ofProject, since, until, reason, dry_run: dryRun, cursor, limit }
}

/** @throws {AppError} without any selection: a slip must not mean all of them. */
function toChosen(request: ChangeDeadLettersRequest__Output): DeadLetterFilter__Output {
  const chosen = toFilter(request, request.dry_run)
  const { project_id: project, since, until, reason } = chosen
  const isChosen = project !== undefined || `${since}${until}${reason}`.trim() !== ''
  if (!isChosen && !request.all)
    throw invalid('Choose some, or send true to mean all.', 'all', 'required')
  return chosen
}

function toCause(cause: Awaited<ReturnType<typeof listDeadLetterCauses>>[number]) {
  const { oldestAt, newestAt, ...rest } = cause
  return { ...rest, oldest_at: oldestAt, newest_at: newestAt }
}
