import type { Command } from 'commander'
import { openSharedCache } from '../../../gateway/cache/open-decide-cache.ts'
import { systemClock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import { openCluster, openSpillLog } from './cluster.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { startWorkerParts } from './worker-parts.ts'

/** `sluice worker`: project actors, ingest writer and gRPC server. */
export function registerWorker(program: Command): void {
  const description = 'run a worker: gRPC in, Postgres out (needs DATABASE_URL and NATS_URL)'
  registerService(program, { name: 'worker', role: 'worker', description }, startWorkerRole)
}

async function startWorkerRole(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, releasers } = context
  const { databaseUrl, redisUrl } = config
  assert(databaseUrl !== undefined, 'the config demands DATABASE_URL of a worker')
  const cluster = await openCluster(context)
  const messages = await openSpillLog(context, cluster.nats)
  // It only tells the cache of changed persons: what is in there is the gateways'.
  const shared =
    redisUrl === undefined
      ? undefined
      : await openSharedCache(
          { clock: systemClock, log, metrics },
          { url: redisUrl, cluster: config.clusterName, generation: () => '' },
        )
  if (shared !== undefined) releasers.push('decide cache', () => shared.cache.close())
  const { members } = cluster
  const parts = await startWorkerParts(context, {
    database: databaseUrl,
    members,
    cluster,
    messages,
    role: 'worker',
    cache: shared?.cache,
    redis: () => shared?.status() ?? 'none',
  })
  const facts = await parts.serve()
  return { unready: parts.unready, facts: { ...facts, memberId: parts.worker.memberId } }
}
