/**
 * Every management route, built from the `google.api.http` annotations: a request is bound to the
 * method's message, sent to a worker, and the answer or the failure is mapped back.
 *
 * The worker checks in the documented order: caller, scope, parents, then the body. So the gateway
 * sends an invalid body's error along as metadata, and the worker raises it in its place.
 */
import { AppError, assert } from '../../src/core/code.ts'
import { BODY_BYTES_INLINE_MAX, BODY_BYTES_MAX } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { once } from '../../src/core/once.ts'
import { ok } from '../../src/core/result.ts'
import { ownTurn } from '../../src/core/work/turns.ts'
import {
  bodyTooLargeDetail,
  methodNotAllowedDetail,
  notAcceptableDetail,
  notFoundDetail,
  routeNotFoundDetail,
} from '../../src/wire/details.ts'
import { failureOf, HTTP_STATUS } from '../../src/wire/failure.ts'
import type { ContractMethod, MessageObject } from '../../src/wire/proto/proto.ts'
import { methods as contractMethods } from '../../src/wire/proto/proto.ts'
import type { MethodRules } from '../../src/wire/proto/rules.ts'
import {
  isSlowToRead,
  type ReadLargeBody,
  readRestBody,
  type WantedMembers,
} from '../body/rest-body.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { KEY_MEMBER } from '../keys/credentials.ts'
import type { WorkerClient, WorkerStreams } from '../workers/worker-client.ts'
import { bind, type ReadInput } from './bind.ts'
import { type Caller, type CallerDeps, callerOf, hasKeyBeforeBody, refusal } from './caller.ts'
import { negotiate } from './negotiate.ts'
import { pageLinks, requestBase } from './page-links.ts'
import { pageReply } from './page-reply.ts'
import type { Renderers } from './renderers.ts'
import {
  conditionalReply,
  emptyReply,
  failureReply,
  fileReply,
  JSON_TYPE,
  jsonReply,
} from './replies.ts'
import { createRouter, type Endpoint, type Match, type Route } from './rest-router.ts'
import { NO_SESSIONS } from './session/session-cookie.ts'

export type TranscoderDeps = {
  readonly worker: WorkerClient & Partial<WorkerStreams>
  /** Sessions of signed-in users; none by default. */
  readonly sessions?: CallerDeps['sessions']
  readonly peerOf?: CallerDeps['peerOf']
  readonly log: Log
  /** True when `X-Forwarded-*` of that peer counts. */
  readonly trustsForwarded: (remoteAddress: string) => boolean
  /** Reads large bodies in a thread; without it the event loop reads all bodies. */
  readonly readLarge?: ReadLargeBody
  /** By full method path, then by media type: one for each of the method's `media_types`. */
  readonly renderers?: Renderers
  /** The contract's methods by default; tests pass their own. */
  readonly methods?: readonly ContractMethod[]
}

export type Transcoder = {
  /** The served routes, for generators and listings. */
  routes(): readonly Route[]
  /** True when the path has a route, under any method. */
  serves(path: string): boolean
  /**
   * Refuses a request with a large body before the body is read: for its size, or because of its
   * caller. Undefined where it may proceed, or the body may hold the key. Never rejects.
   */
  judge(request: HttpRequest): Promise<HttpReply | undefined>
  /** Answers every request under `/api/`, unknown paths too. Never rejects. */
  handle(request: HttpRequest, body: Buffer): Promise<HttpReply>
}

/** @throws {InvariantError} at start, when an annotation cannot be served. */
export function createTranscoder(deps: TranscoderDeps): Transcoder {
  const router = createRouter(deps.methods ?? contractMethods())
  for (const route of router.routes) {
    for (const { method } of route.endpoints.values()) {
      for (const type of method.rules.file ? [] : method.rules.media_types) {
        const known = deps.renderers?.[method.path]?.[type] !== undefined
        assert(known, `${method.path} answers ${type}, which nobody renders`)
      }
    }
  }
  return {
    routes: () => router.routes,
    serves: (path) => router.find(path) !== undefined,
    async judge(request) {
      const match = router.find(request.path)
      if (match === undefined) return undefined
      try {
        await judgeHead(deps, match, request)
        return undefined
      } catch (error) {
        return failed(deps.log, match.route.template, error)
      }
    },
    async handle(request, body) {
      const match = router.find(request.path)
      try {
        if (match === undefined) throw refusal('not_found', routeNotFoundDetail)
        return await answer(deps, match, request, body)
      } catch (error) {
        return failed(deps.log, match?.route.template, error)
      }
    },
  }
}

