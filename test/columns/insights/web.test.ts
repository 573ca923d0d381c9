/** Questions about sites, to the events in ClickHouse. `SEED=n` tries others, `WORLDS=n` more. */
import t from 'tap'
import { columnServer, columnStore } from '../../support/columns/column-store.ts'
import { inColumns } from '../../support/columns/copy-project.ts'
import { checkWeb } from '../../support/insights/check-web.ts'

const seed = Number(process.env['SEED'] ?? 7)
const worlds = Number(process.env['WORLDS'] ?? 20)

t.setTimeout(600_000)

t.test('sites are counted in ClickHouse as by the reference evaluator', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkWeb(t, { worlds, questions: 5, seed }, inColumns(store))
})
