// `npm run test:clients` runs every pinned version of every client library against a running
// server, and writes the results into docs/CLIENTS.md. `npm run test:clients -- FILE ...` runs only
// these files.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureClients } from './clients.mjs'
import { ensureBuilt, ensureInstalled, ensureNode, root, say } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
ensureClients({ older: true })
const { runAndReport } = await import('./testing/run-tests.mjs')

const folder = join('test', 'clients')
const all = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'))
const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : all.map((name) => join(folder, name))
const env = { ...process.env, SLUICE_CLIENTS: 'all' }
const { passed } = await runAndReport(files, { limitS: 900, env })
if (asked.length === 0) {
  // Also after a failure, because the matrix shows what failed.
  const generator = ['--import=tsx', join('scripts', 'gen-clients-doc.ts')]
  const { status } = spawnSync(process.execPath, generator, { cwd: root, stdio: 'inherit' })
  if (status !== 0) say('docs/CLIENTS.md: not written')
}
process.exitCode = passed ? 0 : 1
