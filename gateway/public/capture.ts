/** The capture routes: from the request to the answer, once its events are durable. */

import { BODY_BYTES_INLINE_MAX } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { ProjectLimits } from '../../src/core/project-limits.ts'
import { NO_LOSSES } from '../../src/events/losses.ts'
import type { Dialect, IngestContext } from '../../src/events/parse-event.ts'
import { parseEvents } from '../../src/events/parse-event.ts'
import type { WarningCounts } from '../../src/events/warnings/warning-counts.ts'
import type { Admission } from '../admission/admission.ts'
import {
  type BodyHead,
  type OpenBody,
  type OpenMeta,
  openInline,
  openMetaOf,
  openQueryData,
} from '../body/body-open.ts'
import type { BodyThreads } from '../body/body-thread.ts'
import type { EventChunk } from '../body/chunk.ts'
import type { Sender } from '../body/fair-queue.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { requestIp, type TrustedProxies } from '../keys/client-ip.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import { thirdPartyKeyOf } from '../keys/token.ts'
import { type EncodedBatch, encodableBatch } from '../workers/ingest-codec.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { bodyGroup, bodySender, projectGroup } from './body-sender.ts'
import {
  answerTo,
  nothingToStore,
  publicCode,
  refuse,
  stored,
  type Told,
  unstored,
} from './capture-answers.ts'
import { publicError } from './public-errors.ts'

export type CaptureDeps = {
  readonly keys: KeyResolver
  readonly pool: Pick<WorkerPool, 'ingest'>
  readonly bodyThreads: BodyThreads
  readonly proxies: TrustedProxies
  readonly newUuid: () => string
  readonly log: Log
  /** Undefined when no project is limited. */
  readonly limits: Pick<ProjectLimits, 'capture'> | undefined
  readonly warnings: Pick<WarningCounts, 'count' | 'lose' | 'loseAll'>
  readonly admission: Admission
}

/** A capture route: POST, and GET with the payload in `?data=`. */
export type CaptureHandler = (request: HttpRequest, body: Buffer) => HttpReply | Promise<HttpReply>

/**
 * Decodes the body, finds the project, parses the events, sends them to the project's worker, and
 * answers once they are durable. A refused request stores nothing. The work before the first call
 * to a worker runs without a promise.
 */
export function createCapture(deps: CaptureDeps, dialect: Dialect): CaptureHandler {
  return (request, body) => {
    const meta = openMetaOf(request, thirdPartyKeyOf(dialect))
    if (request.method !== 'GET') return captureBody(deps, request, dialect, body, meta)
    return admitted(deps, request, body, undefined, (leave) => {
      const opened = openQueryData(meta)
      if (opened === undefined) {
        return publicError(request, 'method_not_allowed', { allow: 'OPTIONS, POST' })
      }
      if (!opened.ok) return refuse(deps, request, opened.error.code)
      return captureOpened(deps, request, dialect, opened.value, leave)
    })
  }
}

/**
 * Handles one request with a body.
 * @param project that the headers have named.
 */
export function captureBody(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: Buffer,
  meta: OpenMeta,
  project?: GatewayProject,
): HttpReply | Promise<HttpReply> {
  const large = () => {
    const sender = bodySender(deps, request, body, project?.id)
    return captureLarge(deps, request, dialect, { body, meta, sender })
  }
  // Large bodies wait for a thread, which has its own bounds.
  if (body.length > BODY_BYTES_INLINE_MAX) return large()
  return admitted(deps, request, body, project, (leave) => {
    const opened = openInline(body, meta)
    if (opened === undefined) {
      leave()
      return large()
    }
    if (!opened.ok) return refuse(deps, request, opened.error.code)
    return captureOpened(deps, request, dialect, opened.value, leave)
  })
}

/** Refuses a capture that would be answered too late, before anything of it is read. */
function admitted(
  deps: CaptureDeps,
  request: HttpRequest,
  body: Buffer,
  project: GatewayProject | undefined,
  capture: (leave: () => void) => HttpReply | Promise<HttpReply>,
): HttpReply | Promise<HttpReply> {
  const { admission } = deps
  const answer = admission.take(() => bodyGroup(deps, body, project?.id), capture)
  if (answer !== undefined) return answer
  return admission
    .refused()
    .then((retryAfterS) => refuse(deps, request, 'server_error', { retryAfterS }, project))
}

