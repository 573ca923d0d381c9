/**
 * OpenFeature's remote evaluation protocol (OFREP): `POST /ofrep/v1/evaluate/flags` for all flags,
 * `/ofrep/v1/evaluate/flags/{key}` for one. A request becomes a decide question and shares decide's
 * cache, micro-batches and body threads.
 */
import { assert } from '../../src/core/code.ts'
import { BODY_BYTES_INLINE_MAX, FLAG_KEY_LENGTH_MAX } from '../../src/core/limits/limits.ts'
import type { ProjectLimits } from '../../src/core/project-limits.ts'
import type { Result } from '../../src/core/result.ts'
import { type OpenBody, openInline, openMetaOf } from '../body/body-open.ts'
import type { BodyError, BodyThreads } from '../body/body-thread.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { RouteParams } from '../http/router.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import type { TrustedProxies } from '../keys/client-ip.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import { findBearerToken, readToken, type TokenAnswer } from '../keys/token.ts'
import { bodySender } from './body-sender.ts'
import { answerQuestion, type QuestionAnswer, type QuestionDeps } from './decide-question.ts'
import { readDecideRequest } from './decide-request.ts'
import { readOfrepContext } from './ofrep-context.ts'
import { ofrepError, ofrepFault, ofrepReply, taggedReply } from './ofrep-replies.ts'

export type OfrepDeps = QuestionDeps & {
  readonly keys: KeyResolver
  readonly bodyThreads: BodyThreads
  readonly proxies: TrustedProxies
  /** Undefined when no project is limited. */
  readonly limits: Pick<ProjectLimits, 'decide'> | undefined
}

type Reply = HttpReply | Promise<HttpReply>

export type OfrepHandlers = {
  readonly bulk: (request: HttpRequest, body: Buffer) => Reply
  /** Evaluates the flag that the path names as `key`. */
  readonly single: (request: HttpRequest, body: Buffer, params: RouteParams) => Reply
}

export function createOfrep(deps: OfrepDeps): OfrepHandlers {
  return {
    bulk: (request, body) => evaluate(deps, { request, flagKey: undefined }, body),
    single: (request, body, { key = '' }) => evaluate(deps, { request, flagKey: key }, body),
  }
}

type Asked = { readonly request: HttpRequest; readonly flagKey: string | undefined }

/** Checks the key first: the body of an unknown caller is never decoded. */
function evaluate(deps: OfrepDeps, asked: Asked, body: Buffer): Reply {
  const found = findProject(deps.keys, ofrepToken(asked.request), 'refused')
  return found instanceof Promise
    ? found.then((project) => evaluateIn(deps, asked, body, project))
    : evaluateIn(deps, asked, body, found)
}

/** Key of a request, from a header only. */
export function ofrepToken(request: HttpRequest): TokenAnswer {
  const bearer = findBearerToken(request.header('authorization') ?? '')
  const apiKey = request.header('x-api-key')
  if (bearer.kind === 'candidate' || apiKey === undefined) return bearer
  return readToken(apiKey)
}

function evaluateIn(deps: OfrepDeps, asked: Asked, body: Buffer, found: ProjectAnswer): Reply {
  const { request } = asked
  if (found.kind === 'refused') return ofrepRefusal(request, found)
  const { project } = found
  const limited = deps.limits?.decide(project.id)
  if (limited !== undefined) return ofrepFault(request, 'throttled', limited)
  if (isEmptyObject(body)) return evaluatePayload(deps, asked, project, {})
  const meta = openMetaOf(request, 'never')
  const opened = body.length > BODY_BYTES_INLINE_MAX ? undefined : openInline(body, meta)
  if (opened !== undefined) return evaluateOpened(deps, asked, project, opened)
  return deps.bodyThreads
    .openPayload(body, meta, bodySender(deps, request, body, project.id))
    .then((result) => evaluateOpened(deps, asked, project, result))
}

export function ofrepRefusal(
  request: HttpRequest,
  { error, retryAfterS }: ProjectAnswer & { kind: 'refused' },
): HttpReply {
  if (error !== 'fetch_team_fail') return ofrepFault(request, 'unauthorized')
  return ofrepFault(request, 'unavailable', { retryAfterS })
}

/** The decoder refuses an empty body; here it is a question without a context. */
function isEmptyObject(body: Buffer): boolean {
  return body.length < 16 && /^\s*\{\s*\}\s*$/.test(body.toString('latin1'))
}

function evaluateOpened(
  deps: OfrepDeps,
  asked: Asked,
  project: GatewayProject,
  opened: Result<OpenBody, BodyError>,
): Reply {
  if (!opened.ok) return refuseBody(asked, opened.error.code)
  return evaluatePayload(deps, asked, project, opened.value.payload)
}

function evaluatePayload(
  deps: OfrepDeps,
  asked: Asked,
  project: GatewayProject,
  payload: unknown,
): Reply {
  const { request, flagKey } = asked
  const context = readOfrepContext(payload)
  if (!context.ok) return ofrepError(request, flagKey, context.error.code, context.error.details)
  if (flagKey !== undefined && flagKey.length > FLAG_KEY_LENGTH_MAX) return noSuchFlag(asked)
  const only = flagKey === undefined ? {} : { flag_keys_to_evaluate: [flagKey] }
  const question = readDecideRequest({ ...context.value, ...only }, project.id, 'ofrep')
  assert(question !== undefined, 'a context that was read has a targeting key')
  const answer = answerQuestion(deps, project, question)
  return answer instanceof Promise
    ? answer.then((each) => replyWith(asked, each))
    : replyWith(asked, answer)
}

function refuseBody({ request, flagKey }: Asked, code: BodyError['code']): HttpReply {
  switch (code) {
    case 'request_too_large':
      return ofrepFault(request, 'too_large')
    case 'overloaded':
      return ofrepFault(request, 'unavailable')
    default:
      return ofrepError(request, flagKey, 'PARSE_ERROR', 'The body is not JSON.')
  }
}

function replyWith(asked: Asked, answer: QuestionAnswer): HttpReply {
  const { request, flagKey } = asked
  switch (answer.kind) {
    case 'members':
      if (flagKey === undefined) return taggedReply(request, `{${answer.members}}`)
      return replyWithOne(asked, answer.members)
    case 'no_project':
      return ofrepFault(request, 'unauthorized')
    case 'unavailable':
      return ofrepFault(request, 'unavailable', { retryAfterS: answer.retryAfterS })
    case 'failed':
      return ofrepFault(request, 'internal')
    default:
      return answer satisfies never
  }
}

const LIST_START = '"flags":['
/** Start of a worker's entry for a flag that failed; no other entry starts so. */
const FAILED_START = '{"errorCode":'

/**
 * Answers with the only entry of the list. A flag that failed is 500: the request is valid, and
 * providers read the error code from the body.
 */
function replyWithOne(asked: Asked, members: string): HttpReply {
  assert(members.startsWith(LIST_START), 'the worker knows the shape')
  const entry = members.slice(LIST_START.length, -1)
  if (entry === '') return noSuchFlag(asked)
  return ofrepReply(asked.request, entry.startsWith(FAILED_START) ? 500 : 200, entry)
}

function noSuchFlag({ request, flagKey }: Asked): HttpReply {
  return ofrepError(request, flagKey, 'FLAG_NOT_FOUND', 'No active flag has this key.')
}
