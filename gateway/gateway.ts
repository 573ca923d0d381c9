/** Composition of a gateway: HTTP in, calls to workers out. */
import type { MemberStore } from '../cluster/members/member-store.ts'
import type { Member } from '../cluster/members/view.ts'
import type { Clock } from '../src/core/clock.ts'
import { AppError, assert } from '../src/core/code.ts'
import { parseJson } from '../src/core/json-text/parse-json.ts'
import type { Log } from '../src/core/log.ts'
import type { Metrics } from '../src/core/metrics/metrics.ts'
import { packageVersion } from '../src/core/package-root.ts'
import type { ProjectLimits } from '../src/core/project-limits.ts'
import { ok } from '../src/core/result.ts'
import { createUuidV7 } from '../src/events/uuid.ts'
import type { OnWarned } from '../src/events/warnings/warning-metrics.ts'
import { CLIENT_METADATA } from '../src/wire/session.ts'
import { Admission } from './admission/admission.ts'
import { bodyBounds } from './body/body-bounds.ts'
import { type BodyThreads, createBodyThreads } from './body/body-thread.ts'
import type { Sender } from './body/fair-queue.ts'
import type { ReadBody, WantedMembers } from './body/rest-body.ts'
import type { DecideCache } from './cache/decide-cache.ts'
import { createConsoleServer } from './console-server/console-server.ts'
import { type CardOf, createSharedPages } from './console-server/shared-pages.ts'
import { createDispatch } from './dispatch.ts'
import { type GatewayMetrics, gatewayMetrics, routeLabel } from './gateway-metrics.ts'
import { createHttpServer } from './http/create-http-server.ts'
import type { HttpServer } from './http/http-server.ts'
import { Refusals } from './http/refusals.ts'
import { createKeyResolver, type KeyResolver } from './keys/api-key.ts'
import { parseTrustedProxies, peerOf, type TrustedProxies } from './keys/client-ip.ts'
import { forgetfulClient } from './keys/forget-keys.ts'
import { createMcpEndpoint, type McpEndpoint } from './mcp/mcp-endpoint.ts'
import { managementSender } from './public/body-sender.ts'
import { createCapture } from './public/capture.ts'
import { countRefused } from './public/capture-losses.ts'
import { createCaptureV1 } from './public/capture-v1.ts'
import { createDecide } from './public/decide.ts'
import { createHeadJudge } from './public/head-judge.ts'
import { createOfrep } from './public/ofrep.ts'
import { createProbes } from './public/probes.ts'
import type { PublicError } from './public/public-errors.ts'
import { createRemoteConfig } from './public/remote-config.ts'
import { createPublicRouter } from './public/routes.ts'
import { createScripts } from './public/scripts.ts'
import { createWebFeature } from './public/web-features.ts'
import { createDocuments } from './rest/documents.ts'
import { createLiveStreams, type LiveStreams } from './rest/live/live-streams.ts'
import { createManagementCors, type ManagementCors } from './rest/management-cors.ts'
import { requestSite } from './rest/page-links.ts'
import { createReferencePage } from './rest/reference-page.ts'
import { createRenderers } from './rest/renderers.ts'
import { createSessions, type Sessions } from './rest/session/session-cookie.ts'
import { createTranscoder, type Transcoder } from './rest/transcode.ts'
import { createWarningReports } from './warning-reports.ts'
import type { GatewayChangeFeed } from './workers/change-feed.ts'
import type { WorkerLink } from './workers/worker-link.ts'
import { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts'

/** Time for the card of a shared link; its page waits for it. */
const CARD_TIMEOUT_MS = 3_000

export type GatewayDeps = {
  readonly members: MemberStore
  readonly feed: GatewayChangeFeed
  readonly cache: DecideCache
  readonly connect: (member: Member) => WorkerLink
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Rate limits of projects; undefined when nothing is limited. */
  readonly limits: ProjectLimits | undefined
  /** Called for every event that is dropped, refused or changed. */
  readonly onWarned?: OnWarned
}

export type GatewayOptions = {
  readonly memberToken: () => string
  readonly trustedProxies: readonly string[]
  readonly httpServer: 'uws' | 'node'
  /** False refuses requests with a personal key in the query. */
  readonly queryKeys: boolean
  /** Origins whose pages may make management calls; `*` for all. */
  readonly apiCorsOrigins: readonly string[]
  /** Assistants may change flags over `/mcp`, with a key that may. */
  readonly mcpWrites: boolean
  /** Where people reach this instance; undefined where the operator has not said so. */
  readonly publicUrl: string | undefined
  /** Largest body of a request, in bytes. */
  readonly bodyBytesMax: number
  /** False lets several gateways of one machine share the port. */
  readonly exclusivePort: boolean
}

export type Gateway = {
  listen(host: string, port: number): Promise<{ port: number }>
  /** The reasons why requests cannot be served now; empty when they can. */
  unready(): readonly string[]
  /** Ends connections with their next answer; waits for what is in flight, then closes. */
  close(deadlineMs: number): Promise<void>
}

type Answering = Parameters<typeof createDispatch>[0]

export function createGateway(deps: GatewayDeps, options: GatewayOptions): Gateway {
  const { members, feed, cache, clock, log, metrics, limits } = deps
  const figures = gatewayMetrics(metrics)
  const newUuid = createUuidV7(clock.now)
  const proxies = trusted(options.trustedProxies)
  const { memberToken } = options
  const pool = createWorkerPool({
    members,
    feed,
    connect: deps.connect,
    memberToken,
    newBatchId: newUuid,
    clock,
    random: Math.random,
    onFailover: figures.failedOver,
    onHedge: figures.hedged,
  })
  const keys = createKeyResolver({
    feed,
    clock,
    ask: ({ token, projectId }) => pool.resolveKey({ token, project_id: projectId ?? 0 }),
  })
  const bounds = bodyBounds(options.bodyBytesMax)
  const bodyThreads = createBodyThreads({ clock, log }, { bounds })
  const reports = createWarningReports({ pool, memberToken, random: Math.random, ...deps })
  const { warnings } = reports
  const refusals = new Refusals(clock)
  const parts = {
    keys,
    pool,
    cache,
    bodyThreads,
    proxies,
    limits,
    newUuid,
    warnings,
    clock,
    log,
    admission: new Admission(clock, refusals, Math.random),
  }
  const live = createLiveStreams({ clock, random: Math.random })
  const sessions = sessionsOf(proxies, options)
  const transcoder = managementRouter(parts, live, sessions)
  const cors = createManagementCors(options.apiCorsOrigins)
  const mcp = assistants(cors, log, options)
  let state: 'starting' | 'serving' | 'closing' = 'starting'
  // A feed that is not fresh is no reason: caches are bypassed then, and workers asked.
  const unready = () => (state === 'serving' ? pool.unready() : [`http is ${state}`])
  const sharedPages = createSharedPages(cardsOf(pool, proxies), (request) => {
    return options.publicUrl ?? requestSite(request, proxies.trusts(request.remoteAddress))
  })
  const own = {
    ...pages(),
    sharedPages,
    ...judging(keys, warnings),
    router: publicRouter(parts, figures),
  }
  const answering = { transcoder, probes: createProbes(unready), cors, sessions, mcp, ...own }
  const server = createHttpServer(
    { clock, log, refusals },
    {
      ...createDispatch(answering, options.queryKeys),
      peerOf: (request) => peerOf(proxies, request),
      exclusivePort: options.exclusivePort,
      bounds,
      onFinished: (request, status, elapsedMs) =>
        figures.finished(routeLabel(request.path), status, elapsedMs),
    },
    options.httpServer,
  )
  figures.watch(server, pool, feed, live, parts.admission)

  return {
    async listen(host, port) {
      const bound = await server.listen(host, port)
      state = 'serving'
      return bound
    },
    unready,
    async close(deadlineMs) {
      state = 'closing'
      server.drain()
      live.close()
      await closeServer(server, deadlineMs)
      await reports.close()
      await pool.close()
      await bodyThreads.close()
      await feed.close()
      await cache.close()
    },
  }
}

/** Handlers that serve files. */
function pages(): Pick<Answering, 'console' | 'documents' | 'referencePage'> {
  return {
    console: createConsoleServer(),
    documents: createDocuments(),
    referencePage: createReferencePage(),
  }
}

/** Cards of shared links, asked for whoever wants the page. */
function cardsOf(pool: WorkerPool, proxies: TrustedProxies): CardOf {
  return (token, request) =>
    pool.call(
      '/sluice.v1.SharingService/GetSharedCard',
      { token },
      {
        metadata: { [CLIENT_METADATA]: peerOf(proxies, request) },
        timeoutMs: CARD_TIMEOUT_MS,
        signal: request.signal,
      },
    )
}

/** Judges requests before their bodies, and counts the captures among those refused. */
function judging(
  keys: KeyResolver,
  warnings: PublicParts['warnings'],
): Pick<Answering, 'headJudge' | 'onRefusedCapture'> {
  const onRefusedCapture = (error: PublicError) => countRefused(warnings, error)
  return { headJudge: createHeadJudge(keys, onRefusedCapture), onRefusedCapture }
}

function sessionsOf(proxies: TrustedProxies, { publicUrl }: GatewayOptions): Sessions {
  return createSessions({ publicUrl, trustsForwarded: (address) => proxies.trusts(address) })
}

function assistants(
  cors: ManagementCors,
  log: Log,
  { mcpWrites, publicUrl }: GatewayOptions,
): McpEndpoint {
  const version = packageVersion()
  return createMcpEndpoint({ cors, log }, { version, allowsWrites: mcpWrites, publicUrl })
}

type PublicParts = Parameters<typeof createCapture>[0] &
  Omit<Parameters<typeof createDecide>[0], 'onAnswered'>

function publicRouter(
  { cache, clock, newUuid, warnings, admission, ...shared }: PublicParts,
  { decided }: GatewayMetrics,
): ReturnType<typeof createPublicRouter> {
  const { keys } = shared
  const capturing = { ...shared, newUuid, warnings, admission }
  const deciding = { ...shared, cache, clock, onAnswered: decided }
  return createPublicRouter({
    capture: (dialect) => createCapture(capturing, dialect),
    captureV1: createCaptureV1(capturing),
    decide: (route) => createDecide(deciding, route),
    ofrep: createOfrep(deciding),
    remoteConfig: createRemoteConfig(keys),
    scripts: createScripts(keys),
    webFeature: (feature) => createWebFeature(keys, feature),
  })
}

function managementRouter(
  { keys, pool, bodyThreads, proxies, log }: PublicParts & { readonly pool: WorkerPool },
  live: LiveStreams,
  sessions: Sessions,
): Transcoder {
  return createTranscoder({
    worker: forgetfulClient(pool, keys),
    log,
    trustsForwarded: (address) => proxies.trusts(address),
    sessions,
    peerOf: (request) => peerOf(proxies, request),
    renderers: createRenderers(live.render, sessions),
    readLarge: (body, meta, request) =>
      readOnThread(bodyThreads, body, meta, managementSender(proxies, request)),
  })
}

async function closeServer(server: HttpServer, deadlineMs: number): Promise<void> {
  server.drain()
  await server.close(deadlineMs)
}

async function readOnThread(
  threads: BodyThreads,
  body: Buffer,
  meta: { contentType: string | undefined; wanted: WantedMembers },
  sender: Sender,
): Promise<ReadBody> {
  const read = await threads.readRest(body, meta, sender)
  if ('kind' in read) throw new AppError('unavailable', 'no thread for a large body')
  if (!read.ok) return read
  const { value } = read
  return ok(value.kind === 'form' ? value : { kind: 'json', body: parseJson(value.text) })
}

function trusted(ranges: readonly string[]): TrustedProxies {
  const parsed = parseTrustedProxies(ranges.join(','))
  assert(parsed.ok, 'the config has checked the ranges')
  return parsed.value
}
