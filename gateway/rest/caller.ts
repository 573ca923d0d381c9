/** The caller of a management call: the gateway passes the key on, workers check it. */

import { AppError, assert, type ErrorDetail } from '../../src/core/code.ts'
import { MANAGEMENT_DEADLINE_MS } from '../../src/core/limits/limits.ts'
import { BODY_ERROR_METADATA, type BodyError, encodeBodyError } from '../../src/wire/body-error.ts'
import { invalidPersonalKeyDetail, notAuthenticatedDetail } from '../../src/wire/details.ts'
import type { MessageObject } from '../../src/wire/proto/proto.ts'
import {
  AGENT_LENGTH_MAX,
  AGENT_METADATA,
  BROWSER_METADATA,
  CLIENT_METADATA,
  SESSION_METADATA,
} from '../../src/wire/session.ts'
import type { HttpRequest } from '../http/http-server.ts'
import { isPlausibleKey, keyOfBody, keyOfHeader, keyOfQuery } from '../keys/credentials.ts'
import type { WorkerClient, WorkerStreams } from '../workers/worker-client.ts'
import { type ReadInput, tokenOf } from './bind.ts'
import type { Match } from './rest-router.ts'
import { isIntended, type Sessions } from './session/session-cookie.ts'
import { unintended } from './session/session-replies.ts'

const CHECK_ACCESS = '/sluice.v1.AccessService/CheckAccess'
/** Path parameters that name the parent of a resource. */
const PROJECT_PARAMETER = 'project_id'
const ORGANIZATION_PARAMETERS = ['organization_id', 'parent_lookup_organization_id']

export type Caller = {
  call(method: string, message: MessageObject, error?: BodyError): Promise<object>
  /** Makes a call that answers many messages; the signal ends it. */
  stream(
    method: string,
    message: MessageObject,
    error: BodyError | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterable<object>>
  checkAccess(): Promise<void>
}

export type CallerDeps = {
  readonly worker: WorkerClient & Partial<WorkerStreams>
  readonly sessions: Sessions
  /** Peer that attempts to sign in are counted for. */
  readonly peerOf: (request: HttpRequest) => string
}

/**
 * Reads the key, or else the session. A public path needs neither; a key in the header is passed
 * on.
 * @throws {AppError} 401 when both are missing, or the key is malformed; 403 for an unsafe call
 * that has a session and not its token.
 */
export async function callerOf(
  { worker, sessions, peerOf }: CallerDeps,
  match: Match,
  request: HttpRequest,
  query: URLSearchParams,
  read: () => Promise<ReadInput>,
): Promise<Caller> {
  const open = isPublic(match)
  const session = sessions.of(request)
  const who: Readonly<Record<string, string>> = open
    ? { ...publicCaller(request, session), ...clientOf(request, peerOf(request), sessions) }
    : await privateCaller(request, query, read, session)
  const projectId = projectHint(match)
  const optionsOf = (error: BodyError | undefined, signal: AbortSignal) => ({
    metadata: error === undefined ? who : { ...who, [BODY_ERROR_METADATA]: encodeBodyError(error) },
    timeoutMs: MANAGEMENT_DEADLINE_MS,
    signal,
    ...(projectId === undefined ? {} : { projectId }),
  })
  const call: Caller['call'] = (method, message, error) =>
    worker.call(method, message, optionsOf(error, request.signal))
  return {
    call,
    async stream(method, message, error, signal) {
      assert(worker.stream !== undefined, 'the worker is called for streams too')
      return await worker.stream(method, message, optionsOf(error, signal))
    },
    async checkAccess() {
      if (!open) await call(CHECK_ACCESS, parentsOf(match, query))
    },
  }
}

type Metadata = Readonly<Record<string, string>>

async function privateCaller(
  request: HttpRequest,
  query: URLSearchParams,
  read: () => Promise<ReadInput>,
  session: string | undefined,
): Promise<Metadata> {
  const key = await keyOf(request, query, read)
  if (key !== undefined) return { authorization: `Bearer ${plausible(key)}` }
  if (session === undefined) throw refusal('unauthenticated', notAuthenticatedDetail)
  if (!isIntended(request, session)) throw unintended()
  return { [SESSION_METADATA]: session }
}

/** A session without its CSRF token is ignored: the call is anonymous. */
function publicCaller(request: HttpRequest, session: string | undefined): Metadata {
  const key = keyOfHeader(request.header('authorization'))
  if (key !== undefined) return { authorization: `Bearer ${plausible(key)}` }
  return session !== undefined && isIntended(request, session)
    ? { [SESSION_METADATA]: session }
    : {}
}

/** Metadata holds visible ASCII alone. */
function clientOf(request: HttpRequest, peer: string, sessions: Sessions): Metadata {
  const agent = request.header('user-agent')?.slice(0, AGENT_LENGTH_MAX) ?? ''
  const known = {
    [CLIENT_METADATA]: peer,
    [AGENT_METADATA]: agent.replace(/[^\x20-\x7e]/g, '?'),
    [BROWSER_METADATA]: sessions.browserOf(request) ?? '',
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''))
}

/** The first place that holds a key counts. */
async function keyOf(
  request: HttpRequest,
  query: URLSearchParams,
  read: () => Promise<ReadInput>,
): Promise<string | undefined> {
  let key = keyOfHeader(request.header('authorization'))
  if (key === undefined) {
    const input = await read()
    key = (input.ok ? keyOfBody(input.value) : undefined) ?? keyOfQuery(query)
  }
  return key
}

/**
 * True for a request whose key is judged without its body. A wrong one in the query refuses a large
 * body unread, though that might hold a better one.
 */
export function hasKeyBeforeBody(request: HttpRequest, query: URLSearchParams): boolean {
  return (keyOfHeader(request.header('authorization')) ?? keyOfQuery(query)) !== undefined
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
