import type { Clock } from '../../src/core/clock.ts'
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { BODY_BYTES_INLINE_MAX } from '../../src/core/limits/limits.ts'
import type { ProjectLimits } from '../../src/core/project-limits.ts'
import type { Result } from '../../src/core/result.ts'
import { type OpenBody, openInline, openMetaOf } from '../body/body-open.ts'
import type { BodyError, BodyThreads } from '../body/body-thread.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { queryValue } from '../http/query.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import type { TrustedProxies } from '../keys/client-ip.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import { bodySender } from './body-sender.ts'
import {
  type DecideRoute,
  type DecideShape,
  decideShape,
  noMembers,
  renderDecideAnswer,
} from './decide-answer.ts'
import { answerQuestion, type QuestionAnswer, type QuestionDeps } from './decide-question.ts'
import { readDecideRequest } from './decide-request.ts'
import { type PublicError, publicError, publicHeaders } from './public-errors.ts'
import { recordingFor } from './session-recording.ts'

export type DecideDeps = QuestionDeps & {
  readonly keys: KeyResolver
  readonly bodyThreads: BodyThreads
  readonly proxies: TrustedProxies
  readonly clock: Clock
  /** Undefined when no project is limited. */
  readonly limits: Pick<ProjectLimits, 'decide'> | undefined
}

export type DecideHandler = (request: HttpRequest, body: Buffer) => HttpReply | Promise<HttpReply>

/** Error codes of refused bodies. Decide and capture word an undecodable body differently. */
const DECODE_ERRORS: Readonly<Record<BodyError['code'], PublicError>> = {
  invalid_payload: 'malformed_data',
  no_data: 'no_data',
  request_too_large: 'request_too_large',
  overloaded: 'server_error',
}

/** `/decide/` and `/flags/`: POST, and GET for the config fields alone. */
export function createDecide(deps: DecideDeps, route: DecideRoute): DecideHandler {
  return (request, body) => {
    const { query } = request
    const shape = decideShape(route, queryValue(query, 'v'), queryValue(query, 'config'))
    if (request.method === 'GET') {
      return answered(deps, request, shape, noMembers(shape), undefined)
    }
    const meta = openMetaOf(request, 'never')
    const opened = body.length > BODY_BYTES_INLINE_MAX ? undefined : openInline(body, meta)
    if (opened !== undefined) return decideOpened(deps, request, shape, opened)
    return deps.bodyThreads
      .openPayload(body, meta, bodySender(deps, request, body, undefined))
      .then((result) => decideOpened(deps, request, shape, result))
  }
}

function decideOpened(
  deps: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  opened: Result<OpenBody, BodyError>,
): HttpReply | Promise<HttpReply> {
  if (!opened.ok) return publicError(request, DECODE_ERRORS[opened.error.code])
  const { payload, token } = opened.value
  const fields = Array.isArray(payload) ? payload[0] : payload
  if (!isObject(fields)) return publicError(request, 'malformed_data')
  const found = findProject(deps.keys, token, 'feature_flag:read')
  return found instanceof Promise
    ? found.then((answer) => decideFor(deps, request, shape, fields, answer))
    : decideFor(deps, request, shape, fields, found)
}

function decideFor(
  deps: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  fields: JsonObject,
  found: ProjectAnswer,
): HttpReply | Promise<HttpReply> {
  if (found.kind === 'refused') {
    const { error, retryAfterS } = found
    return publicError(request, error, { retryAfterS })
  }
  const { project } = found
  const limited = deps.limits?.decide(project.id)
  if (limited !== undefined) return publicError(request, 'throttled', limited)
  if (fields['disable_flags'] === true) {
    return answered(deps, request, shape, noMembers(shape), project)
  }
  const question = readDecideRequest(fields, project.id, shape.members)
  if (question === undefined) return publicError(request, 'missing_distinct_id')
  const answer = answerQuestion(deps, project, question)
  return answer instanceof Promise
    ? answer.then((each) => replyWith(deps, request, shape, project, each))
    : replyWith(deps, request, shape, project, answer)
}

function replyWith(
  deps: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  project: GatewayProject,
  answer: QuestionAnswer,
): HttpReply {
  switch (answer.kind) {
    case 'members':
      return answered(deps, request, shape, answer.members, project)
    case 'no_project':
      return publicError(request, 'invalid_api_key')
    case 'unavailable':
      return publicError(request, answer.error, { retryAfterS: answer.retryAfterS })
    case 'failed':
      return publicError(request, 'internal')
    default:
      return answer satisfies never
  }
}

function answered(
  { clock }: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  members: string,
  project: GatewayProject | undefined,
): HttpReply {
  const recording = recordingFor(project, request)
  const settings = { capturePerformance: project?.capturePerformance ?? false, recording }
  return {
    status: 200,
    headers: publicHeaders(request),
    body: renderDecideAnswer(shape, members, clock.now, settings),
  }
}
