// `npm test`: lint, types and every test; `npm test -- FILE ...` runs those tests alone. In CI
// (CI=true) generated files that are stale fail as well; tests fail on services they cannot start.
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { ensureClients } from './clients.mjs'
import { ensureBuilt, ensureInstalled, ensureNode, root, run } from './ensure.mjs'
import { ensureServers } from './machine-programs.mjs'
import { runTap } from './tap.mjs'

/** Files that take long come first: what is left for one process at the end is short then. */
const LONGEST_FIRST = ['faults', 'sim', 'integration', 'clients']

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()

const asked = process.argv.slice(2)
ensureServers()
const wantsAll = asked.length === 0
const checks = wantsAll ? startChecks() : []
if (wantsAll || asked.some((file) => file.includes('test/clients'))) ensureClients({ older: false })
await Promise.all(checks)
process.exitCode = (await runTap(wantsAll ? allFiles() : asked)) ? 0 : 1

function allFiles() {
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('fixtures'))
    .map((path) => join('test', path))
  return files.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

function rankOf(file) {
  const rank = LONGEST_FIRST.indexOf(file.split(sep)[1])
  return rank === -1 ? LONGEST_FIRST.length : rank
}

function startChecks() {
  const checks = [
    check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    check('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
  ]
  if (process.env.CI === 'true')
    checks.push(check('generated types', ['scripts/gen.mjs', '--check']))
  return checks
}

/** Ends the run when it fails. */
function check(name, args) {
  return run([process.execPath, ...args], `${name}: failed`)
}
