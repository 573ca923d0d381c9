import t from 'tap'
import { unboundMethods } from '../../scripts/house/unbound.ts'
import { unusedExports } from '../../scripts/house/unused.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { product, sources, targetsOf, tree } from './tree.ts'

/** Unused files and exports are refused. */

/** The console's parts, which are there before the page that needs them. */
const PARTS = /^gateway\/console\/(?:kit|charts|data)\//

t.test('every source file of the product is used', (t) => {
  const entries = new Set([
    'src/cli/main.ts',
    // Entry points of a browser, and types of the build.
    'gateway/console/main.tsx',
    'gateway/console/styles.d.ts',
  ])
  const used = new Set(sources.flatMap(targetsOf))
  const usedByProduct = new Set(product.flatMap(targetsOf))
  // Exports that tests and benches share with the product may be theirs alone.
  const isUsed = (path: string) =>
    usedByProduct.has(path) || (path.startsWith('src/core/') && used.has(path))
  t.strictSame(
    product.filter((path) => !entries.has(path) && !PARTS.test(path) && !isUsed(path)),
    [],
  )
  t.end()
})

/** Exports without a user in a source, with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  'src/cli/main.ts main': '`bin/sluice` calls it',
}

t.test('every export is used', (t) => {
  const held = sources.filter((path) =>
    /^(?:src|gateway|cluster|bench|scripts|test\/support)\//.test(path),
  )
  const mayServeTests = (path: string) => /^(?:scripts|test)\//.test(path)
  const unused = unusedExports(tree, held)
    .filter(({ path, name }) => KEPT[`${path} ${name}`] === undefined)
    .filter(({ path }) => !PARTS.test(path))
    .filter(({ path, why }) => !(why === 'tests' && mayServeTests(path)))
  const SAID = { dead: 'nothing', own: 'no other file', tests: 'only tests' } as const
  t.strictSame(
    unused.map(({ path, line, name, why }) => `${path}:${line} ${SAID[why]} uses ${name}`),
    [],
  )
  t.end()
})

// Tests themselves replace methods of their own fakes, and reading them costs as much as the rest.
t.test('no method that uses `this` is taken from its object', (t) => {
  const read = sources.filter((path) => !/^test\/(?!support\/)/.test(path))
  t.strictSame(
    unboundMethods(packageRoot, read).map(
      ({ path, line, text, method }) =>
        `${path}:${line} takes \`${text}\`, which may be ${method}: call it in a function instead`,
    ),
    [],
  )
  t.end()
})
