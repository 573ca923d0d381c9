/** NATS ends, forgets everything, or is out of reach of one worker. */
import { connect } from 'nats'
import t from 'tap'
import { clusterSubjects } from '../../cluster/nats/subjects.ts'
import { settled } from '../support/servers/cluster-processes.ts'
import { until } from '../support/until.ts'
import { failuresIn, nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

/** Longer than it takes to declare a member dead. */
const AWAY_EVENTS = 400

t.test('NATS away, under load', async (t) => {
  const world = await startWorld(t, { workers: 2, gateways: 2 })
  const { cluster, load } = world
  const ids = async () => {
    const { members } = await cluster.status()
    return members.map(({ id }) => id).sort()
  }

  t.test('stopped and back: nothing fails, nobody leaves, no shard moves', async (t) => {
    const [before, claims] = [await ids(), world.epochs.claims()]
    const span = await world.during(async () => {
      await cluster.nats.kill()
      await cluster.waitFor('the view is frozen', ({ membership }) => membership === 'frozen')
      await world.met(AWAY_EVENTS)
      await cluster.nats.start()
      await cluster.waitFor('it is back', ({ membership }) => membership === 'connected')
      await settled(cluster)
    })
    show(t, world, span)
    t.strictSame(failuresIn(load.journal, span), {})
    t.strictSame(await ids(), before)
    t.equal(world.epochs.claims(), claims)
  })

  t.test('wiped: the same members and shards go on', async (t) => {
    const span = await world.during(async () => {
      await cluster.nats.kill()
      cluster.nats.wipe()
      await cluster.nats.start()
      await cluster.waitFor('it is back', ({ membership }) => membership === 'connected')
      await settled(cluster)
      await world.recovered()
    })
    show(t, world, span)
    t.strictSame(failuresIn(load.journal, span), {})
    const late = await cluster.add('gateway')
    await late.start()
    world.aim(cluster.gateways)
    await world.recovered()
  })

  t.test('a renewal that was kept and not confirmed: the worker stays a member', async (t) => {
    const worker = nth(cluster.workers, 0)
    const before = await ids()
    for (let round = 0; round < 3; round += 1) {
      const hit = worker.links.nats.hit()
      worker.links.nats.hold(['down'])
      await until('an answer is held', () => worker.links.nats.hit() > hit)
      await world.met(20)
      await worker.links.nats.restore()
      await world.met(20)
    }
    t.strictSame(await ids(), before)
    await settled(cluster)
  })

  t.test(
    'out of reach of one worker: the other takes its shards, and it ends itself',
    async (t) => {
      const worker = nth(cluster.workers, 0)
      const span = await world.during(async () => {
        worker.links.nats.hold()
        const other = nth(cluster.workers, 1)
        await until('the other owns every shard', async () => {
          const { members } = await cluster.status(other)
          return members.some(({ address, shards }) => address === other.address && shards === 256)
        })
        await world.met(100)
        await world.recovered()
      })
      show(t, world, span)
      await worker.links.nats.restore()
      t.equal(await worker.ended(), 1)
      await worker.start()
      await settled(cluster)
      await world.recovered()
    },
  )

  t.test(
    'the key of a member deleted by hand: it is made again, and no event or decide fails',
    async (t) => {
      const connection = await connect({ servers: cluster.nats.url })
      const { membersBucket } = clusterSubjects('sluice')
      const bucket = await connection.jetstream().views.kv(membersBucket, { bindOnly: true })
      const before = await ids()
      const { members } = await cluster.status()
      const span = await world.during(async () => {
        for (const { id, role } of members) {
          await bucket.delete(`${role}.${id}`)
          await until('its key is there again', async () => {
            const entry = await bucket.get(`${role}.${id}`)
            return entry?.operation === 'PUT'
          })
        }
        await connection.close()
        await settled(cluster)
        await world.recovered()
      })
      show(t, world, span)
      // A deleted key says that its member has left: a shard may be taken from an owner who is there,
      // and a change of its project that is fenced has no effect and is to be tried again.
      const failed = Object.keys(failuresIn(load.journal, span))
      t.strictSame(
        failed.filter((name) => !/^change at \S+ 503 service_unavailable/.test(name)),
        [],
      )
      t.strictSame(await ids(), before)
    },
  )

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    assertKept(t, await world.finish())
  })
})
