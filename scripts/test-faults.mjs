// `npm run test:faults`: a cluster of real processes under load, and what may befall it. Names are of
// files in test/faults: `npm run test:faults -- nats-away`. With `-- --long` the long form: faults of
// a minute and a loop of kills, whose figures end as a table; names then are of its scenarios, and
// SEED=n repeats a loop.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, ensureNode, root } from './ensure.mjs'
import { ensureServers } from './machine-programs.mjs'
import { runTap } from './tap.mjs'

/** `npm test` leaves `*.fault.ts` out, for its time. */
const FILE = /\.(?:test|fault)\.ts$/

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
ensureServers()

const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--long')
process.exitCode = (args.includes('--long') ? runLong(names) : await runShort(names)) ? 0 : 1

/** As many at a time as `npm test` runs: two. */

async function runShort(names) {
  const folder = join('test', 'faults')
  const files = readdirSync(join(root, folder)).filter((name) => FILE.test(name))
  const isAsked = (file) => names.length === 0 || names.some((name) => file.startsWith(name))
  const asked = files.filter(isAsked).map((name) => join(folder, name))
  if (asked.length === 0) throw new Error(`no file of ${folder} begins with ${names.join(', ')}`)
  return await runTap(asked, { timeoutS: 600 })
}

function runLong(names) {
  const table = join(root, 'node_modules', '.cache', 'sluice', 'faults.md')
  rmSync(table, { force: true })
  const { status } = spawnSync(
    process.execPath,
    ['--import=tsx', join('test', 'faults', 'long-form.ts'), ...names],
    {
      cwd: root,
      // What tap prints goes beside the table, which alone is on standard output.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, SLUICE_FAULTS_TABLE: table, TAP_TIMEOUT: '0' },
    },
  )
  if (existsSync(table)) process.stdout.write(readFileSync(table, 'utf8'))
  return status === 0
}
