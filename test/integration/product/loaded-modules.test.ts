/** Modules of the bundle that a start loads. V8 lists every script of a process when it ends. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { listOf, objectOf } from '../../../src/core/json.ts'
import { startStandalone, testFolder } from '../../support/servers/product.ts'

t.test('a standalone does not load the library of NATS', async (t) => {
  const folder = join(testFolder(t), 'scripts')
  mkdirSync(folder)
  const product = await startStandalone(t, { NODE_V8_COVERAGE: folder })
  product.process.kill('SIGTERM')
  t.equal(await product.process.ended, 0)
  const packages = packagesOf(scriptsIn(folder))
  t.ok(packages.has('postgres'), 'packages that it uses are found')
  t.notOk(packages.has('nats'))
})

/** Paths of the product's own scripts. */
function scriptsIn(folder: string): Set<string> {
  const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const urls = reports.flatMap((text) =>
    listOf(objectOf(JSON.parse(text))['result']).map((script) => String(objectOf(script)['url'])),
  )
  return new Set(
    urls.filter((url) => /^file:.*\/dist\//.test(url)).map((url) => fileURLToPath(url)),
  )
}

/** The bundle names each module that it holds in a line above it. */
function packagesOf(scripts: Iterable<string>): Set<string> {
  const names = [...scripts].flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
    ].map(([, name = '']) => name),
  )
  return new Set(names)
}
