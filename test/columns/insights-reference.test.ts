/**
 * Questions to the events in ClickHouse are answered as the reference evaluator answers them. Always
 * the same worlds, so that a failure comes from the change; `SEED=n` tries others, `WORLDS=n` more.
 */
import t from 'tap'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { checkAgainstReference } from '../support/insights/check.ts'

const seed = Number(process.env['SEED'] ?? 7)
const worlds = Number(process.env['WORLDS'] ?? 15)

t.setTimeout(600_000)

t.test('answers out of ClickHouse are those of the reference evaluator', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkAgainstReference(t, { worlds, questions: 5, seed }, inColumns(store))
})
