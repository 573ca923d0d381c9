import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import t from 'tap'
import { packageRoot } from '../src/core/package-root.ts'

/** Checks of the source itself: what a review finds twice becomes a rule here. */

const GENERATED = /^(?:proto\/gen|gateway\/client)\//
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.tap', '.data'])

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder)).flatMap((name) => {
    if (SKIPPED.has(name)) return []
    const path = folder === '' ? name : `${folder}/${name}`
    return statSync(join(packageRoot, path)).isDirectory() ? filesBelow(path) : [path]
  })
}

const files = filesBelow('')
const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8')
const sources = files.filter((path) => path.endsWith('.ts') && !GENERATED.test(path))
const product = sources.filter((path) => /^(?:src|gateway|cluster)\//.test(path))

t.test('the rules below see the tree', (t) => {
  for (const folder of ['src/core', 'gateway/http', 'cluster/nats', 'test/unit', 'bench']) {
    t.ok(
      sources.some((source) => source.startsWith(`${folder}/`)),
      folder,
    )
  }
  t.end()
})

/** Code without comments: rules about words mean code, not sentences. */
function codeOf(path: string): string {
  return text(path)
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
}

/** Paths that a file imports from this project, from the root. */
function importsOf(path: string): string[] {
  const found: string[] = []
  for (const [, target] of text(path).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)) {
    if (target === undefined) continue
    found.push(relative(packageRoot, resolve(packageRoot, dirname(path), target)))
  }
  return found
}

/**
 * Who may import whom: the first line whose `of` is the start of the path holds. Composition roots
 * (`src/cli`, `src/worker*.ts`, `gateway/gateway.ts`) may import anything of their side.
 */
const DIRECTIONS: readonly { of: string; may: readonly string[] }[] = [
  { of: 'src/core/', may: ['src/core/'] },
  { of: 'src/flags/', may: ['src/flags/', 'src/core/'] },
  {
    of: 'src/ingest/wire-group.ts',
    may: ['src/ingest/', 'src/core/', 'src/project/ports.ts', 'proto/gen/'],
  },
  { of: 'src/ingest/', may: ['src/ingest/', 'src/core/', 'src/project/ports.ts'] },
  { of: 'src/persons/', may: ['src/persons/', 'src/ingest/', 'src/core/'] },
  { of: 'src/actor/', may: ['src/actor/', 'src/core/'] },
  {
    of: 'src/project/',
    may: [
      'src/project/',
      'src/actor/',
      'src/flags/',
      'src/ingest/',
      'src/plugins/ports.ts',
      'src/core/',
    ],
  },
  {
    of: 'src/store/',
    may: [
      'src/store/',
      'cluster/shard-store.ts',
      'src/project/ports.ts',
      'src/flags/',
      'src/ingest/',
      'src/persons/',
      'src/plugins/ports.ts',
      'src/plugins/config-schema.ts',
      'src/core/',
    ],
  },
  { of: 'src/query/', may: ['src/query/', 'src/store/', 'src/flags/', 'src/ingest/', 'src/core/'] },
  { of: 'src/admin/', may: ['src/admin/', 'src/store/', 'src/core/'] },
  { of: 'src/plugins/sandbox/', may: ['src/plugins/', 'src/core/'] },
  { of: 'src/plugins/builtin/', may: ['src/plugins/', 'src/core/'] },
  {
    of: 'src/plugins/',
    may: [
      'src/plugins/',
      'src/store/',
      'src/mail/',
      'src/ingest/',
      'src/query/elements-chain.ts',
      'src/project/ports.ts',
      'src/core/',
    ],
  },
  { of: 'src/mail/', may: ['src/mail/', 'src/store/', 'src/core/'] },
  {
    of: 'src/rpc/',
    may: ['src/', 'cluster/', 'proto/gen/'],
  },
  { of: 'src/cli/', may: ['src/', 'gateway/', 'cluster/', 'proto/gen/', 'bench/'] },
  { of: 'src/', may: ['src/', 'cluster/', 'proto/gen/'] },
  { of: 'cluster/', may: ['cluster/', 'src/core/'] },
  { of: 'gateway/', may: ['gateway/', 'cluster/', 'proto/gen/', 'src/core/', 'src/ingest/'] },
]