/** The checks of `answer` that need no body, in its order. */
async function judgeHead(deps: TranscoderDeps, match: Match, request: HttpRequest): Promise<void> {
  const query = new URLSearchParams(request.query)
  const endpoint = match.route.endpoints.get(request.method)
  settleMediaType(match.route, endpoint, query, request)
  if (Number(request.header('content-length') ?? 0) > BODY_BYTES_MAX) throw bodyTooLarge()
  const calling = callingOf(deps)
  if (!hasKeyBeforeBody(request, query) && calling.sessions.of(request) === undefined) return
  const caller = await callerOf(calling, match, request, query, noBody)
  await caller.checkAccess()
}

function callingOf({
  worker,
  sessions = NO_SESSIONS,
  peerOf = remote,
}: TranscoderDeps): CallerDeps {
  return { worker, sessions, peerOf }
}

const remote = ({ remoteAddress }: HttpRequest) => remoteAddress
const noBody = async (): Promise<ReadInput> => ok({ kind: 'json', body: {} })

function bodyTooLarge(): AppError {
  return refusal('resource_exhausted', bodyTooLargeDetail)
}

/** Makes the gateway's checks in the documented order; the worker makes the rest. */
async function answer(
  deps: TranscoderDeps,
  match: Match,
  request: HttpRequest,
  body: Buffer,
): Promise<HttpReply> {
  const query = new URLSearchParams(request.query)
  const verb = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = match.route.endpoints.get(verb)
  const mediaType = settleMediaType(match.route, endpoint, query, request)
  if (body.length > BODY_BYTES_MAX) throw bodyTooLarge()

  const read = once(() => readBody(deps, endpoint, request, body))
  const caller = await callerOf(callingOf(deps), match, request, query, read)
  if (endpoint === undefined) {
    await caller.checkAccess()
    return otherMethod(match.route, request.method)
  }
  const takesBody = endpoint.plan.body.kind !== 'none'
  // A large body is read only after a worker has said that its sender may call at all.
  if (takesBody && body.length > BODY_BYTES_INLINE_MAX) await caller.checkAccess()
  const input = takesBody ? await read() : undefined
  return serve({ deps, endpoint, request, query, caller, mediaType, match, input })
}

async function readBody(
  { readLarge }: TranscoderDeps,
  endpoint: Endpoint | undefined,
  request: HttpRequest,
  body: Buffer,
): Promise<ReadInput> {
  const contentType = request.header('content-type')
  const wanted = wantedMembers(endpoint)
  if (readLarge === undefined || !isSlowToRead(body, contentType)) {
    return readRestBody(body, contentType, wanted)
  }
  const read = await readLarge(body, { contentType, wanted }, request)
  await ownTurn() // To bind and to write many values is as much as to take them over.
  return read
}

/** A body as read, with the key that it may hold. */
function wantedMembers(endpoint: Endpoint | undefined): WantedMembers {
  switch (endpoint?.plan.body.kind) {
    case 'field':
      return undefined
    case 'message': {
      const names = endpoint.plan.plan.writable.flatMap(({ name, publicName }) => [
        publicName,
        name,
      ])
      return [...new Set([...names, KEY_MEMBER])]
    }
    default:
      return [KEY_MEMBER]
  }
}

