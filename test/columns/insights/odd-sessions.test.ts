import t from 'tap'
import { columnServer, columnStore } from '../../support/columns/column-store.ts'
import { inColumns } from '../../support/columns/copy-project.ts'
import { checkOddSessions } from '../../support/insights/odd-sessions.ts'

t.setTimeout(600_000)

t.test('odd sessions count like others in ClickHouse', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkOddSessions(t, inColumns(store))
})
