/** A process that keeps the copy of events, for tests that kill it: database and ClickHouse as URLs. */
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { startReplicator } from './replication.ts'

const [database = '', events = ''] = process.argv.slice(2)
const sql = createSql(database, { applicationName: 'replicator', connectionsMax: 3, log })
// It ends with its parent.
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
startReplicator({ teardown: () => {} }, sql, events, { holder: String(process.pid) })
