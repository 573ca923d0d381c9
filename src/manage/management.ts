/** Makes the handlers of management calls: checks each call in one order, then runs its method. */
import { NotOwnerError } from '../../cluster/shards/not-owner.ts'
import {
  CURRENT,
  createProjectReads,
  currentOrganization,
  type OrganizationAccess,
  ownOrganization,
  ownProject,
  type ProjectAccess,
  parentOrganization,
  parentProject,
  refuseProjectKeys,
} from '../access/access.ts'
import {
  type MethodPolicy,
  type Parent,
  type Policy,
  requireLevel,
  requirePluginLevel,
  requireScope,
  requireStaff,
} from '../access/policy.ts'
import type { Authenticator, Principal } from '../access/principal.ts'
import type { Throttle } from '../access/throttle.ts'
import type { Clock } from '../core/clock.ts'
import { AppError, assert } from '../core/code.ts'
import type { Db } from '../postgres/db.ts'
import {
  BODY_ERROR_METADATA,
  type BodyError,
  bodyErrorFailure,
  decodeBodyError,
} from '../wire/body-error.ts'
import type { CallContext, Handler } from '../wire/call.ts'
import { type ContractMethod, type MessageObject, methodByPath } from '../wire/proto/proto.ts'
import { validateRequest } from '../wire/validation/request.ts'

export type ManagementDeps = {
  readonly db: Db
  readonly clock: Pick<Clock, 'after'>
  readonly authenticator: Authenticator
  readonly policy: Policy
  readonly throttle: Throttle
}

/** Arguments of a method, once its caller may call it. */
export type ManagementCall<Request, Access> = {
  readonly request: Request
  readonly principal: Principal
  readonly access: Access
  readonly context: CallContext
}

export type ManagementMethod<Request, Response, Access, Found> = {
  /** Looks the object up, before the body is judged. @throws {AppError} `not_found`. */
  readonly find?: (call: ManagementCall<Request, Access>) => Promise<Found>
  readonly run: (call: ManagementCall<Request, Access>, found: Found) => Promise<Response>
}

/** A method that needs no caller. */
export type PublicMethod<Request, Response, Found> = {
  /** `caller` is undefined when the call has neither key nor session. */
  readonly find?: (request: Request, caller: Principal | undefined) => Promise<Found>
  readonly run: (
    request: Request,
    found: Found,
    caller: Principal | undefined,
    context: CallContext,
  ) => Promise<Response>
}

type Declare<Access> = <Request extends object, Response, Found = undefined>(
  path: string,
  method: ManagementMethod<Request, Response, Access, Found>,
) => Handler<Request, Response>

/** Access of calls that concern only the caller. */
export type CallerAccess = Readonly<Record<never, never>>

/**
 * Makes handlers of management calls. All of them check in one order: the caller, the key's scope,
 * the parent and the key's restrictions, the levels, the rate, an unreadable body, the object, the
 * fields, then who may set them. A handler never checks a permission by itself.
 */
export type Management = {
  /** `…/projects/{project_id}/…`: foreign projects are 403. */
  readonly underProject: Declare<ProjectAccess>
  /** In the project of the request's `token`, else in the current one: foreign projects are 403. */
  readonly byToken: Declare<ProjectAccess>
  /** `…/projects/{id}/`: foreign projects are 404. */
  readonly ownProject: Declare<ProjectAccess>
  /** `…/organizations/{organization_id}/…`: foreign organizations are 403. */
  readonly underOrganization: Declare<OrganizationAccess>
  /** `…/organizations/{id}/`: foreign organizations are 404. */
  readonly ownOrganization: Declare<OrganizationAccess>
  /** Works in the caller's current organization; undefined when there is none. */
  readonly inCurrentOrganization: Declare<OrganizationAccess | undefined>
  /** Concerns all organizations of the caller. Keys restricted to projects are refused. */
  readonly acrossOrganizations: Declare<CallerAccess>
  /** Concerns only the caller, whatever the restrictions of the key. */
  readonly ofCaller: Declare<CallerAccess>
  /** Needs no key. A key that is given must be valid. */
  readonly forAnybody: <Request extends object, Response, Found = undefined>(
    path: string,
    method: PublicMethod<Request, Response, Found>,
  ) => Handler<Request, Response>
}

type Levels = { readonly level?: number; readonly pluginsAccessLevel?: number }
type Enter<Access> = (principal: Principal, message: MessageObject) => Promise<Access>

export function createManagement(deps: ManagementDeps): Management {
  const { db, clock, policy: policies } = deps
  const reads = createProjectReads(db, clock)
  const declare =
    <Access extends Levels | undefined>(parent: Parent, enter: Enter<Access>): Declare<Access> =>
    (path, method) =>
      createHandler(deps, { ...declared(policies, path, parent), enter, method })
  return {
    underProject: declare('project', (principal, message) =>
      parentProject(reads, principal, textOf(message, 'project_id'), textOf(message, 'token')),
    ),
    byToken: declare('project_by_token', (principal, message) =>
      parentProject(reads, principal, CURRENT, textOf(message, 'token')),
    ),
    ownProject: declare('own_project', (principal, message) =>
      ownProject(reads, principal, textOf(message, 'id')),
    ),
    underOrganization: declare('organization', (principal, message) =>
      parentOrganization(
        db,
        principal,
        textOf(message, 'organization_id') || textOf(message, 'parent_lookup_organization_id'),
      ),
    ),
    ownOrganization: declare('own_organization', (principal, message) =>
      ownOrganization(db, principal, textOf(message, 'id')),
    ),
    inCurrentOrganization: declare('current_organization', (principal) =>
      currentOrganization(db, principal),
    ),
    acrossOrganizations: declare('organizations', async (principal) => {
      refuseProjectKeys(principal)
      return {}
    }),
    ofCaller: declare('caller', async () => ({})),
    forAnybody: (path, method) => {
      const { contractMethod } = declared(policies, path, 'public')
      return createPublicHandler(deps, contractMethod, method)
    },
  }
}

