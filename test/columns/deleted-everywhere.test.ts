/** A deleted person is in no store of a whole cluster that has a copy of its events in ClickHouse. */
import t from 'tap'
import { columnServer, freshDatabase } from '../support/columns/column-store.ts'
import { everywhere } from '../support/privacy/everywhere-suite.ts'

t.setTimeout(600_000)

everywhere(t, async (t) => await freshDatabase(t, await columnServer(t)))
