/** A process that holds an embedded Postgres until it is killed: `… DATA_DIR`. Writes its pid. */
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { startEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const postgres = await startEmbeddedPostgres({ dataDir, log, clock })
process.stdout.write(`${JSON.stringify({ pid: postgres.pid() })}\n`)
await postgres.closed
