// Builds the console into `dist/console`: modules and styles named by what they hold, each beside its
// compressed forms, and the HTML that names them. A build over its budget fails.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import {
  ENTRY,
  groupsInOne,
  HOME,
  isOpened,
  shellInOne,
  styleEntry,
  stylesApart,
  stylesInOne,
} from './console-files.mjs'
import { root } from './ensure.mjs'
import { worldMap } from './world-map.mjs'

const STYLE = `${HOME}/styles/main.css`
const PAGE = /^gateway\/console\/pages\/.*-page\.tsx$/

/** Maximum of a cold load of each, gzipped; kilobytes of 1,024. The map is not of `all`. */
const BUDGET_KB = { shell: 30, page: 20, all: 200, map: 40 }
const KB = 1024

/** Drawings of trends, stickiness and lifecycles. */
const LINES = 'group:lines'

/**
 * Chunks of a page depend on the kinds of its questions: the insight page has one, so it loads one
 * row. A dashboard is counted with the kinds of the demonstration's dashboard.
 */
const KINDS = {
  'pages/dashboard/dashboard-page.tsx': [
    [
      LINES,
      'questions/funnel-result.tsx',
      'questions/retention-result.tsx',
      'questions/paths-result.tsx',
    ],
  ],
  'pages/shared/shared-page.tsx': [
    ['pages/shared/shared-tiles.tsx', LINES, 'questions/funnel-result.tsx'],
    ['pages/shared/shared-web.tsx'],
  ],
  'pages/insight/insight-page.tsx': [
    [LINES],
    ['questions/values-result.tsx'],
    ['questions/funnel-result.tsx', 'pages/insight/kinds/funnel-settings.tsx'],
    ['questions/funnel-over-time.tsx', 'pages/insight/kinds/funnel-settings.tsx'],
    ['questions/retention-result.tsx', 'pages/insight/kinds/retention-settings.tsx'],
    ['questions/paths-result.tsx', 'pages/insight/kinds/paths-settings.tsx'],
    ['questions/table-result.tsx', 'pages/insight/kinds/table-settings.tsx'],
  ],
}

const KIND_PARTS = new Set(Object.values(KINDS).flat(2).map(sourceOfKind))

function sourceOfKind(name) {
  return name === LINES ? name : join(HOME, name)
}

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

/** Options for scripts and styles alike. */
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
    assetNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    platform: 'browser',
    tsconfig: join(HOME, 'tsconfig.json'),
    charset: 'utf8',
    plugins: [worldMap, groupsInOne, shellInOne, stylesApart],
  })
  dropBareImports(scripts)
  dropStubs(scripts)
  const pageStyles = stylesOf(scripts.metafile)
  const styled = [...new Set([...pageStyles.values()].flat())]
  const styles = await build({
    ...SHARED,
    entryPoints: [STYLE, ...new Set(styled.map(styleEntry))],
    outdir,
    plugins: [stylesInOne(styled)],
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
 * Removes the imports of nothing that esbuild writes into an entry for each chunk it reaches. Who needs a
 * name of a chunk imports that, and no module but the entry of all has an effect.
 */
function dropBareImports({ outputFiles, metafile: { outputs } }) {
  for (const file of outputFiles) {
    const output = outputs[relative(root, file.path)]
    if (output.entryPoint === ENTRY || !file.path.endsWith('.js')) continue
    const names = new Set(output.imports.map(({ path }) => basename(path)))
    const text = file.text.replace(/\bimport"\.\/([^"]+)";/g, (found, name) =>
      names.has(name) ? '' : found,
    )
    file.contents = Buffer.from(text)
    output.imports = output.imports.filter(({ path }) => text.includes(basename(path)))
  }
}

/** An entry without code of its own: others import it too, so esbuild made a chunk of the code. */
const STUB =
  /^import(?:\{(?<name>\w+)(?: as \w+)?\}from)?"\.\/(?<chunk>chunk-\w+\.js)";(?:export\{\w+ as default\};)?\s*$/

