/** Redis is a cache: no fault of it makes a request fail, or an answer old. */
import { createConnection } from 'node:net'
import t from 'tap'
import { failuresIn, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

const MEETING_EVENTS = 90

t.test('Redis away, under load', async (t) => {
  const world = await startWorld(t, {
    workers: 2,
    gateways: 2,
    rates: { decide: 40, persons: 4, changes: 2 },
  })
  const { cluster, load } = world
  const { redis } = cluster
  const meets = async (fault: () => void | Promise<void>, heal: () => void | Promise<void>) => {
    const span = await world.during(async () => {
      await fault()
      await world.met(MEETING_EVENTS)
      await heal()
      await world.met(MEETING_EVENTS)
    })
    show(t, world, span)
    return failuresIn(load.journal, span)
  }

  t.test('killed, and started again empty', async (t) => {
    t.strictSame(
      await meets(
        () => redis.kill(),
        () => redis.start(),
      ),
      {},
    )
  })

  t.test('frozen with its connections open, and thawed with what was sent meanwhile', async (t) => {
    const failures = await meets(
      () => redis.freeze(),
      () => redis.thaw(),
    )
    t.strictSame(failures, {})
  })

  t.test('full: it takes nothing new', async (t) => {
    const failures = await meets(
      () => say(redis.port, 'CONFIG SET maxmemory 1'),
      () => say(redis.port, 'CONFIG SET maxmemory 0'),
    )
    t.strictSame(failures, {})
  })

  t.test('out of reach of one worker: what it cannot delete is not used any more', async (t) => {
    const [worker] = cluster.workers
    const failures = await meets(
      () => worker?.links.redis.hold(),
      () => worker?.links.redis.restore(),
    )
    t.strictSame(failures, {})
  })

  t.test('out of reach of one gateway, then slow', async (t) => {
    const [gateway] = cluster.gateways
    const cut = await meets(
      () => gateway?.links.redis.cut(),
      () => gateway?.links.redis.restore(),
    )
    t.strictSame(cut, {})
    const slow = await meets(
      () => gateway?.links.redis.delay(300),
      () => gateway?.links.redis.restore(),
    )
    t.strictSame(slow, {})
  })

  t.test('nothing is lost, and no decide was older than what was acked', async (t) => {
    assertKept(t, await world.finish())
  })
})

/** One command, and its answer. */
function say(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    socket.once('error', reject)
    socket.once('data', (answer) => {
      socket.destroy()
      if (String(answer).startsWith('+OK')) resolve()
      else reject(new Error(`${command}: ${String(answer)}`))
    })
  })
}
