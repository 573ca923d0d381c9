import t from 'tap'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import { countParts } from '../../../src/clickhouse/parts.ts'

const failing = (error: Error) => ({ database: 'd', rows: () => Promise.reject(error) })

t.test('a user who may not know of parts keeps the copy all the same', async (t) => {
  const refused = new ColumnError('refused', 'ACCESS_DENIED: grant SELECT ON system.parts')
  t.equal(await countParts(failing(refused)), undefined)
})

t.test('other failures are those of the copy', async (t) => {
  const away = new ColumnError('unreachable', 'ClickHouse does not answer')
  await t.rejects(countParts(failing(away)), away)
})
