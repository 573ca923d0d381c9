// Bundles the scripts of threads in the tree of the tests, each in place of its twin. A thread has no
// modules in common with its process, and tests start a hundred threads of some sixty modules.
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../ensure.mjs'

const SCRIPTS = ['gateway/body/body-worker.ts', 'src/plugins/sandbox/sandbox-worker.ts']
/** Package that looks for its WebAssembly beside itself. */
const EXTERNAL = ['@jitl/quickjs-wasmfile-release-sync']

/** @param out the tree in which the twins of the sources are. */
export async function buildThreads(out) {
  await build({
    entryPoints: SCRIPTS.map((path) => join(root, path)),
    outdir: out,
    outbase: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: EXTERNAL,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  })
}
