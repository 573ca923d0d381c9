/** The command `sluice gateway`. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { openGatewayCache, openSharedCache } from '../../../gateway/cache/open-decide-cache.ts'
import { createGateway } from '../../../gateway/gateway.ts'
import { createGrpcChangeFeed } from '../../../gateway/workers/grpc-change-feed.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { systemClock } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import { readTlsFiles } from '../../core/config/tls-files.ts'
import { memberDial } from '../../wire/dial.ts'
import { listenOn } from './ports.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { thisProcess } from './this-process.ts'

/**
 * `sluice gateway` serves HTTP and calls workers over gRPC. It has no state; several may share a
 * port.
 */
export function registerGateway(program: Command): void {
  const description = 'run a gateway: HTTP in, gRPC out (needs NATS_URL)'
  registerService(program, { name: 'gateway', reader: 'gateway', description }, startGatewayRole)
}

async function startGatewayRole(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, limits, onWarned, releasers, version } = context
  const clock = systemClock
  // Loaded here: `sluice start` shares this file, and without a cluster needs no library of NATS.
  const { openCluster } = await import('./cluster.ts')
  const { members, memberToken } = await openCluster(context)
  const dial = memberDial(config.security.grpc)
  const id = randomUUID()
  const feed = createGrpcChangeFeed({ self: id, members, memberToken, dial, clock, log })
  const { redisUrl: url, clusterName: cluster } = config
  const deps = { clock, log, metrics }
  const generation = () => feed.cacheGeneration()
  const options = { cluster, generation, tls: readTlsFiles(config.security.redis) }
  const shared = url === undefined ? undefined : await openSharedCache(deps, { url, ...options })
  const gateway = createGateway(
    {
      members,
      feed,
      cache: openGatewayCache(metrics, shared),
      connect: ({ address }) => createGrpcWorkerLink(address, clock, { memberToken, dial }),
      clock,
      log,
      metrics,
      limits,
      onWarned,
    },
    { ...gatewaySettings(config), memberToken, exclusivePort: false },
  )
  const { host, port } = config.http
  const http = await listenOn({ setting: 'PORT', host, port }, () => gateway.listen(host, port))
  releasers.push('gateway', () => gateway.close(config.shutdownDeadlineMs / 2))
  const address = `${config.http.host}:${http.port}`
  const self = { id, address, weight: 1, version, process: thisProcess() }
  await members.join({ ...self, role: 'gateway', state: 'active' })
  releasers.push('membership of this gateway', () => members.leave(id))
  return {
    unready: () => gateway.unready(),
    facts: { url: `http://${address}`, httpPort: http.port, memberId: id },
  }
}

export function gatewaySettings(config: Config) {
  return {
    trustedProxies: config.trustedProxies,
    httpServer: config.httpServer,
    queryKeys: config.queryKeys,
    apiCorsOrigins: config.apiCorsOrigins,
    mcpWrites: config.mcpWrites,
    publicUrl: config.publicUrl,
    bodyBytesMax: config.bodyBytesMax,
  }
}
