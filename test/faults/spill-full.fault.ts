/** The spill has a bound: over it capture is refused, and what is in it is kept. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { noteAll } from './harness/journal.ts'
import { anyOf } from './harness/load.ts'
import { nth, show } from './harness/report.ts'
import { assertKept, startWorld } from './harness/world.ts'

t.test('a spill that is full', async (t) => {
  const world = await startWorld(t, {
    workers: 1,
    gateways: 1,
    settings: { SPILL_BYTES_MAX: '1048576' },
    rates: { capture: 150, batch: 40, changes: 0.5, persons: 0 },
  })
  const { cluster, load } = world
  const gateway = nth(cluster.gateways, 0)
  const project = anyOf(world.projects)

  t.test('refuses with 503, and keeps what it has', async (t) => {
    const span = await world.during(async () => {
      await cluster.database.pg.kill('SIGKILL')
      const properties = { filler: 'x'.repeat(100_000) }
      await until('capture is refused', async () => {
        const uuid = randomUUID()
        const event = { event: 'load', distinct_id: 'f', uuid, properties }
        noteAll(load.journal.attempted, project.id, [uuid])
        const body = { api_key: project.projectKey, ...event }
        const { status } = await request(`${gateway.url}/capture/`, { body })
        if (status === 200) noteAll(load.journal.acked, project.id, [uuid])
        return status === 503
      })
      await cluster.waitFor('the spill is full', ({ spill }) => Number(spill?.bytes ?? 0) > 800_000)
      await until('clients of the load are refused', () =>
        load.journal.attempts.slice(-50).some(({ status }) => status === 503),
      )
      const metrics = await fetch(`http://127.0.0.1:${nth(cluster.workers, 0).adminPort}/metrics`)
      t.match(await metrics.text(), /^sluice_\w*spill\w*/m)
      await cluster.database.pg.restart()
      await world.recovered()
    })
    show(t, world, span)
  })

  t.test('and nothing that was acked is lost', async (t) => {
    assertKept(t, await world.finish())
  })
})
