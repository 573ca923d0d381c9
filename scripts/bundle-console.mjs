// Builds the console into `dist/console`: modules and styles named by what they hold, each beside its
// compressed forms, and the HTML that names them. A build over its budget fails.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './ensure.mjs'

const HOME = 'gateway/console'
const ENTRY = `${HOME}/main.tsx`
const STYLE = `${HOME}/styles/main.css`
const PAGE = /^gateway\/console\/pages\/.*-page\.tsx$/

/** The most that a cold load of each may fetch, gzipped; kilobytes of 1,024. */
const BUDGET_KB = { shell: 30, page: 20, all: 180 }
const KB = 1024

const compressors = {
  '.gz': (bytes) => promisify(gzip)(bytes, { level: 9 }),
  '.br': (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
}

/** Of scripts and styles alike. */
const SHARED = {
  absWorkingDir: root,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
}

/** @param out a folder named `dist`. @throws {Error} that names what is over its budget. */
export async function bundleConsole(out) {
  const folder = join(out, 'console')
  const outdir = join(folder, 'assets')
  const scripts = await build({
    ...SHARED,
    entryPoints: [ENTRY],
    outdir,
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    platform: 'browser',
    tsconfig: join(HOME, 'tsconfig.json'),
    plugins: [shellInOne, stylesApart],
  })
  const pageStyles = stylesOf(scripts.metafile)
  const styles = await build({
    ...SHARED,
    entryPoints: [STYLE, ...new Set([...pageStyles.values()].flat())],
    outdir,
  })
  const loads = loadsOf(scripts.metafile, styles.metafile, pageStyles)
  mkdirSync(outdir, { recursive: true })
  const html = Buffer.from(htmlOf(loads))
  writeFileSync(join(folder, 'index.html'), html)
  const sizes = new Map([['index.html', (await compressors['.gz'](html)).length]])
  await Promise.all(
    [...scripts.outputFiles, ...styles.outputFiles].map(async ({ path, contents }) => {
      writeFileSync(path, contents)
      for (const [ending, compress] of Object.entries(compressors)) {
        const compressed = await compress(contents)
        writeFileSync(path + ending, compressed)
        if (ending === '.gz') sizes.set(basename(path), compressed.length)
      }
    }),
  )
  checkBudget(loads, sizes)
}

/**
 * Makes everything that is loaded later import the entry, which is there by then. So all of the shell is
 * used by all, and becomes one file; else esbuild makes a small one of each part that some share, and
 * many small files compress worse.
 */
const shellInOne = {
  name: 'shell in one',
  setup({ onResolve, onLoad, resolve }) {
    const later = new Set()
    onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === later) return undefined
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: later })
      later.add(found.path)
      return found
    })
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const entry = JSON.stringify(join(root, ENTRY))
      return { loader: 'tsx', contents: `import ${entry}\n${readFileSync(path, 'utf8')}` }
    })
  },
}

/** Styles are built by themselves: esbuild would give each page those of all that it may load later. */
const stylesApart = {
  name: 'styles apart',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'js' }))
  },
}

/** The styles that each page imports, itself or by its parts. */
function stylesOf({ inputs }) {
  const importedBy = (path, found = new Set()) => {
    if (found.has(path) || path === ENTRY) return found
    found.add(path)
    for (const each of inputs[path].imports) {
      if (each.kind === 'import-statement' && !each.external) importedBy(each.path, found)
    }
    return found
  }
  const pages = Object.keys(inputs).filter((path) => PAGE.test(path))
  return new Map(
    pages.map((page) => [page, [...importedBy(page)].filter((path) => path.endsWith('.css'))]),
  )
}

/** Names of what the shell loads, and of what each page loads besides. */
function loadsOf({ outputs }, styles, pageStyles) {
  const builtOf = (all) =>
    new Map(Object.entries(all).map(([path, { entryPoint }]) => [entryPoint, path]))
  const scriptOf = builtOf(outputs)
  const styleOf = builtOf(styles.outputs)
  const loadedBy = (path, found = new Set()) => {
    if (found.has(path)) return found
    found.add(path)
    for (const each of outputs[path].imports) {
      if (each.kind === 'import-statement' && !each.external) loadedBy(each.path, found)
    }
    return found
  }
  const main = scriptOf.get(ENTRY)
  const shell = loadedBy(main)
  const pages = new Map()
  for (const [page, imported] of pageStyles) {
    const own = [...loadedBy(scriptOf.get(page))].filter((each) => !shell.has(each))
    const styled = imported.map((path) => styleOf.get(path))
    pages.set(relative(HOME, page), [...own, ...styled].map(named))
  }
  return { main: named(main), shell: [...shell, styleOf.get(STYLE)].map(named), pages }
}

function named(path) {
  return basename(path)
}

/** Puts what the shell loads into the HTML, and where the style of each page is. */
function htmlOf({ main, shell, pages }) {
  const styles = shell.filter((name) => name.endsWith('.css'))
  const others = shell.filter((name) => name.endsWith('.js') && name !== main)
  const own = [...pages].map(([page, names]) => [
    basename(dirname(page)),
    names.filter((name) => name.endsWith('.css')),
  ])
  const tags = [
    ...styles.map((name) => `<link rel="stylesheet" nonce="{{nonce}}" href="/assets/${name}">`),
    `<script type="module" nonce="{{nonce}}" src="/assets/${main}"></script>`,
    ...others.map((name) => `<link rel="modulepreload" nonce="{{nonce}}" href="/assets/${name}">`),
    `<script type="application/json" id="styles" nonce="{{nonce}}">${JSON.stringify(
      Object.fromEntries(own.filter(([, names]) => names.length > 0)),
    )}</script>`,
  ]
  const text = readFileSync(join(root, HOME, 'index.html'), 'utf8')
  return text.replace('<!-- assets -->', tags.join('\n'))
}

function checkBudget({ shell, pages }, sizes) {
  const sum = (names) => names.reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0)
  const rows = [['shell', sum(['index.html', ...shell]), BUDGET_KB.shell]]
  for (const [page, names] of pages) rows.push([dirname(page), sum(names), BUDGET_KB.page])
  rows.push(['all', sum([...sizes.keys()]), BUDGET_KB.all])
  const table = rows.map(([name, bytes, most]) => {
    const size = (bytes / KB).toFixed(1)
    return `  ${name.padEnd(26)} ${size.padStart(6)} kB of ${most}`
  })
  process.stderr.write(`sluice: the console, gzipped\n${table.join('\n')}\n`)
  const over = rows.filter(([, bytes, most]) => bytes > most * KB)
  if (over.length === 0) return
  throw new Error(`the console is over its budget: ${over.map(([name]) => name).join(', ')}`)
}
