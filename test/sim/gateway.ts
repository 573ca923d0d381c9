/** One gateway: the product's pool of workers over a simulated network. */

import type { MemberStore } from '../../cluster/members/member-store.ts'
import { createMembership } from '../../cluster/members/membership.ts'
import type { Member } from '../../cluster/members/view.ts'
import { createDirectory, type Directory } from '../../gateway/workers/directory.ts'
import type { WorkerLink } from '../../gateway/workers/worker-link.ts'
import { createWorkerPool, type WorkerPool } from '../../gateway/workers/worker-pool.ts'
import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import { batchOf } from '../../src/events/event-batch.ts'
import { createNatsClient } from './nats-client.ts'
import type { SimProcess } from './simulation.ts'
import { hostOf, idOf, logOf, type Site } from './site.ts'
import { INGEST } from './worker.ts'

export type SimGateway = {
  readonly process: SimProcess
  readonly member: Member
  readonly members: MemberStore
  readonly pool: WorkerPool
  /** When each worker was last heard, by the run's time. */
  readonly heard: Map<string, number>
  readonly directory: Directory
}

export function startGateway(site: Site, host: string): SimGateway {
  const { sim, network, nats, mutant } = site
  const process = sim.process(host)
  const { clock } = process
  const id = idOf(process)
  const log = logOf(sim, process)
  const random = () => sim.random.next()
  const member: Member = {
    ...{ id, address: `${host}:8000`, role: 'gateway', state: 'active', weight: 1, version: '1' },
  }
  sim.note(() => `${process.name} starts as a gateway`)
  const bus = createNatsClient(process, nats, network)
  const registry = mutant.registry?.(bus.registry) ?? bus.registry
  const members = createMembership({
    ...{ registry, clock, log, random },
    probe: (address) => network.refuses(process, hostOf(address)),
  })
  const heard = new Map<string, number>()
  const directory = createDirectory()

  const connect = ({ address }: Member): WorkerLink => {
    const call: WorkerLink['call'] = (path, request, options) =>
      network.call(process, hostOf(address), path, request, options)
    return {
      call,
      microBatch: call,
      async stream() {
        throw new Error('nobody reads streams here')
      },
      async ingestBatch(batchId, batches, options) {
        const decoded = batches.map(({ projectId, content }) =>
          batchOf(projectId, content.kind === 'events' ? content.events : []),
        )
        const answer = await call(INGEST, { batchId, batches: decoded }, options)
        return answer as IngestBatchResponse__Output
      },
      close() {},
    }
  }
  let batches = 0
  const pool = createWorkerPool({
    ...{ members, connect, clock, random },
    feed: {
      ownerOf: directory.ownerOf,
      silentMs: (worker) => sim.now - (heard.get(worker) ?? Number.NEGATIVE_INFINITY),
      observeGeneration() {},
    },
    memberToken: () => '',
    newBatchId: () => `${id} ${++batches}`,
    onFailover() {},
    onHedge() {},
  })
  members.subscribe((view) => {
    const ids = new Set(view.members.map((each) => each.id))
    for (const worker of [...heard.keys()]) {
      if (ids.has(worker)) continue
      heard.delete(worker)
      directory.forget(worker)
    }
  })
  process.io(0, () => {
    network.listen({ process, isOpen: true, handlers: new Map() })
    members.join(member).catch((error: unknown) => {
      log.warn('cannot join', { error })
      process.kill()
    })
  })
  return { process, member, members, pool, heard, directory }
}
