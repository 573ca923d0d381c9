import type { Command } from 'commander'
import { createMemoryMemberStore } from '../../cluster/memory-member-store.ts'
import type { Member } from '../../cluster/view.ts'
import { createMemoryDecideCache } from '../../gateway/cache/memory-decide-cache.ts'
import { createGateway } from '../../gateway/gateway.ts'
import { createGrpcNewsFeed } from '../../gateway/workers/grpc-news-feed.ts'
import { createGrpcWorkerLink } from '../../gateway/workers/grpc-worker-link.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { HostPort } from '../core/config.ts'
import { DECIDE_CACHE_BYTES_MAX } from '../core/limits.ts'
import { operatorToken } from '../core/operator-token.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'

/** `sluice gateway`: HTTP in, gRPC out. Holds no state; several may share a port. */
export function registerGateway(program: Command): void {
  const description = 'run a gateway: HTTP in, gRPC out (needs WORKER_ADDRESSES and OPERATOR_TOKEN)'
  registerService(program, { name: 'gateway', role: 'gateway', description }, startGatewayRole)
}

async function startGatewayRole(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, releasers, version } = context
  const clock = systemClock
  if (config.workerAddresses.length === 0) {
    throw new AppError('failed_precondition', 'set WORKER_ADDRESSES to the workers’ host:port')
  }
  const token = await operatorToken(config)
  const addresses = config.workerAddresses.map(addressText)
  const gateway = createGateway(
    {
      members: createMemoryMemberStore(addresses.map((address) => toMember(address, version))),
      feed: createGrpcNewsFeed({ addresses, memberToken: token, clock, log }),
      // Nobody tells this process of changed persons: answers that read them are not kept.
      cache: createMemoryDecideCache({ bytesMax: DECIDE_CACHE_BYTES_MAX, keepsStored: false }),
      connect: ({ address }) => createGrpcWorkerLink(address, clock),
      clock,
      log,
      metrics,
    },
    {
      memberToken: token,
      trustedProxies: config.trustedProxies,
      httpServer: config.httpServer,
      exclusivePort: false,
    },
  )
  const http = await gateway.listen(config.http.host, config.http.port)
  releasers.push('gateway', () => gateway.close(config.shutdownDeadlineMs / 2))
  return {
    unready: () => gateway.unready(),
    facts: { url: `http://${config.http.host}:${http.port}`, httpPort: http.port },
  }
}

function addressText({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** A worker given by the operator: its address is all that is known of it. */
function toMember(address: string, version: string): Member {
  return { id: address, address, role: 'worker', state: 'active', weight: 1, version }
}
