/** The vectors of single conditions through HTTP, where ClickHouse answers questions about events. */
import t from 'tap'
import { columnServer, freshDatabase } from '../../support/columns/column-store.ts'
import { type Tried, tryFlags, tryTrends, ZONES } from '../../support/conditions/conformance.ts'
import { startStandalone } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'

t.setTimeout(600_000)

const server = await columnServer(t)

t.test('trends of ClickHouse count the persons that a flag is on for', async (t) => {
  const database = await freshDatabase(t, server)
  const product = await startStandalone(t, { EVENTS_URL: database, EVENTS_READ_FROM: '0' })
  const tried: Tried[] = []
  for (const zone of ZONES) tried.push(await tryFlags(t, product, zone))
  const ports = { GRPC_PORT: String(product.process.ports.grpc) }
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', ...ports }
  const moved = await runCommand(['events', 'move', '--to', 'clickhouse'], settings)
  t.equal(moved.status, 0, moved.stderr.toString())
  for (const each of tried) await tryTrends(t, each, 'clickhouse')
})
