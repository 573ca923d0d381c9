// `npm run test:columns` runs the tests of the column store, which `npm test` leaves out: it installs
// their engine first. They run on the machine's own Postgres. Names select files in test/columns: `npm run test:columns -- block`.
import { basename } from 'node:path'
import { ensureColumnEngine } from './columns.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './ensure.mjs'
import { ensureServers, environmentOnOwnPostgres } from './machine-programs.mjs'

ensureNode()
await ensureInstalled({ dev: true })
ensureColumnEngine()
ensureServers()
const env = environmentOnOwnPostgres()
await ensureBuilt()
const { runAndReport } = await import('./testing/run-tests.mjs')
const { allColumns } = await import('./testing/test-files.mjs')

const names = process.argv.slice(2)
const isAsked = (path) =>
  names.length === 0 || names.some((name) => basename(path).startsWith(name))
const files = allColumns().filter(isAsked)
if (files.length === 0) throw new Error(`no file of test/columns begins with ${names.join(', ')}`)
// The long form of the kills needs more time.
const limitS = 600 + 30 * Number(process.env['KILLS'] ?? 0)
const { passed } = await runAndReport(files, { limitS, env })
process.exitCode = passed ? 0 : 1
