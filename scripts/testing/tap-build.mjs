// Bundles tap once for the processes of a run: one file to load in place of two hundred, and without
// its hook on every promise. Its folder is named `@tapjs`, so that stacks leave its lines out.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../ensure.mjs'

const HERE = join(root, 'scripts', 'testing')
const STRAY_ERRORS = join(HERE, 'stray-errors.mjs')
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