t.test('imports point one way', (t) => {
  const isAllowed = (path: string, target: string) =>
    DIRECTIONS.find(({ of }) => path.startsWith(of))?.may.some((start) => target.startsWith(start))
  const wrong = product.flatMap((path) =>
    importsOf(path)
      .filter((target) => !isAllowed(path, target))
      .map((target) => `${path} imports ${target}`),
  )
  t.strictSame(wrong, [])
  t.end()
})

t.test('only the command line may import the commands, and nothing the worker but them', (t) => {
  const others = product.filter((path) => !/^src\/(?:cli\/|worker)/.test(path))
  const wrong = others.flatMap((path) =>
    importsOf(path)
      .filter((target) => /^src\/(?:cli\/|worker)/.test(target))
      .map((target) => `${path} imports ${target}`),
  )
  t.strictSame(wrong, [])
  t.end()
})

const COLUMNS_MAX = 100
const LINES_MAX = 300
/** Tables of cases are long and plain. */
const TEST_LINES_MAX = 460

t.test('lines and files keep their size', (t) => {
  const wrong: string[] = []
  for (const path of sources) {
    const lines = text(path).trimEnd().split('\n')
    const bound = /^(?:test|bench)\//.test(path) ? TEST_LINES_MAX : LINES_MAX
    if (lines.length > bound) wrong.push(`${path} has ${lines.length} lines of ${bound} allowed`)
    if (path.startsWith('test/')) continue
    for (const [index, line] of lines.entries()) {
      // A text that cannot be broken, such as a pattern or a message, may be longer.
      const long = [...line].length > COLUMNS_MAX && !/['"`/]/.test(line)
      if (long) wrong.push(`${path}:${index + 1} is wider than ${COLUMNS_MAX} columns`)
    }
  }
  t.strictSame(wrong, [])
  t.end()
})

/** Words with the only places that may hold them. */
const BANNED: readonly { word: RegExp; homes: RegExp; why: string }[] = [
  { word: /from 'nats'/, homes: /^(?:cluster\/nats\/|test\/)/, why: 'one folder knows NATS' },
  {
    word: /from 'redis'/,
    homes: /^(?:gateway\/cache\/redis-link\.ts|test\/)/,
    why: 'one file knows Redis',
  },
  { word: /(?::|<|\bas) any\b/, homes: /^$/, why: 'any lets go of the types' },
  { word: /^\s*(?:export )?(?:const )?enum /m, homes: /^$/, why: 'unions instead of enum' },
  { word: /\bsetInterval\(/, homes: /^$/, why: 'a loop that can be awaited instead' },
  { word: /@ts-(?:ignore|nocheck|expect-error)/, homes: /^$/, why: 'types are not let go' },
  {
    word: /\bDate\.now\(/,
    // What runs in the interpreter has its clock.
    homes: /^(?:src\/core\/clock\.ts|src\/plugins\/sandbox\/vm\/|test\/|bench\/)/,
    why: 'time comes from Clock',
  },
  {
    word: /\bperformance\.now\(/,
    homes: /^(?:src\/core\/clock\.ts|test\/|bench\/)/,
    why: 'time comes from Clock',
  },
  {
    word: /(?<![.\w])setTimeout\(/,
    homes: /^(?:src\/core\/clock\.ts|test\/|bench\/)/,
    why: 'timers come from Clock',
  },
  {
    word: /\bprocess\.env\b/,
    homes: /^(?:src\/core\/config\.ts|gateway\/http\/uws-binary\.ts|test\/|bench\/)/,
    why: 'one reader of the environment',
  },
  {
    word: /uWebSockets\.js['"]/,
    homes: /^(?:gateway\/http\/uws-binary\.ts|test\/|bench\/)/,
    why: 'one place loads it',
  },
  {
    word: /\b(?:TODO|FIXME|XXX)\b/,
    homes: /^test\/tidy\.test\.ts$/,
    why: 'nothing is left for later',
  },
  {
    word: /\bsql\.reserve\(/,
    homes: /^bench\//,
    why: 'a reserved connection hangs when Postgres dies',
  },
  {
    word: /from 'postgres'/,
    homes: /^(?:src\/store\/|src\/project\/ports\.ts|test\/|bench\/)/,
    why: 'SQL lives in src/store',
  },
]

t.test('banned words stay in their homes', (t) => {
  const wrong: string[] = []
  for (const path of sources) {
    if (path === 'test/tidy.test.ts') continue
    const code = codeOf(path)
    for (const { word, homes, why } of BANNED) {
      if (!homes.test(path) && word.test(code)) wrong.push(`${path}: ${why}`)
    }
  }
  t.strictSame(wrong, [])
  t.end()
})

t.test('SQL is written in src/store', (t) => {
  const others = product.filter((path) => !path.startsWith('src/store/'))
  t.strictSame(
    others.filter((path) => /\b(?:sql|tx|db)(?:<[^>]*>)?`/.test(codeOf(path))),
    [],
  )
  t.end()
})

t.test('every source file of the product is used', (t) => {
  const entries = new Set([
    'src/cli/main.ts',
    'gateway/body/body-worker.ts', // A thread's script.
    'src/plugins/sandbox/sandbox-worker.ts', // Another one.
  ])
  const used = new Set(files.filter((path) => path.endsWith('.ts')).flatMap(importsOf))
  const usedByProduct = new Set(product.flatMap(importsOf))
  // What tests and benches share with the product may be theirs alone.
  const isUsed = (path: string) =>
    usedByProduct.has(path) || (path.startsWith('src/core/') && used.has(path))
  t.strictSame(
    product.filter((path) => !entries.has(path) && !isUsed(path)),
    [],
  )
  t.end()
})

t.test('every bound is used', (t) => {
  const isBounds = (path: string) => /^src\/core\/limits[\w-]*\.ts$/.test(path)
  const code = sources
    .filter((path) => !isBounds(path))
    .map(text)
    .join('\n')
  const bounds = sources.filter(isBounds).map(text).join('\n')
  for (const [, name] of bounds.matchAll(/^export const (\w+)/gm)) {
    t.ok(code.includes(name ?? ''), name ?? '')
  }
  t.end()
})

t.test('no test is skipped or kept for itself', (t) => {
  const wrong = sources
    .filter((path) => path.startsWith('test/') && path !== 'test/tidy.test.ts')
    .filter((path) => /\.(?:skip|todo|only)\(|\b(?:skip|todo|only): *true/.test(codeOf(path)))
  t.strictSame(wrong, [])
  t.end()
})

const documents = files.filter((path) => path.endsWith('.md'))

t.test('links between documents lead somewhere', (t) => {
  for (const path of documents) {
    for (const [, target] of text(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      const linked = resolve(packageRoot, dirname(path), target ?? '')
      t.ok(statSync(linked, { throwIfNoEntry: false }) !== undefined, `${path} links to ${target}`)
    }
  }
  t.end()
})

t.test('nothing names a folder of the machine it was written on', (t) => {
  const machine = /(?:^|[\s'"`(])\/(?:work|root|home\/[a-z]+)\//m
  const wrong = files
    .filter((path) => /\.(?:ts|mjs|md|json|proto|sql|ya?ml)$/.test(path))
    .filter((path) => path !== 'test/tidy.test.ts' && machine.test(text(path)))
  t.strictSame(wrong, [])
  t.end()
})

t.test('every invariant of SPEC names a test that exists', (t) => {
  const spec = text('docs/SPEC.md')
  const rows = [...spec.matchAll(/^\| (I\d+) \|.*\| `([^`]+)`: ([^|]+) \|$/gm)]
  t.ok(rows.length >= 15, `${rows.length} invariants`)
  const ids = rows.map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'numbers are used once')
  for (const [, id, path, title] of rows) {
    const exists = files.includes(path ?? '')
    t.ok(exists, `${id}: ${path} exists`)
    if (exists)
      t.ok(text(path ?? '').includes((title ?? '').trim()), `${id}: ${path} has "${title?.trim()}"`)
  }
  t.end()
})
