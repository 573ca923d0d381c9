import t from 'tap'
import { codeOf, isRule, mayHoldSql, product, sources } from './tree.ts'

/** Files that read JSON of ours, code of the interpreter, and the client, which stands alone. */
const HOMES_OF_JSON_PARSE = new RegExp(
  [
    String.raw`^src/core/(?:json-text/.*|package-root)\.ts`,
    '^src/(?:cli|core/logging|plugins/sandbox/vm|embedded|backup)/',
    String.raw`^src/(?:flags/local/remote-payload|plugins/host/memory-cache|wire/body-error)\.ts`,
    String.raw`^src/(?:query/list/export-cursor|manage/privacy/person-export)\.ts`,
    String.raw`^gateway/(?:client/runtime|console/data/json|public/scripts)\.ts`,
    '^(?:cluster|test|bench|scripts)/',
  ].join('|'),
)

/** Words with the only places that may hold them. */
const BANNED: readonly { word: RegExp; homes: RegExp; why: string }[] = [
  { word: /from 'nats'/, homes: /^(?:cluster\/nats\/|test\/)/, why: 'one folder knows NATS' },
  {
    word: /from 'redis'/,
    homes: /^(?:gateway\/cache\/redis-link\.ts|test\/)/,
    why: 'one file knows Redis',
  },
  {
    word: /from '@clickhouse\/client'/,
    homes: /^(?:src\/clickhouse\/|test\/)/,
    why: 'one folder knows ClickHouse',
  },
  { word: /(?::|<|\bas) any\b/, homes: /^$/, why: 'any lets go of the types' },
  { word: /^\s*(?:export )?(?:const )?enum /m, homes: /^$/, why: 'unions instead of enum' },
  { word: /\bsetInterval\(/, homes: /^$/, why: 'a loop that can be awaited instead' },
  { word: /@ts-(?:ignore|nocheck|expect-error)/, homes: /^$/, why: 'types are not let go' },
  {
    word: /\bDate\.now\(/,
    // Code of the interpreter has its own clock.
    homes:
      /^(?:src\/core\/clock\.ts|src\/plugins\/sandbox\/vm\/|gateway\/console\/data\/timers\.ts|test\/|bench\/)/,
    why: 'time comes from Clock',
  },
  {
    word: /\bperformance\.now\(/,
    homes: /^(?:src\/core\/clock\.ts|gateway\/console\/data\/timers\.ts|test\/|bench\/)/,
    why: 'time comes from Clock',
  },
  {
    word: /(?<![.\w])setTimeout\(/,
    homes: /^(?:src\/core\/clock\.ts|gateway\/console\/data\/timers\.ts|test\/|bench\/)/,
    why: 'timers come from Clock',
  },
  {
    word: /\bprocess\.env\b/,
    homes: /^(?:src\/core\/config\/config\.ts|gateway\/http\/uws-binary\.ts|test\/|bench\/)/,
    why: 'one reader of the environment',
  },
  {
    word: /uWebSockets\.js['"]/,
    homes: /^(?:gateway\/http\/uws-binary\.ts|test\/|bench\/)/,
    why: 'one place loads it',
  },
  {
    word: /\bJSON\.parse\(/,
    homes: HOMES_OF_JSON_PARSE,
    why: 'parseJson reads what others wrote',
  },
  {
    word: /\b(?:TODO|FIXME|XXX)\b/,
    homes: /^$/,
    why: 'nothing is left for later',
  },
  {
    word: /\bsql\.reserve\(/,
    homes: /^bench\//,
    why: 'a reserved connection hangs when Postgres dies',
  },
  {
    word: /\b(?:page|shown)\.(?:click|focus|type|url)\(/,
    homes: /^(?!test\/console\/[\w-]+\.test\.ts$)/,
    why: 'test/console/support/actions.ts does it once it can be done',
  },
  {
    word: /from 'postgres'/,
    homes: /^(?:src\/postgres\/|src\/core\/sql\.ts|test\/|bench\/)/,
    why: 'one room knows the driver',
  },
]

t.test('banned words stay in their homes', (t) => {
  const wrong: string[] = []
  for (const path of sources) {
    if (isRule(path)) continue
    const code = codeOf(path)
    for (const { word, homes, why } of BANNED) {
      if (!homes.test(path) && word.test(code)) wrong.push(`${path}: ${why}`)
    }
  }
  t.strictSame(wrong, [])
  t.end()
})

t.test('SQL is written in the rooms of SQL', (t) => {
  const others = product.filter((path) => !mayHoldSql(path))
  t.strictSame(
    others.filter((path) => /\b(?:sql|tx|db)(?:<[^>]*>)?`/.test(codeOf(path))),
    [],
  )
  t.end()
})

t.test('no test is skipped or kept for itself', (t) => {
  const wrong = sources
    .filter((path) => path.startsWith('test/') && !isRule(path))
    .filter((path) => /\.(?:skip|todo|only)\(|\b(?:skip|todo|only): *true/.test(codeOf(path)))
  t.strictSame(wrong, [])
  t.end()
})
