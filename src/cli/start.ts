import type { Command } from 'commander'
import { createMemoryMemberStore } from '../../cluster/memory-member-store.ts'
import { createMemoryDecideCache } from '../../gateway/cache/memory-decide-cache.ts'
import { createGateway } from '../../gateway/gateway.ts'
import { createLocalWorkerLink } from '../../gateway/workers/local-worker-link.ts'
import { systemClock } from '../core/clock.ts'
import { DECIDE_CACHE_BYTES_MAX } from '../core/limits.ts'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'
import { banner } from './banner.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { startWorkerParts } from './worker-parts.ts'

/** `sluice start`: gateway and worker in one process, with a Postgres of its own unless told. */
export function registerStart(program: Command): void {
  const description = 'run everything in one process'
  registerService(program, { name: 'start', role: 'standalone', description }, startStandalone)
}

async function startStandalone(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, releasers, version } = context
  const clock = systemClock
  const members = createMemoryMemberStore()
  const cache = createMemoryDecideCache({ bytesMax: DECIDE_CACHE_BYTES_MAX, keepsStored: true })
  const database = config.databaseUrl ?? (await startPostgres(context))
  const parts = await startWorkerParts(context, {
    database,
    members,
    role: 'standalone',
    async onPersonsChanged(changes) {
      for (const { projectId, distinctIds } of changes) {
        await cache.forgetPersons(projectId, distinctIds)
      }
    },
  })
  const { worker, services } = parts
  const grpc = await services.server.listen(config.grpc.host, config.grpc.port)
  const address = `${config.advertise.host}:${config.advertise.port || grpc.port}`
  const weight = 1
  const self = { id: parts.memberId, address, role: 'standalone', weight, version } as const
  await members.join({ ...self, state: 'active' })
  const gateway = createGateway(
    {
      members,
      // The worker's news reach this gateway within the call: there is no silence to fear.
      feed: {
        fresh: () => true,
        subscribe: (listener) => worker.hub.subscribe(listener),
        close: async () => undefined,
      },
      cache,
      connect: () => createLocalWorkerLink(services.handlers),
      clock,
      log,
      metrics,
    },
    {
      memberToken: parts.token,
      trustedProxies: config.trustedProxies,
      httpServer: config.httpServer,
      exclusivePort: true,
    },
  )
  const http = await gateway.listen(config.http.host, config.http.port)
  releasers.push('gateway', () => gateway.close(config.shutdownDeadlineMs / 2))
  const url = `http://${config.http.host}:${http.port}`
  return {
    unready: () => [...worker.unready(), ...gateway.unready()],
    facts: { url, httpPort: http.port, grpcPort: grpc.port, memberId: parts.memberId },
    banner: () =>
      banner({ url, grpc: address, dataDir: config.dataDir, made: worker.bootstrapped }),
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
