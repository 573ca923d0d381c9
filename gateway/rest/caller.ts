/** The caller of a management call: the gateway passes the key on, workers check it. */

import { AppError, type ErrorDetail } from '../../src/core/code.ts'
import { MANAGEMENT_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { BODY_ERROR_METADATA, type BodyError, encodeBodyError } from '../../src/wire/body-error.ts'
import { invalidPersonalKeyDetail, notAuthenticatedDetail } from '../../src/wire/details.ts'
import type { MessageObject } from '../../src/wire/proto/proto.ts'
import type { HttpRequest } from '../http/http-server.ts'
import type { WorkerClient } from '../workers/worker-client.ts'
import { type ReadInput, tokenOf } from './bind.ts'
import { isPlausibleKey, keyOfBody, keyOfHeader, keyOfQuery } from './credentials.ts'
import type { Match } from './rest-router.ts'

const CHECK_ACCESS = '/sluice.v1.AccessService/CheckAccess'
/** Path parameters that name the parent of a resource. */
const PROJECT_PARAMETER = 'project_id'
const ORGANIZATION_PARAMETERS = ['organization_id', 'parent_lookup_organization_id']

export type Caller = {
  call(method: string, message: MessageObject, error?: BodyError): Promise<object>
  checkAccess(): Promise<void>
}

/**
 * Reads the key. A public path needs none; a key in the header is passed on.
 * @throws {AppError} 401 when the key is missing or malformed.
 */
export async function callerOf(
  worker: WorkerClient,
  match: Match,
  request: HttpRequest,
  query: URLSearchParams,
  read: () => Promise<ReadInput>,
): Promise<Caller> {
  const open = isPublic(match)
  const key = open ? publicKeyOf(request) : await keyOf(request, query, read)
  const who: Readonly<Record<string, string>> =
    key === undefined ? {} : { authorization: `Bearer ${key}` }
  const projectId = projectHint(match)
  const call: Caller['call'] = (method, message, error) =>
    worker.call(method, message, {
      metadata:
        error === undefined ? who : { ...who, [BODY_ERROR_METADATA]: encodeBodyError(error) },
      timeoutMs: MANAGEMENT_DEADLINE_MS,
      signal: request.signal,
      ...(projectId === undefined ? {} : { projectId }),
    })
  return {
    call,
    async checkAccess() {
      if (!open) await call(CHECK_ACCESS, parentsOf(match, query))
    },
  }
}

async function keyOf(
  request: HttpRequest,
  query: URLSearchParams,
  read: () => Promise<ReadInput>,
): Promise<string> {
  let key = keyOfHeader(request.header('authorization'))
  if (key === undefined) {
    const input = await read()
    key = (input.ok ? keyOfBody(input.value) : undefined) ?? keyOfQuery(query)
  }
  if (key === undefined) throw refusal('unauthenticated', notAuthenticatedDetail)
  return plausible(key)
}

/**
 * True for a request whose key is judged without its body. A wrong one in the query refuses a large
 * body unread, though that might hold a better one.
 */
export function hasKeyBeforeBody(request: HttpRequest, query: URLSearchParams): boolean {
  return (keyOfHeader(request.header('authorization')) ?? keyOfQuery(query)) !== undefined
}

function publicKeyOf(request: HttpRequest): string | undefined {
  const key = keyOfHeader(request.header('authorization'))
  return key === undefined ? undefined : plausible(key)
}

function plausible(key: string): string {
  if (!isPlausibleKey(key)) throw refusal('unauthenticated', invalidPersonalKeyDetail)
  return key
}

function isPublic({ route }: Match): boolean {
  return [...route.endpoints.values()].every(({ method }) => method.rules.public)
}

/** The parents of a route: the same for each of its methods. */
function parentsOf({ route, values }: Match, query: URLSearchParams): MessageObject {
  const parents: Record<string, string> = { project_id: '', organization_id: '' }
  for (const endpoint of route.endpoints.values()) {
    const { token } = tokenOf(endpoint, query)
    if (token !== undefined) Object.assign(parents, { project_id: '@current', token })
    for (const [at, name] of endpoint.parameters.entries()) {
      const value = values[at] ?? ''
      if (name === PROJECT_PARAMETER) parents['project_id'] = value
      if (ORGANIZATION_PARAMETERS.includes(name)) parents['organization_id'] = value
    }
  }
  return parents
}

function projectHint({ route, values }: Match): number | undefined {
  for (const { parameters, method } of route.endpoints.values()) {
    const at = parameters.indexOf(method.rules.project_field || PROJECT_PARAMETER)
    const text = at === -1 ? undefined : values[at]
    if (text !== undefined && /^[1-9]\d{0,9}$/.test(text)) return Number(text)
  }
  return undefined
}

/** A failure that the gateway detects before it calls a worker. */
export function refusal(code: AppError['code'], detail: ErrorDetail): AppError {
  return new AppError(code, detail.code, { detail })
}
