/** The command `sluice start`. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createMemoryMemberStore } from '../../../cluster/members/memory-member-store.ts'
import type { DecideCache } from '../../../gateway/cache/decide-cache.ts'
import { createMemoryDecideCache } from '../../../gateway/cache/memory-decide-cache.ts'
import { openGatewayCache, openSharedCache } from '../../../gateway/cache/open-decide-cache.ts'
import { createGateway } from '../../../gateway/gateway.ts'
import { type GatewayChangeFeed, localChangeFeed } from '../../../gateway/workers/change-feed.ts'
import { createGrpcChangeFeed } from '../../../gateway/workers/grpc-change-feed.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { createLocalWorkerLink } from '../../../gateway/workers/local-worker-link.ts'
import { systemClock } from '../../core/clock.ts'
import { type Config, type SettingKey, settingDefault } from '../../core/config/config.ts'
import { readTlsFiles } from '../../core/config/tls-files.ts'
import { listenProblem } from '../../core/config/tls-settings.ts'
import { DECIDE_CACHE_BYTES_MAX } from '../../core/limits/limits.ts'
import type { Steadiness } from '../../core/logging/outages.ts'
import { startEmbeddedPostgres } from '../../embedded/embedded-postgres.ts'
import { firstLoginLink } from '../../manage/sessions/operator-logins.ts'
import type { ForgetfulCache } from '../../project/person-forgetter.ts'
import { findOldestProject } from '../../store/projects/project-store.ts'
import { typedName } from '../typed-name.ts'
import { banner, commandLine } from './banner.ts'
import { firstKeysFile } from './first-keys.ts'
import { gatewaySettings } from './gateway.ts'
import { listenOn, type PortPlace } from './ports.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { startWorkerParts, type WorkerParts } from './worker-parts.ts'

/**
 * `sluice start` runs gateway and worker in one process, with its own Postgres unless DATABASE_URL
 * is set.
 */
export function registerStart(program: Command): void {
  const description = 'run everything in one process'
  const command = { name: 'start', reader: 'standalone', description, problem, ports } as const
  registerService(program, command, startStandalone)
}

function ports({ http, grpc }: Config): readonly PortPlace[] {
  return [
    { setting: 'PORT', ...http },
    { setting: 'GRPC_PORT', ...grpc },
  ]
}

/** An embedded Postgres has no address at which another member could reach it. */
function problem({ natsUrl, databaseUrl, role, grpc, security }: Config): string | undefined {
  return natsUrl !== undefined && databaseUrl === undefined
    ? 'DATABASE_URL is needed in a cluster (NATS_URL is set)'
    : listenProblem(role, grpc.host, security.grpc)
}

const ALONE = { cluster: undefined, messages: undefined }

/** Loads the library of NATS, which a process without a cluster does not need. */
async function joinCluster(context: ServiceContext) {
  const { openCluster, openSpillLog } = await import('./cluster.ts')
  const cluster = await openCluster(context)
  return { cluster, messages: await openSpillLog(context, cluster.nats) }
}

async function startStandalone(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, limits, onWarned, releasers } = context
  const clock = systemClock
  const { cluster, messages } = config.natsUrl === undefined ? ALONE : await joinCluster(context)
  const members = cluster?.members ?? createMemoryMemberStore()
  const caching = await openCaches(context, cluster !== undefined)
  const database = config.databaseUrl ?? (await startPostgres(context))
  const { cache: forgetful, redis } = caching
  let httpUrl: string | undefined
  const parts = await startWorkerParts(context, {
    httpUrl: () => httpUrl,
    database,
    members,
    cluster,
    messages,
    role: 'standalone',
    cache: forgetful,
    redis,
  })
  const { worker, services, memberToken, dial } = parts
  const { memberId, hub, shards, cacheGeneration: generation } = worker
  const served = await parts.serve()
  const local = { memberId, hub, generation, shards }
  const feed =
    cluster === undefined
      ? localChangeFeed(local)
      : createGrpcChangeFeed({ self: memberId, members, memberToken, dial, clock, log, local })
  caching.follow(feed, parts)
  const gateway = createGateway(
    {
      members,
      feed,
      cache: caching.gateway,
      connect: ({ id, address }) =>
        id === memberId
          ? createLocalWorkerLink(services.handlers)
          : createGrpcWorkerLink(address, clock, { memberToken, dial }),
      clock,
      log,
      metrics,
      limits,
      onWarned,
    },
    { ...gatewaySettings(config), memberToken, exclusivePort: true },
  )
  await context.ports.free('PORT')
  const { host, port } = config.http
  const http = await listenOn({ setting: 'PORT', host, port }, () => gateway.listen(host, port))
  releasers.push('gateway', () => gateway.close(config.shutdownDeadlineMs / 2))
  const url = `http://${host}:${http.port}`
  const reachable = reachableUrl(host, http.port)
  httpUrl = reachable
  return {
    unready: () => [...parts.unready(), ...gateway.unready()],
    facts: { url, httpPort: http.port, grpcPort: served.grpcPort, memberId },
    place: placeOf(config, http.port, served.grpcPort),
    ...greetings(config, worker, { url: reachable, ...served }),
  }
}

