/** A worker's turns in a process of their own, which ends itself at a failpoint. */
import { failpointsOf } from '../../../src/core/failpoint.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { sendsOver } from './subscriptions.ts'

const [database = '', failpoints = ''] = process.argv.slice(2)
const sql = createSql(database, { applicationName: 'sends', connectionsMax: 3, log })
const read = failpointsOf(failpoints)
if (!read.ok) throw new Error(read.error)
await sendsOver(sql, { failpoints: read.value }).sendDue(new AbortController().signal)
await sql.end()
