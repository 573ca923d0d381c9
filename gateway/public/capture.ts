import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { BODY_BYTES_INLINE_MAX } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { Dialect, DropCounts, IngestContext } from '../../src/events/parse-event.ts'
import { parseEvents } from '../../src/events/parse-event.ts'
import {
  type BodyHead,
  type OpenBody,
  type OpenMeta,
  openInline,
  openMetaOf,
  openQueryData,
} from '../body/body-open.ts'
import type { BodyThreads } from '../body/body-thread.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { GatewayProject, KeyResolver } from '../keys/api-key.ts'
import { clientIp, type TrustedProxies } from '../keys/client-ip.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import { type EncodedGroup, groupOfEvents } from '../workers/ingest-codec.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { type PublicError, publicError, publicHeaders, STATUS_ONE } from './public-errors.ts'

export type CaptureDeps = {
  readonly keys: KeyResolver
  readonly pool: WorkerPool
  readonly bodyThreads: BodyThreads
  readonly proxies: TrustedProxies
  readonly newUuid: () => string
  readonly clock: Clock
  readonly log: Log
  readonly onDropped: (counts: DropCounts) => void
}

/** A capture route: POST, and GET with the payload in `?data=`. */
export type CaptureHandler = (request: HttpRequest, body: Buffer) => HttpReply | Promise<HttpReply>

/**
 * Decode, find the project, parse, hand to the project's worker, answer once it is durable. Nothing
 * is stored of a request that is refused. Until the key has to be asked for or the events are sent,
 * all of it runs in one go, without a promise.
 */
export function createCapture(deps: CaptureDeps, dialect: Dialect): CaptureHandler {
  return (request, body) => {
    const meta = openMetaOf(request, dialect.kind === 'segment')
    if (request.method === 'GET') {
      const opened = openQueryData(meta)
      if (opened === undefined) {
        return publicError(request, 'method_not_allowed', { allow: 'OPTIONS, POST' })
      }
      return opened.ok
        ? captureOpened(deps, request, dialect, opened.value)
        : publicError(request, opened.error.code)
    }
    return captureBody(deps, request, dialect, body, meta)
  }
}

/** All of it for a request with a body. */
export function captureBody(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: Buffer,
  meta: OpenMeta,
): HttpReply | Promise<HttpReply> {
  const opened = body.length > BODY_BYTES_INLINE_MAX ? undefined : openInline(body, meta)
  if (opened === undefined) return captureLarge(deps, request, dialect, body, meta)
  if (!opened.ok) return publicError(request, opened.error.code)
  return captureOpened(deps, request, dialect, opened.value)
}

function captureOpened(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: OpenBody,
): HttpReply | Promise<HttpReply> {
  const answer = findProject(deps.keys, body.token)
  return answer instanceof Promise
    ? answer.then((found) => storeOpened(deps, request, dialect, body, found))
    : storeOpened(deps, request, dialect, body, answer)
}

function storeOpened(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: OpenBody,
  found: ProjectAnswer,
): HttpReply | Promise<HttpReply> {
  if (found.kind === 'refused') return refuse(request, found)
  const { project } = found
  const context = contextOf(deps, request, dialect, body, project)
  const parsed = parseEvents(body.payload, context, deps.newUuid)
  if (!parsed.ok) return publicError(request, parsed.error.code)
  const { events, dropped, results } = parsed.value
  deps.onDropped(dropped)
  if (events.length === 0) return stored(request, results)
  return deps.pool.ingest(groupOfEvents(project.id, events, project.hasPlugins)).then(
    (outcome) => answerTo(deps, request, project, outcome, results),
    (error: unknown) => unstored(deps, request, error),
  )
}

/** Bodies of several MB are decoded, parsed and encoded by a thread; see `body-thread.ts`. */
async function captureLarge(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  bytes: Buffer,
  meta: OpenMeta,
): Promise<HttpReply> {
  const opened = await deps.bodyThreads.open(bytes, meta)
  if (!opened.ok) return publicError(request, publicCode(opened.error.code))
  const body = opened.value
  const found = await findProject(deps.keys, body.head.token)
  if (found.kind === 'refused') {
    body.discard()
    return refuse(request, found)
  }
  const { project } = found
  const context = contextOf(deps, request, dialect, body.head, project)
  const normalised = await body.normalise(context)
  if (!normalised.ok) return publicError(request, publicCode(normalised.error.code))
  const { chunks, dropped, results } = normalised.value
  deps.onDropped(dropped)
  for (const { events: count, bytes: group } of chunks) {
    const content = { kind: 'encoded', group } as const
    const { id: projectId, hasPlugins } = project
    const chunk: EncodedGroup = { projectId, count, bytes: group.length, hasPlugins, content }
    try {
      // One after the other: events of one distinct id keep their order.
      const outcome = await deps.pool.ingest(chunk)
      if (outcome.code !== '') return answerTo(deps, request, project, outcome, results)
    } catch (error) {
      return unstored(deps, request, error)
    }
  }
  return stored(request, results)
}

function contextOf(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  { sentAt }: BodyHead,
  project: GatewayProject,
): IngestContext {
  const forwardedFor = request.header('x-forwarded-for') ?? ''
  return {
    projectId: project.id,
    dialect,
    receivedAtMs: deps.clock.now(),
    sentAt,
    ip: clientIp(deps.proxies, request.remoteAddress, forwardedFor),
    anonymizeIps: project.anonymizeIps,
  }
}

function answerTo(
  deps: CaptureDeps,
  request: HttpRequest,
  project: GatewayProject,
  outcome: IngestOutcome__Output,
  results: string,
): HttpReply {
  if (outcome.code === '') return stored(request, results)
  if (outcome.code === 'not_found') {
    // The project is gone, and so is its key; the news of it is on its way.
    deps.keys.forget(project.id)
    return publicError(request, 'invalid_api_key')
  }
  return publicError(request, 'server_error', { retryAfterS: outcome.retry_after_s })
}

function unstored({ log }: CaptureDeps, request: HttpRequest, error: unknown): HttpReply {
  if (!(error instanceof AppError)) {
    log.error('capture failed', { error })
    return publicError(request, 'internal')
  }
  if (error.code === 'internal') log.error('capture failed', { error })
  return publicError(request, 'server_error', { retryAfterS: error.detail?.retryAfterS ?? 1 })
}

function refuse(request: HttpRequest, refusal: ProjectAnswer & { kind: 'refused' }): HttpReply {
  const { error, retryAfterS } = refusal
  return publicError(request, error, { retryAfterS })
}

function publicCode(code: PublicError | 'overloaded'): PublicError {
  return code === 'overloaded' ? 'server_error' : code
}

/** @param results of the events, where the protocol has them; else empty. */
function stored(request: HttpRequest, results: string): HttpReply {
  return { status: 200, headers: publicHeaders(request), body: results || STATUS_ONE }
}
