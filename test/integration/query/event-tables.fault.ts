/** The long forms of event-table-random and event-table-bounds: seconds of processor for each hundred. */
import t from 'tap'
import { checkPagesAreCut } from '../../support/query/page-bytes.ts'
import { checkRandomTables } from '../../support/query/random-tables.ts'

t.test('no expression makes the database fail, of many', (t) =>
  checkRandomTables(t, { sensible: 1_000, others: 3_000 }),
)

t.test('a page of as many columns as there may be is cut by its bytes', (t) =>
  checkPagesAreCut(t, 32),
)
