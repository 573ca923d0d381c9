/** Planned moves under load: scaling out, draining, rolling restarts, a second process of one address. */
import t from 'tap'
import { ownsAll, settled } from '../support/servers/cluster-processes.ts'
import { until } from '../support/until.ts'
import { failuresIn, nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

t.test('shards that move under load', async (t) => {
  const world = await startWorld(t, { workers: 1, gateways: 2, rates: { changes: 2 } })
  const { cluster, load } = world

  t.test('a second worker takes its share, and no request fails', async (t) => {
    const claims = world.epochs.claims()
    const span = await world.during(async () => {
      const worker = await cluster.add('worker')
      await worker.start()
      await settled(cluster)
      await world.recovered()
    })
    show(t, world, span)
    t.strictSame(failuresIn(load.journal, span), {})
    const moved = world.epochs.claims() - claims
    t.ok(moved > 0 && moved <= 256 * (1 / 2 + 0.1), `${moved} shards moved`)
  })

  t.test('every worker drained and restarted in turn: no request fails', async (t) => {
    const span = await world.during(async () => {
      for (const worker of cluster.workers) {
        const { code, stderr } = await cluster.sluice(['drain', worker.address], worker)
        t.equal(code, 0, stderr)
        await cluster.waitFor('it is drained', ({ members }) =>
          members.some(
            ({ address, state, shards }) =>
              address === worker.address && state === 'drained' && shards === 0,
          ),
        )
        t.equal(await worker.term(), 0)
        await worker.start()
        await settled(cluster)
      }
    })
    show(t, world, span)
    t.strictSame(failuresIn(load.journal, span), {})
  })

  t.test('SIGTERM to every worker in turn: no request fails', async (t) => {
    const span = await world.during(async () => {
      for (const worker of cluster.workers) {
        t.equal(await worker.term(), 0)
        await settled(cluster)
        await worker.start()
        await settled(cluster)
      }
    })
    show(t, world, span)
    t.strictSame(failuresIn(load.journal, span), {})
  })

  t.test('a second process with the address of the first: the newer wins', async (t) => {
    const older = nth(cluster.workers, 1)
    const newer = await cluster.add('worker', { ADVERTISE_ADDRESS: older.address })
    // The address leads to the current member.
    const started = newer.start()
    t.equal(await older.ended(), 1)
    t.match(
      older.lines.filter(({ level }) => level === 'error').map(({ message }) => message),
      [/address/],
    )
    await older.links.grpc.restore()
    older.links.grpc.aim({ port: Number(newer.grpcAddress.split(':')[1]) })
    await started
    const addresses = cluster.workers.filter(({ isUp }) => isUp).map(({ address }) => address)
    await cluster.waitFor('it owns its share', (status) => ownsAll(status, addresses))
    await world.recovered()
  })

  t.test('status names every member, its shards and what is wrong', async (t) => {
    const { code, stdout } = await cluster.sluice(['status', '--json'])
    t.equal(code, 0)
    const status = JSON.parse(stdout)
    t.equal(status.members.length, 4)
    t.strictSame(status.problems, [])
    await until('the balancer may send to every gateway', async () => {
      const answers = await Promise.all(
        cluster.gateways.map(({ adminPort }) => fetch(`http://127.0.0.1:${adminPort}/readyz`)),
      )
      return answers.every((answer) => answer.status === 200)
    })
  })

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    assertKept(t, await world.finish())
  })
})
