/** Questions about properties of sessions, to the events in ClickHouse. `SEED=n` tries others. */
import t from 'tap'
import { columnServer, columnStore } from '../../support/columns/column-store.ts'
import { inColumns } from '../../support/columns/copy-project.ts'
import { checkBySession } from '../../support/insights/by-session.ts'

const seed = Number(process.env['SEED'] ?? 7)
const worlds = Number(process.env['WORLDS'] ?? 20)

t.setTimeout(600_000)

t.test('sessions of events in ClickHouse are those of the reference evaluator', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkBySession(t, { worlds, questions: 6, seed }, inColumns(store))
})
