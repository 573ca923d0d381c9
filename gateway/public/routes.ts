import { SEGMENT_TYPES, type SegmentType } from '../../src/events/dialects/segment-event.ts'
import type { Dialect } from '../../src/events/parse-event.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { createRouter, type Route, type RouteParams, type Router } from '../http/router.ts'
import { notFound } from './cached-reply.ts'
import type { CaptureHandler } from './capture.ts'
import type { DecideHandler } from './decide.ts'
import type { DecideRoute } from './decide-answer.ts'
import { THIRD_PARTY_PREFIX, V1_CAPTURE_PATH } from './head-judge.ts'
import type { OfrepHandlers } from './ofrep.ts'
import { isOfrepPath, ofrepFault } from './ofrep-replies.ts'
import { preflight, publicError } from './public-errors.ts'
import type { RemoteConfigHandlers } from './remote-config.ts'
import type { ScriptHandlers } from './scripts.ts'
import type { WebFeature, WebFeatureHandler } from './web-features.ts'

/** @param params parameters of the path, decoded. */
export type PublicHandler = (
  request: HttpRequest,
  body: Buffer,
  params: RouteParams,
) => HttpReply | Promise<HttpReply>

export type PublicHandlers = {
  readonly capture: (dialect: Dialect) => CaptureHandler
  readonly captureV1: CaptureHandler
  readonly decide: (route: DecideRoute) => DecideHandler
  readonly ofrep: OfrepHandlers
  readonly remoteConfig: RemoteConfigHandlers
  readonly scripts: ScriptHandlers
  readonly webFeature: (feature: WebFeature) => WebFeatureHandler
}

const POSTHOG: Dialect = { kind: 'posthog' }

/** Path of each capture route, with the dialect of its clients. */
const CAPTURE_ROUTES: readonly (readonly [path: string, dialect: Dialect])[] = [
  ['/capture/', POSTHOG],
  ['/batch/', POSTHOG],
  ['/e/', POSTHOG],
  ['/i/v0/e/', POSTHOG],
  ['/i/v0/ai/batch/', POSTHOG],
  ['/s/', POSTHOG],
  ['/track/', { kind: 'mixpanel' }],
  ['/import/', { kind: 'mixpanel' }],
  ['/engage/', { kind: 'engage' }],
  ['/groups/', { kind: 'groups' }],
  ...segmentRoutes('batch', undefined),
  ...SEGMENT_TYPES.flatMap((type) => segmentRoutes(type, type)),
]

const CAPTURE_PATHS: ReadonlySet<string> = new Set(
  [...CAPTURE_ROUTES.map(([path]) => path), V1_CAPTURE_PATH].map(bare),
)

/** Whether events are sent to this path. */
export function isCapturePath(path: string): boolean {
  return CAPTURE_PATHS.has(bare(path))
}

function bare(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Browser libraries shorten the name of the route to its first letter. */
function segmentRoutes(name: string, type: SegmentType | undefined): [string, Dialect][] {
  return [name, name.slice(0, 1)].map((each) => [
    `${THIRD_PARTY_PREFIX}${each}`,
    { kind: 'segment', type },
  ])
}

const DECIDE_ROUTES: readonly (readonly [path: string, route: DecideRoute])[] = [
  ['/decide/', 'decide'],
  ['/flags/', 'flags'],
]

const WEB_FEATURE_ROUTES: readonly (readonly [path: string, feature: WebFeature])[] = [
  ['/api/surveys/', 'surveys'],
  ['/api/early_access_features/', 'early_access_features'],
  ['/api/web_experiments/', 'web_experiments'],
  ['/api/product_tours/', 'product_tours'],
]

/** Routes of the public interface. Every other path is a management call or unknown. */
export function createPublicRouter(handlers: PublicHandlers): Router<PublicHandler> {
  const routes: Route<PublicHandler>[] = []
  const add = (methods: readonly ('GET' | 'POST')[], path: string, handler: PublicHandler) => {
    for (const method of methods) routes.push({ method, path, handler })
    routes.push({ method: 'OPTIONS', path, handler: preflight })
  }
  const both = ['GET', 'POST'] as const
  for (const [path, dialect] of CAPTURE_ROUTES) add(both, path, handlers.capture(dialect))
  add(['POST'], V1_CAPTURE_PATH, handlers.captureV1)
  for (const [path, route] of DECIDE_ROUTES) add(both, path, handlers.decide(route))
  add(['POST'], '/ofrep/v1/evaluate/flags', handlers.ofrep.bulk)
  add(['POST'], '/ofrep/v1/evaluate/flags/:key', handlers.ofrep.single)
  add(['GET'], '/array/:token/config', handlers.remoteConfig.json)
  add(['GET'], '/array/:token/config.js', handlers.remoteConfig.script)
  add(['GET'], '/array/:token/array.js', handlers.scripts.array)
  add(['GET'], '/array/*path', notFound)
  add(['GET'], '/static/*path', handlers.scripts.named)
  for (const [path, feature] of WEB_FEATURE_ROUTES) {
    add(['GET'], path, handlers.webFeature(feature))
  }
  return createRouter(routes)
}

/** 405 for a method that a public path does not take. */
export function methodNotAllowed(request: HttpRequest, allow: string): HttpReply {
  if (isOfrepPath(request.path)) return ofrepFault(request, 'not_allowed', { allow })
  return publicError(request, 'method_not_allowed', { allow })
}
