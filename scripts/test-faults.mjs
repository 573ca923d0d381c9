// `npm run test:faults` runs a cluster of real processes under load with faults, on the machine's own
// Postgres: the files that `npm test` leaves out for their time. Names select files in test/faults: `npm run test:faults --
// nats-away`. `-- --long` runs the long form: faults of a minute and a loop of kills, with a table
// of figures at the end. Names then select its scenarios, and SEED=n repeats a loop.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ensureBuilt, ensureInstalled, ensureNode, root } from './ensure.mjs'
import { ensureServers, environmentOnOwnPostgres } from './machine-programs.mjs'

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
ensureServers()
const env = environmentOnOwnPostgres()
const { runAndReport } = await import('./testing/run-tests.mjs')
const { allFaults, allTests, tierOf } = await import('./testing/test-files.mjs')

const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--long')
process.exitCode = (args.includes('--long') ? runLong(names) : await runShort(names)) ? 0 : 1

async function runShort(names) {
  const all = [...allFaults(), ...allTests().filter((path) => tierOf(path) === 'faults')]
  const isAsked = (path) => names.some((name) => basename(path).startsWith(name))
  const files = names.length === 0 ? allFaults() : all.filter(isAsked)
  if (files.length === 0) throw new Error(`no file of test/faults begins with ${names.join(', ')}`)
  const { passed } = await runAndReport(files, { limitS: 600, env })
  return passed
}

function runLong(names) {
  const table = join(root, 'node_modules', '.cache', 'sluice', 'faults.md')
  rmSync(table, { force: true })
  const { status } = spawnSync(
    process.execPath,
    ['--import=tsx', join('test', 'faults', 'long-form.ts'), ...names],
    {
      cwd: root,
      // Tap's output goes to standard error, so that standard output has only the table.
      stdio: ['ignore', 2, 2],
      env: { ...env, SLUICE_FAULTS_TABLE: table, TAP_TIMEOUT: '0' },
    },
  )
  if (existsSync(table)) process.stdout.write(readFileSync(table, 'utf8'))
  return status === 0
}
