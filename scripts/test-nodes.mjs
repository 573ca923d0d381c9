// `npm run test:nodes` runs the tests of units, ports and HTTP routes on other versions of Node, which npm
// carries as packages: 24, and with `-- 22 24 26` those that are named. `-- 24 PATH ...` runs only these tests.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureBuilt, ensureInstalled, ensureNode, root, say } from './ensure.mjs'
import { stampOf, unpackPackage } from './packages.mjs'

const NODES = 'test/fixtures/nodes.json'
const DEFAULT_MAJOR = '24'
/** Requests of real clients through a whole product. */
const HTTP = ['public-routes', 'web-routes'].map(
  (name) => `test/integration/product/${name}.test.ts`,
)
const cache = join(root, 'node_modules', '.cache', 'sluice', 'nodes')

ensureNode()
await ensureInstalled({ dev: true })
await ensureBuilt()
const nodes = JSON.parse(readFileSync(join(root, NODES), 'utf8'))
const args = process.argv.slice(2)
const majors = args.filter((arg) => nodes[arg] !== undefined)
const paths = args.filter((arg) => nodes[arg] === undefined)
const results = (majors.length === 0 ? [DEFAULT_MAJOR] : majors).map((major) => testOn(major))
process.exitCode = results.every((passed) => passed) ? 0 : 1

function testOn(major) {
  const [spec, integrity] = nodes[major][process.arch] ?? []
  if (spec === undefined || process.platform !== 'linux') {
    say(`npm has no Node ${major} for ${process.platform} on ${process.arch}`)
    return false
  }
  const folder = join(cache, major)
  if (stampOf(folder) !== integrity) {
    say(`installing ${spec}`)
    unpackPackage({ spec, integrity, to: folder, namedBy: NODES })
  }
  const bin = join(folder, 'bin')
  // Processes that tests start must find this version too.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const suites = paths.length === 0 ? [['--unit'], HTTP] : [paths]
  return suites.every((suite) => {
    say(`Node ${major}: ${suite.join(' ')}`)
    const command = [join('scripts', 'test.mjs'), ...suite]
    return spawnSync(join(bin, 'node'), command, { cwd: root, env, stdio: 'inherit' }).status === 0
  })
}
