// Bundles tap once for the processes of a run: one file to load in place of two hundred, and without
// its hook on every promise. Its folder is named `@tapjs`, so that stacks leave its lines out.
// Beside it lies the fast-check that they import, which has its seed.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from '../ensure.mjs'

const HERE = join(root, 'scripts', 'testing')
const STRAY_ERRORS = join(HERE, 'stray-errors.mjs')
const FAST_CHECK = join(root, 'node_modules', 'fast-check', 'lib', 'fast-check.js')
/** tap's dependencies of both module systems share one file. */
const BANNER = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
].join('\n')

/** Makes `node_modules/tap` below `out`: what the transpiled tests import as `tap`. */
export async function buildTap(out) {
  const bundled = join(out, 'node_modules', '@tapjs', 'bundled')
  const module = join(out, 'node_modules', 'tap')
  await build({
    stdin: {
      contents: "export * from 'tap'\nexport { t as default } from 'tap'",
      resolveDir: root,
    },
    outfile: join(bundled, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    banner: { js: BANNER },
    alias: { 'async-hook-domain': STRAY_ERRORS },
    logLevel: 'error',
  })
  mkdirSync(module, { recursive: true })
  for (const folder of [bundled, module]) {
    writeFileSync(join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}\n')
  }
  copyFileSync(join(HERE, 'tap-module.mjs'), join(module, 'tap-module.mjs'))
  writeFileSync(
    join(module, 'index.js'),
    "export * from './tap-module.mjs'\nexport { ofFile as default } from './tap-module.mjs'\n",
  )
}

/** Makes `node_modules/fast-check` below `out`, and what it names the library by. */
export function buildFastCheck(out) {
  const module = join(out, 'node_modules', 'fast-check')
  const itself = join(out, 'node_modules', '@fast-check', 'itself')
  for (const folder of [module, itself]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}\n')
  }
  const library = JSON.stringify(pathToFileURL(FAST_CHECK).href)
  writeFileSync(join(itself, 'index.js'), exportsOf(library, 'default'))
  copyFileSync(join(HERE, 'fixed-seed.mjs'), join(module, 'fixed-seed.mjs'))
  writeFileSync(join(module, 'index.js'), exportsOf("'./fixed-seed.mjs'", 'fc as default'))
}

function exportsOf(specifier, name) {
  return `export * from ${specifier}\nexport { ${name} } from ${specifier}\n`
}
