/** Workers and gateways that end, or freeze, under load. */
import t from 'tap'
import { settled } from '../support/servers/cluster-processes.ts'
import { failuresIn, failuresOf, nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

const EVENTS = ['capture', 'batch'] as const

t.test('processes that are killed or frozen under load', async (t) => {
  const world = await startWorld(t, { workers: 3, gateways: 2 })
  const { cluster, load } = world
  const memberAt = async (address: string) => {
    const { members } = await cluster.status()
    return members.find((member) => member.address === address)?.id
  }

  t.test(
    'a worker killed: the others take its shards, and give some when it is back',
    async (t) => {
      const worker = nth(cluster.workers, 0)
      const span = await world.during(async () => {
        await worker.kill()
        await world.recovered()
        await settled(cluster)
      })
      show(t, world, span)
      t.strictSame(failuresOf(load.journal, span, EVENTS), {}, 'events go to another one')
      await worker.start()
      await settled(cluster)
      await world.recovered()
    },
  )

  t.test('a worker frozen until others have its shards: it wakes, and ends itself', async (t) => {
    const worker = nth(cluster.workers, 1)
    const span = await world.during(async () => {
      worker.freeze()
      await settled(cluster)
      await world.recovered()
    })
    show(t, world, span)
    worker.thaw()
    t.equal(await worker.ended(), 1)
    t.ok(
      worker.lines.some(({ level }) => level === 'error'),
      'and says why',
    )
    await worker.start()
    await settled(cluster)
    await world.recovered()
  })

  t.test('a worker frozen for a moment, again and again, stays a member', async (t) => {
    const worker = nth(cluster.workers, 2)
    const before = await memberAt(worker.address)
    for (let round = 0; round < 3; round += 1) {
      worker.freeze()
      await world.met(20)
      worker.thaw()
      await world.recovered()
    }
    t.equal(await memberAt(worker.address), before)
  })

  t.test('a gateway killed: only its own connections fail', async (t) => {
    const killed = nth(cluster.gateways, 0)
    const span = await world.during(async () => {
      await killed.kill()
      world.aim(cluster.gateways.filter((gateway) => gateway !== killed))
      await world.recovered()
    })
    show(t, world, span)
    const elsewhere = Object.keys(failuresIn(load.journal, span)).filter(
      (name) => !name.includes(killed.name),
    )
    t.strictSame(elsewhere, [], 'the other gateway answers everything')
    await killed.start()
    world.aim(cluster.gateways)
    await world.recovered()
  })

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    assertKept(t, await world.finish())
  })
})
