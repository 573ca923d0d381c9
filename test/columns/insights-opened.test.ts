import t from 'tap'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { checkOpened } from '../support/query/opened-worlds.ts'

t.setTimeout(600_000)

t.test('numbers out of ClickHouse open to the actors that Postgres has behind them', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkOpened(t, inColumns(store))
})
