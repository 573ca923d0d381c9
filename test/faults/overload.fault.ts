/** More captures than can be stored: the surplus is refused soon, and other calls do not suffer. */
import t from 'tap'
import { LoadRun } from '../../bench/load/load-run.ts'
import { createCaptureSource } from '../../bench/load/workload/payload.ts'
import { createPrng } from '../../bench/load/workload/prng.ts'
import { systemClock as clock } from '../../src/core/clock.ts'
import { pause, until } from '../support/until.ts'
import { noteAll } from './harness/journal.ts'
import { anyOf } from './harness/load.ts'
import { nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

const FLOOD_MS = 8_000
/** More requests than a gateway holds while its worker seldom runs. */
const CONNECTIONS = 4_000
const EVENT = 'flood'

t.test('a flood of captures of one project at a worker that seldom runs', async (t) => {
  const world = await startWorld(t, {
    ...{ workers: 1, gateways: 1, projects: 2 },
    rates: { capture: 10, batch: 2, decide: 10, changes: 0.5, persons: 0 },
  })
  const { cluster, load } = world
  const [worker, gateway] = [nth(cluster.workers, 0), nth(cluster.gateways, 0)]
  const project = anyOf(world.projects)
  const { hostname, port, host } = new URL(gateway.url)
  const source = createCaptureSource(
    {
      ...{ apiKeys: [project.projectKey], eventName: EVENT, batch: 1, seed: 1 },
      ...{ distinctIds: 1_000, zipfExponent: undefined, properties: 10, valueBytes: 16 },
      ...{ shape: 'plain', gzipShare: 0, uuidVersion: 7 },
    },
    { host, path: '/capture/' },
  )
  const flood = new LoadRun(
    { clock, prng: createPrng(1), source },
    {
      ...{ target: { host: hostname, port: Number(port) }, connections: CONNECTIONS },
      ...{ model: { kind: 'closed' }, timeoutMs: 60_000, backlogMax: 1 },
    },
  )
  await flood.connect()
  t.teardown(() => flood.close())

  let accepted = 0
  t.test('is answered with 200 or with 503 and Retry-After, and decides go on', async (t) => {
    let isOver = false
    const starve = async () => {
      while (!isOver) {
        worker.freeze()
        await pause(100)
        worker.thaw()
        await pause(50)
      }
    }
    const span = await world.during(async () => {
      const starving = starve()
      const { tally } = await flood.phase({ durationMs: FLOOD_MS })
      isOver = true
      await starving
      const { refused, failed, invalid, timeout, reset, protocol, shed } = tally.counts
      t.strictSame(
        { refused, failed, invalid, timeout, reset, protocol },
        { refused: 0, failed: 0, invalid: 0, timeout: 0, reset: 0, protocol: 0 },
      )
      t.ok(shed > 0, 'what is too much is refused')
      t.equal(tally.shedWithoutRetryAfter, 0)
      accepted = tally.counts.accepted
      t.ok(accepted > 0, 'and the rest is taken')
    })
    show(t, world, span)
    const { decide } = world.figures(span)
    t.ok(decide.attempts > 0)
    t.equal(decide.failed, 0, 'each decide is answered')
  })

  t.test('and when it is over everything is taken again', async (t) => {
    flood.close()
    await world.recovered()
    const since = load.journal.attempts.length
    await until('captures are sent', () => load.journal.attempts.length > since + 50)
    const after = load.journal.attempts.slice(since).filter(({ kind }) => kind === 'capture')
    t.ok(after.every(({ status }) => status === 200))
  })

  t.test('and nothing that was acked is lost', async (t) => {
    await world.spillIsEmpty()
    const stored = await cluster.database.sql<{ uuid: string }[]>`
      select uuid::text from events where event = ${EVENT}`
    t.ok(stored.length >= accepted, `${stored.length} of ${accepted} are stored`)
    // The journal does not know the events of the flood by itself.
    noteAll(
      load.journal.attempted,
      project.id,
      stored.map(({ uuid }) => uuid),
    )
    assertKept(t, await world.finish(), { mayShed: true })
  })
})
