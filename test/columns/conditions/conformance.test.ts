/** The vectors of single conditions through HTTP, where ClickHouse answers for events. */
import t from 'tap'
import { columnServer, freshDatabase } from '../../support/columns/column-store.ts'
import {
  type Tried,
  tryEvents,
  tryFlags,
  tryTrends,
  ZONES,
} from '../../support/conditions/conformance.ts'
import { startStandalone } from '../../support/servers/product.ts'

t.setTimeout(600_000)

const server = await columnServer(t)

t.test('conditions where ClickHouse answers', async (t) => {
  const database = await freshDatabase(t, server)
  const product = await startStandalone(t, { EVENTS_URL: database })
  const tried: Tried[] = []
  for (const zone of ZONES) tried.push(await tryFlags(t, product, zone))
  await t.test('trends count the persons and groups that a flag is on for', async (t) => {
    for (const each of tried) await tryTrends(t, each, 'clickhouse')
  })
  await t.test('lists of events find them', async (t) => {
    for (const each of tried) await tryEvents(t, each)
  })
})
