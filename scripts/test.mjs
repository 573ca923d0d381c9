// `npm test` runs every test, and checks format and types.
// `npm test -- PATH ...` runs only the tests of these files and folders; `npm run test:unit` those of
// units and ports; `npm run test:changed [-- BASE]` those that import files changed since BASE (HEAD).
// `--times` ends with a table of where processor time went, and stores the time of each file, which orders
// later runs.
import { ensureChromium, ensureClients } from './clients.mjs'
import { ensureColumnEngine } from './columns.mjs'
import { ensureBuilt, ensureInstalled, ensureNode, say } from './ensure.mjs'
import { ensureOpenssl, ensureServers, environmentOnOwnPostgres } from './machine-programs.mjs'

ensureNode()
await ensureInstalled({ dev: true })
// These need packages that may have been missing when this file was loaded.
const { runAndReport } = await import('./testing/run-tests.mjs')
const tests = await import('./testing/test-files.mjs')

const args = process.argv.slice(2)
const options = new Set(args.filter((arg) => arg.startsWith('--')))
const paths = args.filter((arg) => !arg.startsWith('--'))
const isAll = paths.length === 0 && !options.has('--unit') && !options.has('--changed')
try {
  const files = await chosen()
  ensureOpenssl()
  if (files.some(tests.needsProduct)) {
    ensureServers()
    await ensureBuilt()
  }
  if (files.some((file) => tests.tierOf(file) === 'clients')) ensureClients({ older: false })
  if (files.some((file) => tests.tierOf(file) === 'console')) ensureChromium()
  // Only where their paths are named.
  const areColumns = files.some(tests.isColumns)
  if (areColumns) ensureColumnEngine()
  const env = areColumns ? environmentOnOwnPostgres() : process.env
  const isTimed = options.has('--times')
  const { passed, times } = await runAndReport(files, {
    env,
    isTimed,
    checks: isAll ? checks() : [],
  })
  if (isTimed) await record(times)
  process.exitCode = passed ? 0 : 1
} catch (error) {
  say(error.message)
  process.exitCode = 1
}

async function chosen() {
  if (options.has('--changed')) {
    const { changedTests } = await import('./testing/changed.mjs')
    return await changedTests(paths[0])
  }
  if (options.has('--unit')) return tests.allTests().filter(tests.isUnit)
  return isAll ? tests.allTests() : tests.testsAt(paths)
}

function checks() {
  return [
    { name: 'types', args: ['node_modules/typescript-native/bin/tsc', '--noEmit'] },
    {
      name: 'types of the console',
      args: ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p', 'gateway/console'],
    },
    { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  ]
}

async function record(times) {
  const { recordCosts } = await import('./testing/costs.mjs')
  recordCosts(times, [...tests.allTests(), ...tests.allFaults()])
}