/** Puts the chunk of a stub in its place: one request less. The hash of a stub is also one of its chunk. */
function dropStubs({ outputFiles, metafile: { outputs } }) {
  const stubs = new Map()
  for (const file of outputFiles) {
    const { name, chunk } = STUB.exec(file.text)?.groups ?? {}
    if (chunk !== undefined && !stubs.has(chunk))
      stubs.set(chunk, { name, stub: basename(file.path) })
  }
  const renamed = (text) =>
    [...stubs].reduce((all, [chunk, { stub }]) => all.replaceAll(chunk, stub), text)
  const dropped = new Set([...stubs.values()].map(({ stub }) => stub))
  const kept = outputFiles.filter(({ path }) => !dropped.has(basename(path)))
  for (const file of kept.filter(({ path }) => path.endsWith('.js'))) {
    const { name } = stubs.get(basename(file.path)) ?? {}
    const exported = new RegExp(`(?:([\\w$]+) as )?\\b${name}(?=[,}][^{}]*$)`)
    const text = file.text.replace(exported, (found, own = name) => `${found},${own} as default`)
    file.contents = Buffer.from(renamed(name === undefined ? file.text : text))
    file.path = renamed(file.path)
  }
  outputFiles.splice(0, Infinity, ...kept)
  for (const [path, output] of Object.entries(outputs)) {
    const stub = outputs[renamed(path)]
    for (const each of output.imports) each.path = renamed(each.path)
    if (stub === output) continue
    outputs[renamed(path)] = Object.assign(output, { entryPoint: stub.entryPoint })
    delete outputs[path]
  }
}

/** Styles that each page imports, directly or indirectly. */
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

/** Names of what the shell loads, and of what each page loads besides without a person's doing. */
function loadsOf({ outputs }, styles, pageStyles) {
  const builtOf = (all) =>
    new Map(Object.entries(all).map(([path, { entryPoint }]) => [entryPoint, path]))
  const scriptOf = builtOf(outputs)
  const styleOf = builtOf(styles.outputs)
  const importsOf = (path, kind) =>
    outputs[path].imports.filter((each) => each.kind === kind && !each.external)
  const loadedBy = (path, found = new Set()) => {
    if (found.has(path)) return found
    found.add(path)
    for (const each of importsOf(path, 'import-statement')) loadedBy(each.path, found)
    return found
  }
  const main = scriptOf.get(ENTRY)
  const shell = loadedBy(main)
  const sourceOf = (path) => outputs[path].entryPoint
  /** Collects scripts with their imports, and with the dynamic ones that pass `isHere`. */
  const comesWith = (paths, isHere, found = new Set()) => {
    for (const path of paths) {
      if (found.has(path) || shell.has(path)) continue
      found.add(path)
      comesWith(
        importsOf(path, 'import-statement').map((each) => each.path),
        isHere,
        found,
      )
      const later = importsOf(path, 'dynamic-import').map((each) => each.path)
      comesWith(later.filter(isHere), isHere, found)
    }
    return found
  }
  const pages = new Map()
  for (const [page, imported] of pageStyles) {
    const styled = [...new Set(imported.map((path) => styleOf.get(styleEntry(path))))]
    const kinds = (KINDS[relative(HOME, page)] ?? [[]]).map((names) => names.map(sourceOfKind))
    const ways = kinds.map((kind) => {
      const isHere = (path) => {
        const source = sourceOf(path)
        if (isOpened(source)) return false
        return !KIND_PARTS.has(source) || kind.includes(source)
      }
      return [...comesWith([scriptOf.get(page)], isHere), ...styled].map(named)
    })
    pages.set(relative(HOME, page), ways)
  }
  return { main: named(main), shell: [...shell, styleOf.get(STYLE)].map(named), pages }
}

function named(path) {
  return basename(path)
}

/** Writes the shell's files, and the style of each page, into the HTML. */
function htmlOf({ main, shell, pages }) {
  const styles = shell.filter((name) => name.endsWith('.css'))
  const others = shell.filter((name) => name.endsWith('.js') && name !== main)
  const own = [...pages].map(([page, [names]]) => [
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
  return text.replace('<!-- assets -->', tags.join('\n')).replace(/<!-- .* -->\n/g, '')
}

function checkBudget({ shell, pages: own }, sizes) {
  const sum = (names) => names.reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0)
  const rows = [['shell', sum(['index.html', ...shell]), BUDGET_KB.shell]]
  for (const [page, ways] of own) {
    rows.push([dirname(page), Math.max(...ways.map(sum)), BUDGET_KB.page])
  }
  const isMap = (name) => name.endsWith('.svg')
  rows.push(['map', sum([...sizes.keys()].filter(isMap)), BUDGET_KB.map])
  rows.push(['all', sum([...sizes.keys()].filter((name) => !isMap(name))), BUDGET_KB.all])
  const text = ([name, bytes, most]) => `${name} ${(bytes / KB).toFixed(1)} kB of ${most}`
  const over = rows.filter(([, bytes, most]) => bytes > most * KB)
  const pages = rows.slice(1, -2).sort(([, a], [, b]) => b - a)
  const told = [rows[0], pages[0], ...rows.slice(-2)].map(text).join(', ')
  process.stderr.write(`sluice: the console, gzipped: ${told}\n`)
  if (over.length === 0) return
  throw new Error(`the console is over its budget: ${over.map(text).join(', ')}`)
}
