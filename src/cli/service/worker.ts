/** The command `sluice worker`. */
import type { Command } from 'commander'
import { openSharedCache } from '../../../gateway/cache/open-decide-cache.ts'
import { systemClock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Config } from '../../core/config/config.ts'
import { readTlsFiles } from '../../core/config/tls-files.ts'
import { listenProblem } from '../../core/config/tls-settings.ts'
import { openCluster, openSpillLog } from './cluster.ts'
import type { PortPlace } from './ports.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { startWorkerParts } from './worker-parts.ts'

/** `sluice worker` runs project actors, the ingest writer and the gRPC server. */
export function registerWorker(program: Command): void {
  const description = 'run a worker: gRPC in, Postgres out (needs DATABASE_URL and NATS_URL)'
  const command = { name: 'worker', reader: 'worker', description, problem, ports } as const
  registerService(program, command, startWorkerRole)
}

function ports({ grpc }: Config): readonly PortPlace[] {
  return [{ setting: 'GRPC_PORT', ...grpc }]
}

function problem({ role, grpc, security }: Config): string | undefined {
  return listenProblem(role, grpc.host, security.grpc)
}

async function startWorkerRole(context: ServiceContext): Promise<StartedService> {
  const { config, log, metrics, releasers } = context
  const { databaseUrl, redisUrl } = config
  assert(databaseUrl !== undefined, 'the config demands DATABASE_URL of a worker')
  const cluster = await openCluster(context)
  const messages = await openSpillLog(context, cluster.nats)
  // The worker only deletes answers of changed persons from the cache. Gateways fill it.
  const shared =
    redisUrl === undefined
      ? undefined
      : await openSharedCache(
          { clock: systemClock, log, metrics },
          {
            url: redisUrl,
            tls: readTlsFiles(config.security.redis),
            cluster: config.clusterName,
            generation: () => '',
          },
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
