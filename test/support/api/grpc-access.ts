/** Calls of one method that are refused whatever they ask for, derived from the contract. */
import { status } from '@grpc/grpc-js'
import type { MethodPolicy, Parent } from '../../../src/access/policy.ts'
import type { ContractMethod, MessageObject } from '../../../src/wire/proto/proto.ts'
import { UNKNOWN_KEY, type World } from './api-world.ts'

export type RefusedCall = {
  readonly name: string
  readonly request: MessageObject
  /** Value of `authorization`; undefined is none. */
  readonly key: string | undefined
  readonly status: status
  readonly body: object
}

/** Keys that hold one scope, by it. */
export type ScopedKeys = Readonly<Record<'plugin:write' | 'feature_flag:write', string>>

type Places = { readonly project: string; readonly organization: string }
type Refusal = Pick<RefusedCall, 'status' | 'body'>

const UNKNOWN: Places = {
  project: '2147483647',
  organization: '00000000-0000-4000-8000-000000000000',
}

/** In the order in which they are checked. */
export function refusedCalls(
  method: ContractMethod,
  { parent, scope }: MethodPolicy,
  { names, keys }: World,
  scoped: ScopedKeys,
): readonly RefusedCall[] {
  const places: Places = {
    project: String(names.get('project')),
    organization: String(names.get('organization')),
  }
  const request = requestTo(method, parent, places)
  const other = scope.startsWith('feature_flag:') ? 'plugin:write' : 'feature_flag:write'
  const calls: RefusedCall[] = [
    { name: 'without a key', request, key: undefined, ...NOT_AUTHENTICATED },
    { name: 'a key that nobody has', request, key: UNKNOWN_KEY, ...INVALID_KEY },
    { name: 'a project key', request, key: String(names.get('token')), ...INVALID_KEY },
    {
      name: 'a key with another scope',
      request,
      key: scoped[other],
      ...denied(`API key missing required scope '${scope}'.`),
    },
  ]
  const refusals = BORDERS[parent]
  if (refusals === undefined) return calls
  return [
    ...calls,
    { name: 'an outsider', request, key: keys.outsider, ...refusals.foreign },
    {
      name: 'an unknown place',
      request: requestTo(method, parent, UNKNOWN),
      key: keys.owner,
      ...refusals.unknown,
    },
  ]
}

/** Names the places alone; an object of a path is one that nobody has. */
export function requestTo(method: ContractMethod, parent: Parent, places: Places): MessageObject {
  const own: Partial<Record<Parent, string>> = {
    own_project: places.project,
    own_organization: places.organization,
  }
  const values: Readonly<Record<string, string>> = {
    project_id: places.project,
    organization_id: places.organization,
    parent_lookup_organization_id: places.organization,
    id: own[parent] ?? '0',
  }
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => method.request.fields[name] !== undefined),
  )
}

/** Verb and path of the same call over REST; undefined when REST has none. */
export function restCall({ bindings }: ContractMethod, request: MessageObject) {
  const [binding] = bindings
  if (binding === undefined) return undefined
  const path = binding.template.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(request[name] ?? '0'),
  )
  return { verb: binding.verb, path }
}

const NOT_AUTHENTICATED: Refusal = {
  status: status.UNAUTHENTICATED,
  body: {
    type: 'authentication_error',
    code: 'not_authenticated',
    detail: 'Authentication credentials were not provided.',
    attr: null,
  },
}
/** The one body without `attr`. */
const INVALID_KEY: Refusal = {
  status: status.UNAUTHENTICATED,
  body: {
    type: 'authentication_error',
    code: 'invalid_personal_api_key',
    detail: 'Invalid Personal API key.',
  },
}
const DENIED_DETAIL = 'You do not have permission to perform this action.'

export function denied(detail = DENIED_DETAIL): Refusal {
  const body = { type: 'authentication_error', code: 'permission_denied', detail, attr: null }
  return { status: status.PERMISSION_DENIED, body }
}

function notFound(detail = 'Not found.'): Refusal {
  const body = { type: 'invalid_request', code: 'not_found', detail, attr: null }
  return { status: status.NOT_FOUND, body }
}

/** Refusals of objects that belong to others, or do not exist. */
const BORDERS: Partial<Record<Parent, { foreign: Refusal; unknown: Refusal }>> = {
  project: {
    foreign: denied("You don't have access to the project."),
    unknown: notFound('Project not found.'),
  },
  own_project: { foreign: notFound(), unknown: notFound() },
  organization: { foreign: denied(), unknown: notFound('Organization not found.') },
  own_organization: { foreign: notFound(), unknown: notFound() },
}