function settleMediaType(
  route: Route,
  endpoint: Endpoint | undefined,
  query: URLSearchParams,
  request: HttpRequest,
): string {
  // The request says what file is wanted, and the worker judges it.
  if (endpoint?.method.rules.file) return JSON_TYPE
  const format = query.getAll('format').at(-1) ?? null
  const endpoints = endpoint === undefined ? [...route.endpoints.values()] : [endpoint]
  const others = endpoints.flatMap(({ method }) => method.rules.media_types)
  const negotiated = negotiate(format, request.header('accept'), others)
  switch (negotiated.kind) {
    case 'unknown_format':
      throw refusal('not_found', notFoundDetail)
    case 'not_acceptable':
      throw refusal('invalid_argument', notAcceptableDetail)
    case 'media':
      return negotiated.mediaType
    default:
      return negotiated satisfies never
  }
}

type Serving = {
  readonly deps: TranscoderDeps
  readonly endpoint: Endpoint
  readonly request: HttpRequest
  readonly query: URLSearchParams
  readonly caller: Caller
  readonly mediaType: string
  readonly match: Match
  readonly input: ReadInput | undefined
}

async function serve(serving: Serving): Promise<HttpReply> {
  const { deps, endpoint, request, query, caller, mediaType } = serving
  const { method } = endpoint
  const path = pathMessage(endpoint, serving.match.values)
  const bound = bind(endpoint, path, query, serving.input)
  const call = (message: MessageObject = bound.message) =>
    caller.call(method.path, message, bound.error)
  const renderer = deps.renderers?.[method.path]?.[mediaType]
  if (renderer !== undefined) {
    const callMethod = (other: string, message: MessageObject) =>
      caller.call(other, message, bound.error)
    const { message } = bound
    const stream = (signal: AbortSignal) => caller.stream(method.path, message, bound.error, signal)
    return renderer({ method, request, query, message, call, callMethod, stream })
  }
  const response = await call()
  if (method.rules.file) return fileReply(response)
  const body = endpoint.render(response)
  const success = successOf(method.rules, response)
  if (body === undefined) return emptyReply(success === 0 ? 204 : success)
  if (bound.isSingle && Array.isArray(body)) return jsonReply(success || 200, body[0] ?? null)
  if (method.rules.conditional) return conditionalReply(body, request.header('if-none-match'))
  if (!method.rules.paginated) return jsonReply(success || 200, body)
  return pageReply(success || 200, paged(serving, bound.message, response, body))
}

/** HTTP status of an answer; 0 is the usual one of its body. */
function successOf({ accepted_field, success_status }: MethodRules, response: object): number {
  if (accepted_field === '') return success_status
  return Reflect.get(response, accepted_field) === true ? 202 : success_status
}

/**
 * Fills in the links to neighbouring pages: the worker counts, the gateway knows the address. They
 * replace empty members of the worker's answer, so that the order of members stays.
 */
function paged(serving: Serving, message: MessageObject, response: object, body: unknown): object {
  const { deps, request, query } = serving
  const page: Record<string, unknown> = { ...Object(body) }
  const base = requestBase(request, deps.trustsForwarded(request.remoteAddress))
  const links = pageLinks(base, query, {
    limit: Number(message['limit']),
    offset: Number(message['offset']),
    count: Number(page['count'] ?? 0),
    pinnedBefore: 'pinned_before' in response ? String(response.pinned_before ?? '') : '',
  })
  const whole: Record<string, unknown> = { ...page, ...links }
  delete whole['pinned_before']
  return whole
}

function otherMethod(route: Route, method: string): HttpReply {
  const allow = [['allow', route.allow]] as const
  if (method === 'OPTIONS') {
    const parses = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data']
    return jsonReply(200, { name: route.template, renders: [JSON_TYPE], parses }, allow)
  }
  return failureReply({ status: 405, detail: methodNotAllowedDetail(method) }, allow)
}

function failed(log: Log, template: string | undefined, error: unknown): HttpReply {
  const failure = failureOf(error)
  // A worker logs its own failures. An error without a code arose in this process.
  if (failure.status === HTTP_STATUS.internal && !(error instanceof AppError)) {
    log.error('management call failed', { route: template, error })
  }
  return failureReply(failure)
}

function pathMessage(endpoint: Endpoint, values: readonly string[]): MessageObject {
  return Object.fromEntries(endpoint.parameters.map((name, at) => [name, values[at] ?? '']))
}
