// Builds the console into `dist/console`: modules and styles named by what they hold, each beside its
// compressed forms, and the HTML that names them. A build over its budget fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './ensure.mjs'

const HOME = 'gateway/console'
const ENTRY = `${HOME}/main.tsx`
const STYLE = `${HOME}/styles/main.css`
const PAGE = /^gateway\/console\/pages\/.*-page\.tsx$/

/** Maximum of a cold load of each, gzipped; kilobytes of 1,024. */
const BUDGET_KB = { shell: 30, page: 20, all: 200 }
const KB = 1024

/** Chunks that load when the user opens something. Other dynamic chunks load with their page. */
const OPENED = /-(?:dialogs?|drawer|editor|numbers|panel|popover|trace)\.tsx$/

/**
 * Chunks of a page depend on the kinds of its questions: the insight page has one, so it loads one
 * row. A dashboard is counted with the kinds of the demonstration's dashboard.
 */
const KINDS = {
  'pages/dashboard/dashboard-page.tsx': [
    [
      'questions/trend-result.tsx',
      'questions/funnel-result.tsx',
      'questions/retention-result.tsx',
      'questions/paths-result.tsx',
    ],
  ],
  'pages/insight/insight-page.tsx': [
    ['questions/trend-result.tsx'],
    ['questions/funnel-result.tsx', 'pages/insight/kinds/funnel-settings.tsx'],
    ['questions/funnel-over-time.tsx', 'pages/insight/kinds/funnel-settings.tsx'],
    ['questions/retention-result.tsx', 'pages/insight/kinds/retention-settings.tsx'],
    ['questions/paths-result.tsx', 'pages/insight/kinds/paths-settings.tsx'],
    ['questions/table-result.tsx', 'pages/insight/kinds/table-settings.tsx'],
    ['questions/activity-result.tsx'],
  ],
}

const KIND_PARTS = new Set(
  Object.values(KINDS)
    .flat(2)
    .map((name) => join(HOME, name)),
)

/**
 * Modules that many pages share, in groups that are loaded whole: a page loads a few files in place of one
 * for each set of pages that happen to share something.
 */
const GROUPS = {
  // Modules of nearly every page belong to the shell.
  shell: [
    '../../src/core/charts/buckets.ts',
    '../../src/core/charts/label.ts',
    '../../src/core/charts/numbers.ts',
    '../../src/core/charts/series.ts',
    'charts/tone.ts',
    'charts/use-width.ts',
    'data/annotations.ts',
    'data/format.ts',
    'data/questions.ts',
    'data/ranges.ts',
    'data/resource.ts',
    'data/url.ts',
    'kit/dialogs/asks.ts',
    'kit/copy-as.tsx',
    'kit/dialog.tsx',
    'kit/empty.tsx',
    'kit/field.tsx',
    'kit/later.tsx',
    'kit/loaded.tsx',
    'kit/page-head.tsx',
    'kit/switch.tsx',
    'kit/table.tsx',
    'kit/time.tsx',
    'kit/use-action.ts',
  ],
  charts: [
    '../../src/core/charts/scale.ts',
    '../../src/core/charts/shapes.ts',
    'charts/bar-chart.tsx',
    'charts/chart-frame.tsx',
    'charts/line-chart.tsx',
    'charts/plot.tsx',
    'charts/series.ts',
  ],
  filters: ['kit/date-range.tsx', 'kit/filters/filter.ts', 'kit/filters/filter-chips.tsx'],
  values: [
    'kit/picker/choice.ts',
    'kit/picker/sampled.ts',
    'kit/picker/suggestions.ts',
    'kit/picker/use-active.ts',
    'kit/picker/value-input.tsx',
  ],
  questions: [
    '../../src/core/charts/duration.ts',
    '../../src/core/charts/names.ts',
    'questions/answer.ts',
    'questions/filters-in.ts',
    'questions/question.ts',
    'questions/texts.ts',
  ],
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
    splitting: true,
    format: 'esm',
    platform: 'browser',
    tsconfig: join(HOME, 'tsconfig.json'),
    plugins: [groupsInOne, shellInOne, stylesApart],
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
 * Makes everything that is loaded later import the entry and its page, which are there by then. So all of
 * the shell is used by all, and becomes one file, and so does a page; else esbuild makes a small one of
 * each part that some share, and many small files compress worse.
 */
const shellInOne = {
  name: 'shell in one',
  setup({ onLoad }) {
    const later = new Set(sources().flatMap(({ path, text }) => loadedLater(path, text)))
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const there = [join(root, ENTRY), pageOf(path)].filter((each) => each && each !== path)
      const imports = there.map((each) => `import ${JSON.stringify(each)}`)
      const loader = path.endsWith('x') ? 'tsx' : 'ts'
      return { loader, contents: [...imports, readFileSync(path, 'utf8')].join('\n') }
    })
  },
}