/** @throws {InvariantError} when the contract does not know the method as one of this parent. */
function declared(
  policies: Policy,
  path: string,
  parent: Parent,
): { contractMethod: ContractMethod; policy: MethodPolicy } {
  const contractMethod = methodByPath(path)
  const policy = policies.get(path)
  assert(contractMethod !== undefined && policy !== undefined, `${path} is not in the contract`)
  assert(policy.parent === parent, `${path} is declared under ${parent}, not ${policy.parent}`)
  return { contractMethod, policy }
}

function createHandler<Request extends object, Response, Found, Access extends Levels | undefined>(
  { authenticator, throttle }: ManagementDeps,
  handler: {
    contractMethod: ContractMethod
    policy: MethodPolicy
    enter: Enter<Access>
    method: ManagementMethod<Request, Response, Access, Found>
  },
): Handler<Request, Response> {
  const { contractMethod, policy, enter, method } = handler
  return async (request, context) => {
    const message = messageOf(request)
    const principal = await authenticator.authenticate(context.metadata)
    requireScope(principal, policy)
    const access = await enter(principal, message)
    const requireRights = (fields: readonly string[]) => {
      requireStaff(policy, principal, fields)
      requireLevel(policy, access?.level ?? Number.MAX_SAFE_INTEGER, fields)
      const level = access?.pluginsAccessLevel ?? Number.MAX_SAFE_INTEGER
      requirePluginLevel(policy, { level, isStaff: principal.isStaff }, fields)
    }
    requireRights([])
    const giveBack = goesOn(message) ? undefined : throttle.take(policy.rate, principal, access)
    const wrong = decodeBodyError(context.metadata.get(BODY_ERROR_METADATA))
    raise(wrong, 'parse')
    const call = { request, principal, access, context }
    // Without `find`, `Found` is undefined by its default.
    const found = (await method.find?.(call)) as Found
    raise(wrong, 'fields')
    const valid: Request = validated(contractMethod, message)
    requireRights(givenFields(messageOf(valid)))
    requireWaiting(context)
    try {
      return await method.run({ ...call, request: valid }, found)
    } catch (error) {
      // The call had no effect here. The owner counts it.
      if (error instanceof NotOwnerError) giveBack?.()
      throw error
    }
  }
}

function createPublicHandler<Request extends object, Response, Found>(
  { authenticator }: ManagementDeps,
  contractMethod: ContractMethod,
  method: PublicMethod<Request, Response, Found>,
): Handler<Request, Response> {
  return async (request, context) => {
    const { metadata } = context
    const caller = await authenticator.identify(metadata)
    const wrong = decodeBodyError(metadata.get(BODY_ERROR_METADATA))
    raise(wrong, 'parse')
    // Without `find`, `Found` is undefined by its default.
    const found = (await method.find?.(request, caller)) as Found
    raise(wrong, 'fields')
    const valid: Request = validated(contractMethod, messageOf(request))
    requireWaiting(context)
    return await method.run(valid, found, caller, context)
  }
}

/**
 * Begins nothing for a caller who has left or whose deadline has passed.
 * @throws {AppError} `deadline_exceeded` or `cancelled`.
 */
function requireWaiting({ signal }: CallContext): void {
  if (!signal.aborted) return
  const { reason } = signal
  throw reason instanceof AppError ? reason : new AppError('cancelled', 'the caller has left')
}

/** @throws {AppError} `invalid_argument` of the first field that is wrong. */
function validated<Request>(contractMethod: ContractMethod, message: MessageObject): Request {
  const valid = validateRequest(contractMethod, message)
  if (!valid.ok) {
    const { error: detail } = valid
    throw new AppError('invalid_argument', `validation: ${detail.code}`, { detail })
  }
  // The validator gives the members of the method's own request type.
  return valid.value as unknown as Request
}

function messageOf(request: object): MessageObject {
  return { ...request }
}

/** Later pieces of an answer belong to the call that began it, which was counted. */
function goesOn(message: MessageObject): boolean {
  return textOf(message, 'cursor') !== ''
}

function raise(error: BodyError | undefined, stage: BodyError['stage']): void {
  if (error?.stage === stage) throw bodyErrorFailure(error)
}

/** Names of the fields that the caller has set, to null included. */
function givenFields(message: MessageObject): string[] {
  const nulls = message['null_fields']
  const set = Object.keys(message).filter(
    (name) => message[name] !== undefined && message[name] !== null,
  )
  return Array.isArray(nulls) ? [...set, ...nulls.map(String)] : set
}

function textOf(message: MessageObject, field: string): string {
  const value = message[field]
  return typeof value === 'string' ? value : ''
}
