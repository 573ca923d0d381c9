/** A worker's checks in a process of their own, which ends itself at a failpoint. */
import { failpointsOf } from '../../../src/core/failpoint.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { checksOver } from './alerts.ts'

const [database = '', failpoints = ''] = process.argv.slice(2)
const sql = createSql(database, { applicationName: 'checks', connectionsMax: 3, log })
const read = failpointsOf(failpoints)
if (!read.ok) throw new Error(read.error)
await checksOver(sql, { failpoints: read.value }).checkDue(new AbortController().signal)
await sql.end()
