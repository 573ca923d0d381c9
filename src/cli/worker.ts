import type { Command } from 'commander'
import { createMemoryMemberStore } from '../../cluster/memory-member-store.ts'
import { assert } from '../core/code.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'
import { startWorkerParts } from './worker-parts.ts'

/** `sluice worker`: project actors, ingest writer and gRPC server. */
export function registerWorker(program: Command): void {
  const description = 'run a worker: gRPC in, Postgres out (needs DATABASE_URL)'
  registerService(program, { name: 'worker', role: 'worker', description }, startWorkerRole)
}

async function startWorkerRole(context: ServiceContext): Promise<StartedService> {
  const { config, releasers, version } = context
  const { databaseUrl } = config
  assert(databaseUrl !== undefined, 'the config demands DATABASE_URL of a worker')
  const members = createMemoryMemberStore()
  const { worker, services, memberId } = await startWorkerParts(context, {
    database: databaseUrl,
    members,
    role: 'worker',
    // Gateways of other processes keep no answers that read stored data.
    onPersonsChanged: async () => undefined,
  })
  const grpc = await services.server.listen(config.grpc.host, config.grpc.port)
  const address = `${config.advertise.host}:${config.advertise.port || grpc.port}`
  const self = { id: memberId, address, role: 'worker', weight: 1, version } as const
  await members.join({ ...self, state: 'active' })
  releasers.push('health', () => services.server.leave())
  return {
    unready: () => worker.unready(),
    facts: { grpcPort: grpc.port, address, memberId },
  }
}
