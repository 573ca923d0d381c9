// `npm run test:versions` runs the tests of the database on the machine's own Postgres in place of
// the embedded one, which is newer and has settings of ours. `npm run test:versions -- PATH ...` runs
// some of them. Tests of columns and of faults run on the machine's own by themselves.
import { ensureBuilt, ensureInstalled, ensureNode, root } from './ensure.mjs'
import { ensureServers, environmentOnOwnPostgres } from './machine-programs.mjs'

/** Tests of code with SQL, and of code that reads what the writer stores. */
const FOLDERS = ['store', 'query', 'ingest'].map((name) => `test/integration/${name}`)
const PATHS = ['test/contract/shard-store.test.ts', ...FOLDERS]

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
ensureServers()
const env = environmentOnOwnPostgres()
const { runAndReport } = await import('./testing/run-tests.mjs')
const { testsAt } = await import('./testing/test-files.mjs')

const asked = process.argv.slice(2)
const files = asked.length === 0 ? testsAt(PATHS, root) : testsAt(asked)
const { passed } = await runAndReport(files, { env })
process.exitCode = passed ? 0 : 1