/** @param leave is called when nobody else waits for what the request waits for. */
function captureOpened(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: OpenBody,
  leave: () => void,
): HttpReply | Promise<HttpReply> {
  const answer = findProject(deps.keys, body.token, 'event:write')
  return answer instanceof Promise
    ? answer.then((found) => storeOpened(deps, request, dialect, body, found, leave))
    : storeOpened(deps, request, dialect, body, answer, leave)
}

function storeOpened(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  body: OpenBody,
  found: ProjectAnswer,
  leave: () => void,
): HttpReply | Promise<HttpReply> {
  if (found.kind === 'refused') return refuse(deps, request, found.error, found)
  const { project } = found
  const account = deps.limits?.capture(project.id)
  const limited = account?.refusal()
  if (limited !== undefined) return refuse(deps, request, 'throttled', limited, project)
  const context = contextOf(deps, request, dialect, body, project)
  const parsed = parseEvents(body.payload, context, deps.newUuid)
  if (!parsed.ok) return refuse(deps, request, parsed.error.code, {}, project)
  const { events, losses, results } = parsed.value
  account?.charge(events.length)
  if (losses !== NO_LOSSES) deps.warnings.lose(project.id, losses)
  const told = { results, losses }
  if (events.length === 0) return nothingToStore(request, told)
  // Its plugins take their time, in a lane of the project's own.
  if (project.hasPlugins) leave()
  const sent = { project, count: events.length, events }
  return deps.pool.ingest(encodableBatch(project.id, events, project.hasPlugins)).then(
    (outcome) => answerTo(deps, request, sent, outcome, told),
    (error: unknown) => unstored(deps, request, sent, error),
  )
}

/** A thread decodes, parses and encodes large bodies; see `gateway/body/body-thread.ts`. */
async function captureLarge(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  { body: bytes, meta, sender }: { body: Buffer; meta: OpenMeta; sender: Sender },
): Promise<HttpReply> {
  const opened = await deps.bodyThreads.open(bytes, meta, sender)
  if (!opened.ok) return refuse(deps, request, publicCode(opened.error.code))
  const body = opened.value
  const found = await findProject(deps.keys, body.head.token, 'event:write')
  if (found.kind === 'refused') {
    body.discard(found.error === 'fetch_team_fail' ? undefined : 'refused')
    return refuse(deps, request, found.error, found)
  }
  const { project } = found
  const account = deps.limits?.capture(project.id)
  const limited = account?.refusal()
  if (limited !== undefined) {
    body.discard()
    return refuse(deps, request, 'throttled', limited, project)
  }
  const context = contextOf(deps, request, dialect, body.head, project)
  const normalised = await body.normalise(context, projectGroup(project.id))
  if (!normalised.ok) return refuse(deps, request, publicCode(normalised.error.code), {}, project)
  const { chunks, losses, results, release } = normalised.value
  deps.warnings.lose(project.id, losses)
  account?.charge(chunks.reduce((sum, { events }) => sum + events, 0))
  try {
    const told = { results, losses }
    if (chunks.length === 0) return nothingToStore(request, told)
    return await storeChunks(deps, request, project, chunks, told)
  } finally {
    release()
  }
}

async function storeChunks(
  deps: CaptureDeps,
  request: HttpRequest,
  project: GatewayProject,
  chunks: readonly EventChunk[],
  told: Told,
): Promise<HttpReply> {
  let left = chunks.reduce((sum, { events }) => sum + events, 0)
  for (const { events: count, bytes: batch } of chunks) {
    const content = { kind: 'encoded', batch } as const
    const { id: projectId, hasPlugins } = project
    const chunk: EncodedBatch = { projectId, count, bytes: batch.length, hasPlugins, content }
    try {
      // In order: events of one distinct id keep their order.
      const outcome = await deps.pool.ingest(chunk)
      if (outcome.code !== '') {
        return answerTo(deps, request, { project, count: left }, outcome, told)
      }
    } catch (error) {
      return unstored(deps, request, { project, count: left }, error)
    }
    left -= count
  }
  return stored(request, told)
}

function contextOf(
  deps: CaptureDeps,
  request: HttpRequest,
  dialect: Dialect,
  { sentAt }: BodyHead,
  project: GatewayProject,
): IngestContext {
  return {
    projectId: project.id,
    dialect,
    receivedAtMs: request.headAtMs,
    sentAt,
    ip: requestIp(deps.proxies, request),
    anonymizeIps: project.anonymizeIps,
  }
}
