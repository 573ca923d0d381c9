/** Links between members that are cut, silent one way, or late. */
import t from 'tap'
import { settled } from '../support/servers/cluster-processes.ts'
import { until } from '../support/until.ts'
import { nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

t.test('links between members, under load', async (t) => {
  const world = await startWorld(t, { workers: 2, gateways: 2 })
  const { cluster } = world
  const worker = nth(cluster.workers, 0)
  const gateway = nth(cluster.gateways, 0)
  const { grpc } = worker.links
  const members = async () => (await cluster.status()).members.map(({ id }) => id).sort()

  t.test('one gateway cut from one worker: it asks the other, and nobody leaves', async (t) => {
    const before = await members()
    const span = await world.during(async () => {
      await grpc.cut(gateway)
      await world.met(100)
      await world.recovered()
      await grpc.restore()
    })
    show(t, world, span)
    t.strictSame(await members(), before)
    await world.recovered()
  })

  t.test('answers of one worker do not reach one gateway: nothing is stored twice', async (t) => {
    const before = await members()
    const span = await world.during(async () => {
      const hit = grpc.hit()
      grpc.lose(['down'], gateway)
      await until('answers are lost', () => grpc.hit() > hit)
      await world.met(100)
      await world.recovered()
      await grpc.restore()
    })
    show(t, world, span)
    t.strictSame(await members(), before)
    await world.recovered()
  })

  t.test('a message of a gateway arrives late: nothing is taken back', async (t) => {
    const span = await world.during(async () => {
      const hit = grpc.hit()
      grpc.hold(['up'], gateway)
      await until('requests are held', () => grpc.hit() > hit)
      await world.met(100)
      await grpc.restore()
    })
    show(t, world, span)
    await world.recovered()
  })

  t.test(
    'a worker out of reach of everyone, and NATS is not: it serves what it owns again',
    async (t) => {
      const span = await world.during(async () => {
        grpc.hold()
        await world.met(100)
        await grpc.restore()
        await settled(cluster)
      })
      show(t, world, span)
      await world.recovered()
    },
  )

  t.test('a gateway that hears of members late: whoever it asks passes the call on', async (t) => {
    const span = await world.during(async () => {
      gateway.links.nats.delay(3_000)
      await cluster.admin('Drain', { node: worker.address })
      await world.recovered()
      await worker.term()
      await worker.start()
      await settled(cluster)
      await world.recovered()
      await gateway.links.nats.restore()
    })
    show(t, world, span)
  })

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    assertKept(t, await world.finish())
  })
})
