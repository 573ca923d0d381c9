// `npm test`: lint, types and every test; `npm test -- FILE ...` runs those tests alone. In CI
// (CI=true) generated files that are stale fail as well; tests fail on services they cannot start.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureClients } from './clients.mjs'
import { ensureBuilt, ensureInstalled, ensureNode, root, say } from './ensure.mjs'
import { ensureServers } from './machine-programs.mjs'
import { runTap } from './tap.mjs'

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()

const files = process.argv.slice(2)
if (files.length === 0) {
  check('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'])
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit'])
  const generator = 'scripts/gen.mjs'
  if (process.env.CI === 'true' && existsSync(join(root, generator))) {
    check('generated types', [generator, '--check'])
  }
}
ensureServers()
const wantsClients = files.length === 0 || files.some((file) => file.includes('test/clients'))
if (wantsClients) ensureClients({ older: false })
process.exitCode = (await runTap(files)) ? 0 : 1

function check(name, args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) return
  say(`${name}: failed`)
  process.exit(1)
}
