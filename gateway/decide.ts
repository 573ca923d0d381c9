import type { DecideAnswer__Output } from '../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../proto/gen/sluice/v1/DecideQuestion.ts'
import { AppError } from '../src/core/code.ts'
import { revision } from '../src/core/ids.ts'
import { BODY_BYTES_INLINE_MAX } from '../src/core/limits.ts'
import type { Log } from '../src/core/log.ts'
import type { Result } from '../src/core/result.ts'
import { isObject, type JsonObject } from '../src/ingest/json.ts'
import type { GatewayProject, KeyResolver } from './api-key.ts'
import { type OpenBody, openInline, openMetaOf } from './body/body-open.ts'
import type { BodyError, BodyThreads } from './body/body-thread.ts'
import { queryValue } from './body/query.ts'
import type { DecideCache, DecidePlace } from './cache/decide-cache.ts'
import {
  type DecideRoute,
  type DecideShape,
  decideShape,
  noMembers,
  renderDecideAnswer,
} from './decide-answer.ts'
import { readDecideRequest } from './decide-request.ts'
import { findProject, type ProjectAnswer } from './find-project.ts'
import type { HttpReply, HttpRequest } from './http/http-server.ts'
import { type PublicError, publicError, publicHeaders } from './public-errors.ts'
import type { WorkerPool } from './workers/worker-pool.ts'

export type DecideDeps = {
  readonly keys: KeyResolver
  readonly pool: WorkerPool
  readonly cache: DecideCache
  readonly bodyThreads: BodyThreads
  readonly log: Log
  readonly onAnswered: (cached: boolean) => void
}

export type DecideHandler = (request: HttpRequest, body: Buffer) => HttpReply | Promise<HttpReply>

/** Codes of refused bodies; decide words an undecodable one differently from capture. */
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
      return answered(request, shape, noMembers(shape), undefined)
    }
    const meta = openMetaOf(request, false)
    const opened = body.length > BODY_BYTES_INLINE_MAX ? undefined : openInline(body, meta)
    if (opened !== undefined) return decideOpened(deps, request, shape, opened)
    return deps.bodyThreads
      .openPayload(body, meta)
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
  const found = findProject(deps.keys, token)
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
    return publicError(request, error, retryAfterS === undefined ? {} : { retryAfterS })
  }
  const { project } = found
  if (fields['disable_flags'] === true) {
    return answered(request, shape, noMembers(shape), project)
  }
  const question = readDecideRequest(fields, project.id, shape.members)
  if (question === undefined) return publicError(request, 'missing_distinct_id')
  const place: DecidePlace = {
    projectId: project.id,
    revision: project.revision,
    distinctId: question.wire.distinct_id,
    question: question.key,
  }
  const cached = deps.cache.get(place)
  if (cached instanceof Promise) {
    return cached.then((members) =>
      members === undefined
        ? ask(deps, request, shape, project, place, question.wire)
        : fromCache(deps, request, shape, project, members),
    )
  }
  return cached === undefined
    ? ask(deps, request, shape, project, place, question.wire)
    : fromCache(deps, request, shape, project, cached)
}

function fromCache(
  deps: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  project: GatewayProject,
  members: string,
): HttpReply {
  deps.onAnswered(true)
  return answered(request, shape, members, project)
}

async function ask(
  deps: DecideDeps,
  request: HttpRequest,
  shape: DecideShape,
  project: GatewayProject,
  place: DecidePlace,
  question: DecideQuestion__Output,
): Promise<HttpReply> {
  const ticket = deps.cache.ticket(place)
  try {
    const answer = await deps.pool.decide(question)
    if (answer.code === 'not_found') {
      deps.keys.forget(project.id)
      return publicError(request, 'invalid_api_key')
    }
    if (answer.code !== '') {
      return publicError(request, 'server_error', { retryAfterS: answer.retry_after_s })
    }
    deps.onAnswered(false)
    if (mayKeep(answer, question, deps.cache)) {
      deps.cache.put({ ...place, revision: revision(answer.revision) }, ticket, answer.members)
    }
    return answered(request, shape, answer.members, project)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') {
      return publicError(request, 'server_error', { retryAfterS: error.detail?.retryAfterS ?? 1 })
    }
    deps.log.error('decide failed', { error })
    return publicError(request, 'internal')
  }
}

/**
 * An answer may be kept when nothing but the flags can make it wrong, or when the cache is told of
 * changes to what it read. Of groups and of a second person (the anonymous id's) it is not told.
 */
function mayKeep(
  answer: DecideAnswer__Output,
  question: DecideQuestion__Output,
  cache: DecideCache,
): boolean {
  if (answer.volatile) return false
  if (!answer.depends_on_stored) return true
  return cache.keepsStored && question.groups === '' && question.anon_distinct_id === ''
}

function answered(
  request: HttpRequest,
  shape: DecideShape,
  members: string,
  project: GatewayProject | undefined,
): HttpReply {
  const settings = { capturePerformance: project?.capturePerformance ?? false }
  return {
    status: 200,
    headers: publicHeaders(request),
    body: renderDecideAnswer(shape, members, settings),
  }
}
