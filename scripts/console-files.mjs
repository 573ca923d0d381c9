// Files that the modules and styles of the console are built into: pages share a few files, not one for
// each set of pages that have something in common. Many small files compress worse than a few.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './ensure.mjs'

export const HOME = 'gateway/console'
export const ENTRY = `${HOME}/main.tsx`

/**
 * Modules that load when the user opens something, or another kind of question. Other dynamic ones load
 * with their page.
 */
const OPENED = /-(?:dialogs?|drawer|editor|numbers|panel|popover|trace)\.tsx$|\/as-kind\.ts$/
const OPENED_GROUP = /-opened$/

/** Modules that many pages share. Each group is one file. */
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
    'data/cohorts.ts',
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
    'kit/names/name.tsx',
    'kit/page-head.tsx',
    'kit/sharing/share.ts',
    'kit/switch.tsx',
    'kit/table.tsx',
    'kit/tabs.tsx',
    'kit/time.tsx',
    'kit/use-action.ts',
  ],
  charts: [
    '../../src/core/charts/goals.ts',
    '../../src/core/charts/scale.ts',
    '../../src/core/charts/shapes.ts',
    'charts/bar-chart.tsx',
    'charts/chart-frame.tsx',
    'charts/line-chart.tsx',
    'charts/plot.tsx',
    'charts/series.ts',
    'charts/spark.tsx',
  ],
  dialogs: ['kit/dialogs/confirm-dialog.tsx', 'kit/dialogs/name-dialog.tsx'],
  filters: [
    'kit/ranges/compare-select.tsx',
    'kit/ranges/date-range.tsx',
    'kit/filters/filter.ts',
    'kit/filters/filter-chips.tsx',
    'kit/picker/picker.tsx',
  ],
  json: ['data/refresh.ts', 'kit/drawers/json-view.tsx', 'kit/long-text.tsx'],
  lists: [
    'data/paged.ts',
    'kit/data-table.tsx',
    'kit/more.tsx',
    'pages/persons/columns.tsx',
    'pages/persons/texts.ts',
  ],
  rankings: [
    'kit/filters/expression.ts',
    'kit/filters/toggled.ts',
    'kit/ranked-list.tsx',
    'kit/stat.tsx',
    'kit/unanswered.tsx',
  ],
  values: [
    'data/settled.ts',
    'kit/picker/choice.ts',
    'kit/picker/sampled.ts',
    'kit/picker/suggestions.ts',
    'kit/picker/use-active.ts',
    'kit/picker/value-input.tsx',
  ],
  flags: [
    'pages/cohort/criteria.ts',
    'pages/flag/diff.tsx',
    'pages/flag/model.ts',
    'pages/flag/propagation.ts',
    'pages/flag/sentence.ts',
    'pages/flag/texts.ts',
    'pages/flag/use-propagation.ts',
  ],
  questions: [
    '../../src/core/charts/duration.ts',
    '../../src/core/charts/names.ts',
    'charts/count.tsx',
    'questions/answer.ts',
    'questions/filters-in.ts',
    'questions/question.ts',
    'questions/result.tsx',
    'questions/texts.ts',
  ],
  lines: ['questions/activity-result.tsx', 'questions/trend-result.tsx'],
}

/** Styles of pages that are used together. The styles of other pages are one more file. */
const STYLES = {
  dashboards: [
    'pages/dashboard/dashboard.css',
    'pages/dashboards/dashboards.css',
    'pages/shared/shared.css',
  ],
  insights: ['pages/insight/insight.css', 'pages/insights/insights.css'],
  people: [
    'pages/cohort/cohort.css',
    'pages/cohorts/cohorts.css',
    'pages/definitions/definitions.css',
    'pages/events/events.css',
    'pages/live/live.css',
    'pages/overview/overview.css',
    'pages/person/person.css',
    'pages/persons/persons.css',
    'pages/web/web.css',
    'styles/data-table.css',
    'styles/ranked.css',
    'styles/stat.css',
  ],
  results: ['questions/result.css'],
}

/** Tells whether a file, by its entry point, waits until the user opens something. */
export function isOpened(source) {
  return OPENED.test(source) || OPENED_GROUP.test(source)
}

/** Members of each group by its name: those that are written down, and what the user opens of each folder. */
const members = readMembers()

const groupOf = new Map(
  [...members].flatMap(([group, names]) => names.map((name) => [join(root, HOME, name), group])),
)

function readMembers() {
  const found = new Map(Object.entries(GROUPS))
  const opened = sources()
    .flatMap(({ path, text }) => loadedLater(path, text))
    .map((path) => relative(join(root, HOME), path))
    .filter((name) => OPENED.test(name))
  for (const name of new Set(opened.sort())) {
    const [top, page] = name.split('/')
    const group = `${top === 'pages' ? page : top}-opened`
    found.set(group, [...(found.get(group) ?? []), name])
  }
  return found
}

/**
 * Makes everything that is loaded later import the entry and its page, which are there by then. So all of
 * the shell is used by all, and becomes one file, and so does a page; else esbuild makes a small one of
 * each part that some share.
 */
export const shellInOne = {
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
export const groupsInOne = {
  name: 'groups in one',
  setup({ onResolve, onLoad, resolve }) {
    onLoad({ filter: /main\.tsx$/ }, ({ path }) => {
      const imports = GROUPS.shell.map((name) => `import './${name}'`)
      return { loader: 'tsx', contents: [readFileSync(path, 'utf8'), ...imports].join('\n') }
    })
    onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (pluginData === groupOf) return undefined
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: groupOf })
      const group = groupOf.get(found.path)
      if (group === undefined || !isOfGroup(kind, group, groupOf.get(importer))) return found
      return { path: group, namespace: 'group' }
    })
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      resolveDir: join(root, HOME),
      contents: members
        .get(path)
        .map((name) => `export * from './${name}'`)
        .join('\n'),
      pluginData: groupOf,
    }))
  },
}

/** Tells whether an import is answered by the group's file. */
function isOfGroup(kind, group, own) {
  if (kind === 'dynamic-import') return true
  return group !== 'shell' && group !== own && !OPENED_GROUP.test(group)
}

/** Entry of the file that has a style. */
export function styleEntry(path) {
  const name = relative(HOME, path)
  const [group] = Object.entries(STYLES).find(([, names]) => names.includes(name)) ?? ['others']
  return `styles:${group}`
}

/** Makes one file of each group of `paths`. */
export function stylesInOne(paths) {
  return {
    name: 'styles in one',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^styles:/ }, ({ path }) => ({
        path: path.slice('styles:'.length),
        namespace: 'styles',
      }))
      onLoad({ filter: /./, namespace: 'styles' }, ({ path }) => ({
        resolveDir: root,
        loader: 'css',
        contents: paths
          .filter((each) => styleEntry(each) === `styles:${path}`)
          .map((each) => `@import './${each}';`)
          .join('\n'),
      }))
    },
  }
}

/** Styles are built by themselves: esbuild would give each page those of all that it may load later. */
export const stylesApart = {
  name: 'styles apart',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'js' }))
  },
}
