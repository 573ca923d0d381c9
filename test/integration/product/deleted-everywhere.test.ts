/** A deleted person is in no store of a whole cluster, by a list of all stores. */
import t from 'tap'
import { everywhere } from '../../support/privacy/everywhere-suite.ts'

t.setTimeout(600_000)

everywhere(t, async () => undefined)
