import {
  currentOrganization,
  type OrganizationAccess,
  ownProject,
  type ProjectAccess,
  parentProject,
} from '../admin/access.ts'
import { type Parent, type Policy, requireLevel, requireScope } from '../admin/policy.ts'
import type { Authenticator, Principal } from '../admin/principal.ts'
import {
  BODY_ERROR_METADATA,
  type BodyError,
  bodyErrorFailure,
  decodeBodyError,
} from '../core/body-error.ts'
import { assert } from '../core/code.ts'
import { type MessageObject, methodByPath } from '../core/proto.ts'
import { validateRequest } from '../core/validation/request.ts'
import type { Db } from '../store/db.ts'
import type { CallContext, Handler } from './call.ts'
import { validationFailure } from './validation-failure.ts'

export type ManagementDeps = {
  readonly db: Db
  readonly authenticator: Authenticator
  readonly policy: Policy
}

/** What a method works with once its caller may call it. */
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

type Declare<Access> = <Request extends object, Response, Found = undefined>(
  path: string,
  method: ManagementMethod<Request, Response, Access, Found>,
) => Handler<Request, Response>

/**
 * Makes handlers of management calls. All of them check in one order: who calls, the key's scope,
 * the parent and the key's restrictions, the level, a body that cannot be read, the object, then
 * the fields. A handler never checks a permission by itself.
 */
export type Management = {
  /** `…/{project_id}/…`: foreign projects are 403. */
  readonly underProject: Declare<ProjectAccess>
  /** `…/projects/{id}/`: foreign projects are 404. */
  readonly ownProject: Declare<ProjectAccess>
  /** Works in the caller's current organization; undefined when there is none. */
  readonly inCurrentOrganization: Declare<OrganizationAccess | undefined>
}

type Enter<Access> = (principal: Principal, message: MessageObject) => Promise<Access>

export function createManagement(deps: ManagementDeps): Management {
  const declare =
    <Access extends { readonly level: number } | undefined>(
      parent: Parent,
      enter: Enter<Access>,
    ): Declare<Access> =>
    (path, method) =>
      createHandler(deps, { path, parent, enter, method })
  const { db } = deps
  return {
    underProject: declare('project', (principal, message) =>
      parentProject(db, principal, textOf(message, 'project_id')),
    ),
    ownProject: declare('own_project', (principal, message) =>
      ownProject(db, principal, textOf(message, 'id')),
    ),
    inCurrentOrganization: declare('current_organization', (principal) =>
      currentOrganization(db, principal),
    ),
  }
}

/** @throws {InvariantError} when the contract does not know the method as one of this parent. */
function createHandler<Request extends object, Response, Found, Access extends object | undefined>(
  { authenticator, policy: policies }: ManagementDeps,
  declared: {
    path: string
    parent: Parent
    enter: Enter<Access & ({ readonly level: number } | undefined)>
    method: ManagementMethod<Request, Response, Access, Found>
  },
): Handler<Request, Response> {
  const { path, parent, enter, method } = declared
  const contractMethod = methodByPath(path)
  const policy = policies.get(path)
  assert(contractMethod !== undefined && policy !== undefined, `${path} is not in the contract`)
  assert(policy.parent === parent, `${path} is declared under ${parent}, not ${policy.parent}`)

  return async (request, context) => {
    const message = messageOf(request)
    const principal = await authenticator.authenticate(context.metadata)
    requireScope(principal, policy)
    const access = await enter(principal, message)
    if (access !== undefined) requireLevel(policy, access.level, givenFields(message))
    const wrong = decodeBodyError(context.metadata.get(BODY_ERROR_METADATA))
    raise(wrong, 'parse')
    const call = { request, principal, access, context }
    // Without `find`, `Found` is undefined by its default.
    const found = (await method.find?.(call)) as Found
    raise(wrong, 'fields')
    const valid = validateRequest(contractMethod, message)
    if (!valid.ok) throw validationFailure(valid.error)
    // The validator gives the members of the method's own request type.
    return await method.run({ ...call, request: valid.value as unknown as Request }, found)
  }
}

function messageOf(request: object): MessageObject {
  return { ...request }
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
