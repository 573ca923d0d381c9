import type { Dialect } from '../src/ingest/parse-event.ts'
import type { CaptureHandler } from './capture.ts'
import type { DecideHandler } from './decide.ts'
import type { DecideRoute } from './decide-answer.ts'
import type { HttpReply, HttpRequest } from './http/http-server.ts'
import { createRouter, type Route, type RouteParams, type Router } from './http/router.ts'
import { preflight, publicError } from './public-errors.ts'

/** `params`: of the path, decoded. */
export type PublicHandler = (
  request: HttpRequest,
  body: Buffer,
  params: RouteParams,
) => HttpReply | Promise<HttpReply>

export type PublicHandlers = {
  readonly capture: (dialect: Dialect) => CaptureHandler
  readonly decide: (route: DecideRoute) => DecideHandler
}

const POSTHOG: Dialect = { kind: 'posthog' }

/** Path of each capture route, and how its clients spell events. */
const CAPTURE_ROUTES: readonly (readonly [path: string, dialect: Dialect])[] = [
  ['/capture/', POSTHOG],
  ['/batch/', POSTHOG],
  ['/e/', POSTHOG],
  ['/i/v0/e/', POSTHOG],
  ['/i/v0/ai/batch/', POSTHOG],
  ['/s/', POSTHOG],
  ['/track/', { kind: 'mixpanel' }],
  ['/engage/', { kind: 'engage' }],
  ['/v1/batch', { kind: 'segment', type: undefined }],
  ['/v1/track', { kind: 'segment', type: 'track' }],
  ['/v1/identify', { kind: 'segment', type: 'identify' }],
  ['/v1/page', { kind: 'segment', type: 'page' }],
  ['/v1/screen', { kind: 'segment', type: 'screen' }],
  ['/v1/alias', { kind: 'segment', type: 'alias' }],
  ['/v1/group', { kind: 'segment', type: 'group' }],
]

const DECIDE_ROUTES: readonly (readonly [path: string, route: DecideRoute])[] = [
  ['/decide/', 'decide'],
  ['/flags/', 'flags'],
]

/** The public routes. Everything else is a management call or unknown. */
export function createPublicRouter(handlers: PublicHandlers): Router<PublicHandler> {
  const routes: Route<PublicHandler>[] = []
  const add = (methods: readonly ('GET' | 'POST')[], path: string, handler: PublicHandler) => {
    for (const method of methods) routes.push({ method, path, handler })
    routes.push({ method: 'OPTIONS', path, handler: preflight })
  }
  const both = ['GET', 'POST'] as const
  for (const [path, dialect] of CAPTURE_ROUTES) add(both, path, handlers.capture(dialect))
  for (const [path, route] of DECIDE_ROUTES) add(both, path, handlers.decide(route))
  return createRouter(routes)
}

/** A method that no route of a public path takes. */
export function methodNotAllowed(request: HttpRequest, allow: string): HttpReply {
  return publicError(request, 'method_not_allowed', { allow })
}
