/** Kills and freezes at random, from a seed that is printed. */
import { createPrng } from '../../../bench/load/workload/prng.ts'
import { settled } from '../../support/servers/cluster-processes.ts'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { pause, until } from '../../support/until.ts'
import { nth } from '../harness/report.ts'
import type { World } from '../harness/world.ts'
import type { Scenario } from './scenarios.ts'

const ROUNDS = 24
const GAP_MS_MAX = 3_000
const AWAY_MS_MAX = 4_000

type Chance = {
  /** 0 to 1. */
  random(): number
  pick<T>(values: readonly T[]): T
}

/** `seed` repeats a loop's choices; the timing of the processes is their own. */
export function killLoop(seed: number): Scenario {
  return {
    name: `${ROUNDS} kills and freezes at random (seed ${seed})`,
    spills: true,
    run: async (t, world) => {
      t.comment(`SEED=${seed}`)
      const chance = chanceOf(seed)
      const done: Record<string, number> = {}
      const span = await world.during(async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          await pause(chance.random() * GAP_MS_MAX)
          const name = await strike(world, chance)
          done[name] = (done[name] ?? 0) + 1
          t.comment(`${round + 1}: ${name}`)
          await mend(world)
        }
      })
      const struck = Object.entries(done).map(([name, times]) => `${times} ${name}`)
      return { span, also: [struck.join(', ')] }
    },
  }
}

async function strike(world: World, { random, pick }: Chance): Promise<string> {
  const { cluster } = world
  const awayMs = random() * AWAY_MS_MAX
  const kind = pick(['worker', 'worker', 'gateway', 'nats', 'postgres', 'redis', 'frozen', 'two'])
  const { pg } = cluster.database
  switch (kind) {
    case 'worker':
      await bounce(pick(cluster.workers), awayMs)
      return 'workers killed'
    case 'gateway': {
      const gateway = pick(cluster.gateways)
      world.aim(cluster.gateways.filter((other) => other !== gateway))
      await bounce(gateway, awayMs)
      world.aim(cluster.gateways)
      return 'gateways killed'
    }
    case 'nats':
      await cluster.nats.kill()
      await pause(awayMs)
      await cluster.nats.start()
      return 'NATS killed'
    case 'redis':
      await cluster.redis.kill()
      await pause(awayMs)
      await cluster.redis.start()
      return 'Redis killed'
    case 'postgres':
      await pg.kill('SIGKILL')
      await pause(awayMs)
      await pg.restart()
      return 'Postgres killed'
    case 'frozen': {
      const worker = pick(cluster.workers)
      worker.freeze()
      await pause(awayMs * 2)
      worker.thaw()
      return 'workers frozen'
    }
    default:
      await Promise.all([
        bounce(nth(cluster.workers, 0), awayMs),
        bouncePostgres(world, awayMs / 2),
      ])
      return 'Postgres and a worker killed'
  }
}

async function bounce(member: ClusterMember, awayMs: number): Promise<void> {
  await member.kill()
  await pause(awayMs)
  await startAgain(member)
}

/** Starts a worker until it stays up: without a database it ends at its start. */
async function startAgain(member: ClusterMember): Promise<void> {
  await until(`${member.name} starts`, () =>
    member.start().then(
      () => true,
      (error: unknown) => {
        if (String(error).includes('ended with 1')) return false
        throw error
      },
    ),
  )
}

async function bouncePostgres({ cluster }: World, awayMs: number): Promise<void> {
  await cluster.database.pg.kill('SIGKILL')
  await pause(awayMs)
  await cluster.database.pg.restart()
}

/** Restarts members that ended themselves, as their supervisor would. */
async function mend(world: World): Promise<void> {
  const { cluster } = world
  await pause(500)
  await Promise.all(cluster.workers.filter(({ isUp }) => !isUp).map(startAgain))
  await settled(cluster)
  await world.recovered()
}

function chanceOf(seed: number): Chance {
  const prng = createPrng(seed)
  const random = () => prng.uint32() / 2 ** 32
  return {
    random,
    pick: (values) => {
      const value = values[Math.floor(random() * values.length)]
      if (value === undefined) throw new Error('nothing to choose from')
      return value
    },
  }
}