function placeOf({ http, grpc }: Config, httpPort: number, grpcPort: number) {
  return { HOST: http.host, PORT: httpPort, GRPC_HOST: grpc.host, GRPC_PORT: grpcPort }
}

/** An address at which this machine reaches a server that listens on `host`. */
function reachableUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

type Served = { readonly url: string; readonly grpcPort: number; readonly address: string }

/**
 * Sign-in hints of a start. A login link is a secret until it is used: a terminal gets it, a log
 * gets only the command that prints one.
 */
function greetings(
  config: Config,
  worker: WorkerParts['worker'],
  served: Served,
): Pick<StartedService, 'banner' | 'signIn'> {
  const command = commandTo(config)
  return {
    banner: () => bannerOf(config, worker, { ...served, command }),
    signIn: {
      console: config.publicUrl ?? served.url,
      documentation: `${config.publicUrl ?? served.url}/api/docs/`,
      command: `${command} admin login-link`,
    },
  }
}

/** A later start shows the first project, whose key is public. */
async function bannerOf(
  { dataDir, databaseUrl, publicUrl }: Config,
  { sql, bootstrapped: made }: WorkerParts['worker'],
  { url, address, command }: Served & { readonly command: string },
): Promise<string> {
  const link = await firstLoginLink(sql, publicUrl ?? url)
  return banner({
    url,
    loginLink: link?.url,
    grpc: address,
    dataDir,
    hasOwnDatabase: databaseUrl === undefined,
    project: made?.user.project ?? (await findOldestProject(sql)),
    personalKey: made?.personalApiKey,
    keysFile: await firstKeysFile(dataDir),
    command,
  })
}

/** Commands find the ports in the data folder. */
function commandTo({ dataDir }: Config): string {
  return commandLine(typedName(), {
    ...unlessDefault('DATA_DIR', dataDir, resolve(settingDefault('DATA_DIR', 'standalone'))),
  })
}

function unlessDefault(key: SettingKey, value: string, usual: string): Record<string, string> {
  return value === usual ? {} : { [key]: value }
}

/** The gateway's cache, and the worker's notifications of changed persons. */
type Caches = {
  readonly gateway: DecideCache
  readonly cache: ForgetfulCache | undefined
  readonly redis: () => 'memory' | Steadiness | 'none'
  /** Called when both the gateway and the worker exist. */
  follow(feed: GatewayChangeFeed, parts: WorkerParts): void
}

async function openCaches(
  { config, log, metrics }: ServiceContext,
  clustered: boolean,
): Promise<Caches> {
  const { redisUrl: url, clusterName: cluster } = config
  if (url === undefined && !clustered) {
    const memory = createMemoryDecideCache({ bytesMax: DECIDE_CACHE_BYTES_MAX, keepsStored: true })
    return {
      gateway: memory,
      cache: memory,
      redis: () => 'memory',
      follow: (_feed, { worker }) => {
        worker.cacheGeneration.subscribe(() => memory.forgetAll())
      },
    }
  }
  let followed: GatewayChangeFeed | undefined
  const generation = () => followed?.cacheGeneration() ?? ''
  const deps = { clock: systemClock, log, metrics }
  const options = { cluster, generation, tls: readTlsFiles(config.security.redis) }
  const shared = url === undefined ? undefined : await openSharedCache(deps, { url, ...options })
  return {
    gateway: openGatewayCache(metrics, shared),
    cache: shared?.cache,
    redis: () => shared?.status() ?? 'none',
    follow: (feed) => {
      followed = feed
    },
  }
}

async function startPostgres({ config, log, releasers }: ServiceContext) {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    clock: systemClock,
  })
  releasers.push('embedded postgres', () => postgres.stop())
  void postgres.closed.then((error) => {
    if (error === undefined) return
    log.error('embedded postgres cannot be restarted', { error })
    process.exit(1)
  })
  return postgres.connection
}
