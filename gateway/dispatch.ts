/** Dispatch of requests to the parts of a gateway, and the form of refusals. */

import type { ConsoleServer } from './console-server/console-server.ts'
import type { SharedPages } from './console-server/shared-pages.ts'
import type { HeadJudge, HttpHandler, HttpReply, HttpRequest, Refusal } from './http/http-server.ts'
import { KEY_MEMBER } from './keys/credentials.ts'
import { PERSONAL_PREFIX } from './keys/token.ts'
import type { McpEndpoint } from './mcp/mcp-endpoint.ts'
import { notFound } from './public/cached-reply.ts'
import { isOfrepPath, ofrepFault, refuseOfrep } from './public/ofrep-replies.ts'
import type { Probes } from './public/probes.ts'
import { type PublicError, publicError } from './public/public-errors.ts'
import { type createPublicRouter, isCapturePath, methodNotAllowed } from './public/routes.ts'
import type { Documents } from './rest/documents.ts'
import { type ManagementCors, ownOriginOnly } from './rest/management-cors.ts'
import type { ReferencePage } from './rest/reference-page.ts'
import { refuseManagement, refuseManagementKey } from './rest/refusals.ts'
import type { Sessions } from './rest/session/session-cookie.ts'
import { signupPage } from './rest/signup-page.ts'
import type { Transcoder } from './rest/transcode.ts'
import { unsubscribePage } from './rest/unsubscribe-page.ts'
import { verifyEmailPage } from './rest/verify-email-page.ts'

type Parts = {
  readonly router: ReturnType<typeof createPublicRouter>
  readonly console: ConsoleServer
  readonly sharedPages: SharedPages
  readonly probes: Probes
  readonly documents: Documents
  readonly referencePage: ReferencePage
  readonly transcoder: Transcoder
  readonly cors: ManagementCors
  readonly sessions: Sessions
  readonly mcp: McpEndpoint
  /** Head judge of the public routes. */
  readonly headJudge: HeadJudge
  /** Called for captures that are refused before a handler sees them. */
  readonly onRefusedCapture: (error: PublicError) => void
}

export type Dispatch = {
  readonly handler: HttpHandler
  /** Refuses requests before their body is read. */
  readonly judgeHead: HeadJudge
  readonly refuse: (refusal: Refusal, request: HttpRequest) => HttpReply
}

/** @param queryKeys false refuses requests with a personal key in the query. */
export function createDispatch(parts: Parts, queryKeys: boolean): Dispatch {
  const refuses = queryKeys ? () => false : holdsPersonalKey
  const handler: HttpHandler = (request, body) => {
    if (request.method === 'OPTIONS' && !isPublic(parts.router, request)) {
      const preflight = parts.sessions.isPrivate(request)
        ? undefined
        : parts.cors.preflight(request)
      if (preflight !== undefined) return preflight
    }
    if (refuses(request.query)) return refuseQueryKey(parts, request)
    return parts.mcp(request, body, handler) ?? dispatch(parts, request, body)
  }
  return {
    handler,
    judgeHead: (request) => {
      if (refuses(request.query)) return refuseQueryKey(parts, request)
      return isPublic(parts.router, request) ? parts.headJudge(request) : judge(parts, request)
    },
    refuse: (refusal, request) => refuse(parts, refusal, request),
  }
}

async function judge(parts: Parts, request: HttpRequest) {
  const refused = await parts.transcoder.judge(request)
  return refused === undefined ? undefined : opened(parts, request, refused)
}

/** The answer of a management call, for the pages that may read it. */
function opened({ cors, sessions }: Parts, request: HttpRequest, reply: HttpReply): HttpReply {
  return sessions.isPrivate(request) ? ownOriginOnly(reply) : cors.open(request, reply)
}

/** Answers everything else: management calls, and unknown paths. */
async function manage(parts: Parts, request: HttpRequest, body: Buffer): Promise<HttpReply> {
  return opened(parts, request, await parts.transcoder.handle(request, body))
}

function dispatch(
  parts: Parts,
  request: HttpRequest,
  body: Buffer,
): HttpReply | Promise<HttpReply> {
  const { router, console, probes, documents, referencePage } = parts
  const match = router.match(request.method, request.path)
  switch (match.kind) {
    case 'found':
      return match.handler(request, body, match.params)
    case 'method_not_allowed':
      return methodNotAllowed(request, match.allow)
    case 'bad_path':
      return notFound(request)
    case 'not_found':
      return (
        console(request) ??
        parts.sharedPages(request) ??
        probes(request) ??
        documents.answer(request) ??
        referencePage(request) ??
        signupPage(request) ??
        verifyEmailPage(request) ??
        unsubscribePage(request) ??
        manage(parts, request, body)
      )
    default:
      return match satisfies never
  }
}

/** Errors of requests that no handler has seen, in the form of the route that they were for. */
const REFUSALS: Readonly<Record<Refusal, PublicError>> = {
  bad_request: 'invalid_payload',
  body_too_large: 'request_too_large',
  overloaded: 'server_error',
  internal: 'internal',
}

function isPublic(router: Parts['router'], { method, path }: HttpRequest): boolean {
  return !path.startsWith('/api/') || router.match(method, path).kind !== 'not_found'
}

function refuseQueryKey(parts: Parts, request: HttpRequest): HttpReply {
  const { router, onRefusedCapture } = parts
  if (isCapturePath(request.path)) onRefusedCapture('invalid_personal_api_key')
  if (isOfrepPath(request.path)) return ofrepFault(request, 'unauthorized')
  if (isPublic(router, request)) return publicError(request, 'invalid_personal_api_key')
  return opened(parts, request, refuseManagementKey())
}

function refuse(parts: Parts, refusal: Refusal, request: HttpRequest): HttpReply {
  const { router, onRefusedCapture } = parts
  const { path } = request
  if (!isPublic(router, request)) return opened(parts, request, refuseManagement(refusal))
  if (isOfrepPath(path)) return refuseOfrep(refusal, request)
  if (isCapturePath(path)) onRefusedCapture(REFUSALS[refusal])
  return publicError(request, REFUSALS[refusal])
}

/** True when the query of a request holds a personal key, whatever route it is for. */
function holdsPersonalKey(query: string): boolean {
  if (query === '') return false
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === KEY_MEMBER || value.trim().startsWith(PERSONAL_PREFIX)) return true
  }
  return false
}
