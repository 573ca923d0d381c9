/**
 * Writes docs/CLIENTS.md from the catalogue, the snippets, and the results of the last full run.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { packageRoot } from '../src/core/package-root.ts'
import { CLIENTS, type Client, FEATURES, type Feature } from '../test/clients/catalogue.ts'
import { DOCUMENTED } from '../test/clients/documented.ts'
import { OUTCOMES, type Outcome } from '../test/clients/support/outcome.ts'

const MARKS = { passed: '✓', failed: '✗', fault: '✗', unknown: '?', absent: '–' } as const

const INTRODUCTION = `# Client libraries

These libraries work with Sluice after you change their host, and nothing else. This page is
written by \`npm run test:clients\`: it installs every version named here, drives it against a
running server, and compares what was stored and what the client got. \`npm test\` runs the
newest version of each. Versions between two rows behave like these.

✓ works, ✗ does not (the reason is below the client's snippet), – the version has no such feature.
`

function matrix(): string {
  const head = `| Client | Version | ${FEATURES.join(' | ')} |`
  const rule = `| --- | --- | ${FEATURES.map(() => ':-:').join(' | ')} |`
  const rows = CLIENTS.flatMap((client) =>
    versionsNewestFirst(client).map((version) => {
      const outcome = outcomeOf(client, version)
      const marks = FEATURES.map((feature) => markOf(client, outcome, feature))
      return `| ${client.name} | ${version} | ${marks.join(' | ')} |`
    }),
  )
  return [head, rule, ...rows].join('\n')
}

function versionsNewestFirst({ newest, older }: Client): readonly string[] {
  return [newest, ...older.toReversed()]
}

function markOf(client: Client, outcome: Outcome | undefined, feature: Feature): string {
  if (client.without.includes(feature)) return MARKS.absent
  if (outcome === undefined) return MARKS.unknown
  return MARKS[outcome.features[feature] ?? 'absent']
}

function outcomeOf({ name }: Client, version: string): Outcome | undefined {
  const path = join(OUTCOMES, `${name}@${version}.json`.replaceAll('/', '+'))
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Outcome) : undefined
}

function section({ name }: Client): string {
  const documented = DOCUMENTED[name]
  if (documented === undefined) throw new Error(`${name} is not documented`)
  const { title, snippets, notes } = documented
  const code = snippets.map((file) => {
    const path = join(packageRoot, 'test', 'clients', 'snippets', file)
    return `\`\`\`${LANGUAGES[extname(file)] ?? ''}\n${readFileSync(path, 'utf8').trim()}\n\`\`\``
  })
  const list = notes.map((note) => `- ${note}`).join('\n')
  return [`### ${title}`, ...code, ...(list === '' ? [] : [list])].join('\n\n')
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '.mjs': 'js',
  '.html': 'html',
  '.py': 'python',
}

const page = [
  INTRODUCTION,
  matrix(),
  '\n## Snippets\n\nWith your own address and project key; each is run by a test.\n',
  CLIENTS.map(section).join('\n\n'),
  '',
].join('\n')
writeFileSync(join(packageRoot, 'docs', 'CLIENTS.md'), page)
