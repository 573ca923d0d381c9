import t from 'tap'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { checkVectors } from '../support/insights/vectors.ts'

t.test('the vectors of the specification hold of events in ClickHouse', async (t) => {
  const store = await columnStore(t, await columnServer(t))
  await checkVectors(t, inColumns(store))
})
