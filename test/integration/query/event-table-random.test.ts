import t from 'tap'
import { checkRandomTables } from '../../support/query/random-tables.ts'

// More of them in event-tables.fault.ts.
t.test('no expression makes the database fail', (t) =>
  checkRandomTables(t, { sensible: 200, others: 600 }),
)