/** Page whose folder a module is in. */
function pageOf(path) {
  const [, folder] = /^pages\/([^/]+)\//.exec(relative(join(root, HOME), path)) ?? []
  if (folder === undefined) return undefined
  const page = join(root, HOME, 'pages', folder, `${folder}-page.tsx`)
  return existsSync(page) ? page : undefined
}

function sources() {
  const folder = join(root, HOME)
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      path: join(folder, name),
      text: readFileSync(join(folder, name), 'utf8'),
    }))
}

function loadedLater(path, text) {
  return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, name]) => join(dirname(path), name))
}

/**
 * Makes one file of each group: who imports a member from outside imports the whole group. Members import
 * each other as ever, so they run in the order that they ask for.
 */
const groupsInOne = {
  name: 'groups in one',
  setup({ onResolve, onLoad, resolve }) {
    const groupOf = new Map(
      Object.entries(GROUPS).flatMap(([group, names]) =>
        names.map((name) => [join(root, HOME, name), group]),
      ),
    )
    onLoad({ filter: /main\.tsx$/ }, ({ path }) => {
      const imports = GROUPS.shell.map((name) => `import './${name}'`)
      return { loader: 'tsx', contents: [readFileSync(path, 'utf8'), ...imports].join('\n') }
    })
    onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'import-statement' || pluginData === groupOf) return undefined
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: groupOf })
      const group = groupOf.get(found.path)
      if (group === undefined || group === 'shell' || group === groupOf.get(importer)) return found
      return { path: group, namespace: 'group' }
    })
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      resolveDir: join(root, HOME),
      contents: GROUPS[path].map((name) => `export * from './${name}'`).join('\n'),
      pluginData: groupOf,
    }))
  },
}

/** Styles are built by themselves: esbuild would give each page those of all that it may load later. */
const stylesApart = {
  name: 'styles apart',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'js' }))
  },
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
    const styled = imported.map((path) => styleOf.get(path))
    const kinds = (KINDS[relative(HOME, page)] ?? [[]]).map((names) =>
      names.map((name) => join(HOME, name)),
    )
    const ways = kinds.map((kind) => {
      const isHere = (path) => {
        const source = sourceOf(path)
        if (OPENED.test(source)) return false
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
  rows.push(['all', sum([...sizes.keys()]), BUDGET_KB.all])
  const text = ([name, bytes, most]) => `${name} ${(bytes / KB).toFixed(1)} kB of ${most}`
  const over = rows.filter(([, bytes, most]) => bytes > most * KB)
  const pages = rows.slice(1, -1).sort(([, a], [, b]) => b - a)
  const told = [rows[0], pages[0], rows.at(-1)].map(text).join(', ')
  process.stderr.write(`sluice: the console, gzipped: ${told}\n`)
  if (over.length === 0) return
  throw new Error(`the console is over its budget: ${over.map(text).join(', ')}`)
}
