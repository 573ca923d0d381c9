/** Crashes at the points of the code that matter, by the setting FAILPOINTS. */
import t, { type Test } from 'tap'
import type { FailpointName } from '../../src/core/failpoint.ts'
import { settled } from '../support/servers/cluster-processes.ts'
import { until } from '../support/until.ts'
import { nth } from './harness/report.ts'
import { assertKept, startWorld, type World } from './harness/world.ts'

/** Failpoints that a worker with shards reaches when the trigger comes. */
const TRIGGERED: ReadonlySet<FailpointName> = new Set([
  'mid-handoff',
  'after-spill-ack',
  'before-drain-ack',
])

/** Restarts the second worker with a crash at `point`, which `trigger` leads to; then without. */
async function crashAt(
  t: Test,
  { cluster, recovered }: World,
  point: FailpointName,
  trigger: () => Promise<unknown>,
): Promise<void> {
  const worker = nth(cluster.workers, 1)
  await worker.term()
  await settled(cluster)
  const FAILPOINTS = `${point}=crash`
  // At some points the worker ends before it is ready.
  const started = worker.start({ FAILPOINTS }).then(() => 'ready', String)
  if (TRIGGERED.has(point)) {
    await started
    await settled(cluster)
  }
  await trigger()
  const how = (await started) === 'ready' ? await worker.ended() : await started
  t.match(how, /SIGKILL/, `it crashed at ${point}`)
  // At once, as its supervisor would: the others hear of its end by its successor.
  await worker.start()
  await settled(cluster)
  await recovered()
}

t.test('crashes at the worst moments, under load', async (t) => {
  const world = await startWorld(t, { workers: 2, gateways: 1, rates: { capture: 40 } })
  const { cluster, load } = world
  const { pg } = cluster.database
  const nothing = async () => {}

  t.test('after events are in the spill, before their answer', async (t) => {
    await load.set({ persons: false })
    await crashAt(t, world, 'after-spill-ack', async () => {
      await world.recovered()
      await pg.kill('SIGKILL')
      try {
        await until('it crashed', () => !nth(cluster.workers, 1).isUp)
      } finally {
        await pg.restart()
      }
    })
  })

  t.test('after events of the spill are stored, before they leave it', async (t) => {
    const worker = nth(cluster.workers, 1)
    await crashAt(t, world, 'before-drain-ack', async () => {
      await world.recovered()
      // The other worker may drain the whole spill alone.
      while (worker.isUp) {
        await pg.kill('SIGKILL')
        await world.met(200)
        await pg.restart()
        await Promise.race([worker.ended(), world.spillIsEmpty()])
      }
    })
  })

  t.test('between the decision to claim and the claim', async (t) => {
    await crashAt(t, world, 'before-epoch-claim', nothing)
  })

  t.test('between the claim and the load of a shard', async (t) => {
    await crashAt(t, world, 'after-claim-before-load', nothing)
  })

  t.test('in the middle of a hand-off', async (t) => {
    await crashAt(t, world, 'mid-handoff', async () => {
      const worker = nth(cluster.workers, 1)
      // The worker ends in the middle of the call.
      await cluster.admin('Drain', { node: worker.address }, worker).catch(nothing)
    })
  })

  t.test('after the commit of events, before their answer', async (t) => {
    // By now the spilled events of the dead worker are delivered again.
    await world.spillIsEmpty()
    await load.set({ persons: true })
    await crashAt(t, world, 'after-insert-before-ack', nothing)
  })

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    assertKept(t, await world.finish())
  })
})
