/** Postgres ends, hangs, is slow, is full, or is out of reach of one worker. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { failuresOf, nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

const EVENTS = ['capture', 'batch'] as const
const READS = ['capture', 'batch', 'decide'] as const

t.test('Postgres away, under load', async (t) => {
  const world = await startWorld(t, { workers: 2, gateways: 1 })
  const { cluster, load } = world
  const { pg, sql } = cluster.database
  const gateway = nth(cluster.gateways, 0)
  const [project] = world.projects
  if (project === undefined) throw new Error('no project')
  // Spilled events are acked, and decide does not see them before they are stored.
  await load.set({ persons: false })
  const isOpen = () =>
    cluster.waitFor('the breaker is open', ({ spill }) => spill?.breaker === 'open')
  /** Runs without changes, which would wait for a hanging database as long as clients do. */
  const withoutChanges = async (work: () => Promise<void>) => {
    await load.set({ changes: false })
    await work()
    await load.set({ changes: true })
  }
  const home = async () => {
    await world.recovered()
    await world.spillIsEmpty()
  }

  t.test('stopped and back: capture and decide go on, the spill comes home', async (t) => {
    const span = await world.during(async () => {
      await pg.kill('SIGKILL')
      await isOpen()
      await world.met(200)
      const lists = `${gateway.url}/api/projects/${project.id}/feature_flags/`
      t.equal((await request(lists, { key: project.personalKey })).status, 503, 'lists')
      const body = { api_key: 'phc_nobody_has_this_key', event: 'x', distinct_id: 'x' }
      const unknown = await request(`${gateway.url}/capture/`, { body })
      t.match(unknown, { status: 503, body: { code: 'fetch_team_fail' } })
      await pg.restart()
    })
    show(t, world, span)
    t.strictSame(failuresOf(load.journal, span, READS), {})
    await home()
  })

  t.test('killed again and again, at any point of a commit', async (t) => {
    const span = await world.during(async () => {
      for (let round = 0; round < 3; round += 1) {
        await pg.kill('SIGKILL')
        await pg.restart()
        await world.met(60)
      }
    })
    show(t, world, span)
    t.strictSame(failuresOf(load.journal, span, EVENTS), {})
    await home()
  })

  t.test('frozen and thawed: events spill, connections stay open', async (t) => {
    const span = await world.during(() =>
      withoutChanges(async () => {
        await pg.freeze()
        await isOpen()
        await world.met(100)
        await pg.resume()
      }),
    )
    show(t, world, span)
    t.strictSame(failuresOf(load.journal, span, EVENTS), {})
    await home()
  })

  t.test('slow: half of the time it stands still', async (t) => {
    const span = await world.during(async () => {
      for (let round = 0; round < 6; round += 1) {
        await pg.freeze()
        await world.met(15)
        await pg.resume()
        await world.met(15)
      }
    })
    show(t, world, span)
    t.strictSame(failuresOf(load.journal, span, EVENTS), {})
    await home()
  })

  t.test(
    'full: what it refuses for want of space goes to the spill, not to dead letters',
    async (t) => {
      const span = await world.during(async () => {
        await sql.unsafe(`
        create function no_space() returns trigger language plpgsql as $$
        begin raise exception 'no space left on device' using errcode = '53100'; end $$;
        create trigger no_space before insert on events
        for each statement execute function no_space()`)
        await isOpen()
        await world.met(100)
        await sql.unsafe('drop trigger no_space on events; drop function no_space')
      })
      show(t, world, span)
      t.strictSame(failuresOf(load.journal, span, EVENTS), {})
      await home()
    },
  )

  t.test('out of reach of one worker: it spills, and its events come home', async (t) => {
    const worker = nth(cluster.workers, 0)
    for (const cut of [() => worker.links.postgres.cut(), () => worker.links.postgres.hold()]) {
      const span = await world.during(() =>
        withoutChanges(async () => {
          await cut()
          await until('its breaker is open', async () => {
            const { spill } = await cluster.status(worker)
            return spill?.breaker === 'open'
          })
          await world.met(60)
          await worker.links.postgres.restore()
        }),
      )
      show(t, world, span)
      t.strictSame(failuresOf(load.journal, span, EVENTS), {})
      await home()
    }
  })

  t.test('Postgres and NATS down: 503 with Retry-After, and no restart is needed', async (t) => {
    const span = await world.during(async () => {
      await Promise.all([pg.kill('SIGKILL'), cluster.nats.kill()])
      await until('capture is refused', async () => {
        const body = { api_key: project.projectKey, event: 'refused', distinct_id: 'x' }
        const { status, headers } = await request(`${gateway.url}/capture/`, { body })
        return status === 503 && Number(headers.get('retry-after')) >= 1
      })
      await world.met(50)
      await Promise.all([pg.restart(), cluster.nats.start()])
      await world.recovered()
    })
    show(t, world, span)
    await home()
  })

  t.test('nothing that was acked is lost, doubled or taken back', async (t) => {
    await load.set({ persons: true })
    await world.met(40)
    assertKept(t, await world.finish())
  })
})
