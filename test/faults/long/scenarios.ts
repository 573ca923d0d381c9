/** Faults of a minute at the promised load, measured by what clients see. */
import type { Test } from 'tap'
import { type Cluster, settled } from '../../support/servers/cluster-processes.ts'
import { pause, until } from '../../support/until.ts'
import type { Span } from '../harness/journal.ts'
import { nth } from '../harness/report.ts'
import type { World } from '../harness/world.ts'
import { seconds } from './table.ts'

export type Scenario = {
  readonly name: string
  /** Workers at the start. @default 3 */
  readonly workers?: number
  /** Persons cannot be read at once, because their events are in the spill. */
  readonly spills?: true
  /** Clients are refused for so long that new ones cannot be made. */
  readonly refuses?: true
  /** Resolves with the span of the fault, and figures of its own. */
  run(t: Test, world: World): Promise<{ readonly span: Span; readonly also: readonly string[] }>
}

const MINUTE_MS = 60_000

/** Scenario of a fault that is measured by the clients of the load. */
function fault(
  name: string,
  work: (world: World) => Promise<readonly string[]>,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    name,
    run: async (_, world) => {
      let also: readonly string[] = []
      const span = await world.during(async () => {
        also = await work(world)
      })
      return { span, also }
    },
    ...more,
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const SCENARIOS: readonly Scenario[] = [
  fault('nothing for a minute', async () => {
    await pause(MINUTE_MS)
    return []
  }),

  fault('kill -9 of a worker', async (world) => {
    await nth(world.cluster.workers, 0).kill()
    const movedMs = await timed(() => settled(world.cluster))
    await world.recovered()
    await pause(5_000)
    return [`all shards owned after ${seconds(movedMs)}`]
  }),

  fault('kill -9 of a gateway', async (world) => {
    const killed = nth(world.cluster.gateways, 0)
    await killed.kill()
    world.aim(world.cluster.gateways.filter((gateway) => gateway !== killed))
    await pause(10_000)
    return []
  }),

  fault('a worker frozen for 30 s', async (world) => {
    const worker = nth(world.cluster.workers, 1)
    worker.freeze()
    const movedMs = await timed(() => settled(world.cluster))
    await pause(30_000 - movedMs)
    worker.thaw()
    const how = await worker.ended()
    return [`all shards owned after ${seconds(movedMs)}`, `awake, it ended with ${how}`]
  }),

  fault('every worker drained and restarted', async (world) => {
    const { cluster } = world
    const exits: (number | string)[] = []
    for (const worker of cluster.workers) {
      await cluster.admin('Drain', { node: worker.address })
      exits.push(await worker.term())
      await worker.start()
      await settled(cluster)
    }
    return [`exits ${exits.join(', ')}`]
  }),

  fault(
    'a third worker added',
    async (world) => {
      const claims = world.epochs.claims()
      const worker = await world.cluster.add('worker')
      await worker.start()
      const movedMs = await timed(() => settled(world.cluster))
      await pause(5_000)
      const moved = world.epochs.claims() - claims
      return [`${moved} of 256 shards moved`, `settled after ${seconds(movedMs)}`]
    },
    { workers: 2 },
  ),

  fault('NATS down for 60 s', async (world) => {
    await world.cluster.nats.kill()
    await pause(MINUTE_MS)
    await world.cluster.nats.start()
    await settled(world.cluster)
    await pause(5_000)
    return []
  }),

  fault('Redis down for 60 s', async (world) => {
    await world.cluster.redis.kill()
    await pause(MINUTE_MS)
    await world.cluster.redis.start()
    await pause(5_000)
    return []
  }),

  fault('Redis frozen for 30 s', async (world) => {
    world.cluster.redis.freeze()
    await pause(MINUTE_MS / 2)
    world.cluster.redis.thaw()
    await pause(5_000)
    return []
  }),

  spilling('Postgres down for 60 s', async ({ cluster }) => {
    await cluster.database.pg.kill('SIGKILL')
    await pause(MINUTE_MS)
    await cluster.database.pg.restart()
  }),

  spilling('Postgres frozen for 60 s', async ({ cluster }) => {
    await cluster.database.pg.freeze()
    await pause(MINUTE_MS)
    await cluster.database.pg.resume()
  }),

  spilling('one worker cut from Postgres for 30 s', async ({ cluster }) => {
    const { postgres } = nth(cluster.workers, 0).links
    postgres.hold()
    await pause(MINUTE_MS / 2)
    await postgres.restore()
  }),

  {
    ...spilling('Postgres and NATS down for 60 s', async ({ cluster }) => {
      await Promise.all([cluster.database.pg.kill('SIGKILL'), cluster.nats.kill()])
      await pause(MINUTE_MS)
      await Promise.all([cluster.database.pg.restart(), cluster.nats.start()])
    }),
    refuses: true,
  },

  killedAgain('Postgres', ({ database: { pg } }) => ({
    kill: () => pg.kill('SIGKILL'),
    start: () => pg.restart(),
  })),

  killedAgain('NATS', ({ nats }) => ({ kill: () => nats.kill(), start: () => nats.start() })),

  killedAgain('Redis', ({ redis }) => ({ kill: () => redis.kill(), start: () => redis.start() })),

  fault('one worker cut from NATS for 30 s', async (world) => {
    const { nats } = nth(world.cluster.workers, 0).links
    nats.hold()
    await pause(MINUTE_MS / 2)
    await nats.restore()
    const how = await nth(world.cluster.workers, 0).ended()
    return [`it ended with ${how}`]
  }),

  fault('one gateway silent to one worker for 30 s', async (world) => {
    const { grpc } = nth(world.cluster.workers, 0).links
    grpc.lose(['down'], nth(world.cluster.gateways, 0))
    await pause(MINUTE_MS / 2)
    await grpc.restore()
    await pause(5_000)
    return []
  }),
]

type Part = { kill(): Promise<unknown>; start(): Promise<unknown> }

/** Kills at random moments, so that clients are hit while they connect, too. */
function killedAgain(name: string, partOf: (cluster: Cluster) => Part): Scenario {
  const work = async ({ cluster }: World) => {
    const part = partOf(cluster)
    const from = performance.now()
    let kills = 0
    for (; performance.now() - from < MINUTE_MS; kills += 1) {
      await part.kill()
      await pause(Math.random() * 500)
      await part.start()
      await pause(Math.random() * 500)
    }
    await pause(5_000)
    return [`${kills} kills`]
  }
  return fault(`${name} killed at any moment for 60 s`, work, { spills: true })
}

/** Measures the spill too: its size, and the time to drain it. */
function spilling(name: string, work: (world: World) => Promise<void>): Scenario {
  const run: Scenario['run'] = async (_, world) => {
    let spilled = 0
    const span = await world.during(async () => {
      await work(world)
    })
    const homeMs = await timed(async () => {
      await until('the spill comes home', async () => {
        const statuses = await Promise.all(
          world.cluster.workers.map((worker) => world.cluster.status(worker)),
        )
        spilled = statuses.reduce((sum, { spill }) => sum + Number(spill?.spilled_events ?? 0), 0)
        return statuses.every(
          ({ spill }) => spill?.connected === true && Number(spill.messages) === 0,
        )
      })
    })
    const recoveredMs = await timed(() => world.recovered())
    return {
      span,
      also: [
        `${spilled} events spilled, home ${seconds(homeMs)} after the end`,
        `all well ${seconds(homeMs + recoveredMs)} after it`,
      ],
    }
  }
  return { name, spills: true, run }
}
