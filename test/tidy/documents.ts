import { dirname, posix } from 'node:path'
import t from 'tap'
import { referenceCheck, referencesOf } from '../../scripts/house/references.ts'
import { repository } from './tree.ts'

/** Files that documents and comments name exist. */

const { paths, text } = repository
const documents = paths.filter((path) => path.endsWith('.md'))
const DECISION_LINES_MAX = 35

t.test('links between documents lead somewhere', (t) => {
  const known = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]))
  for (const path of documents) {
    for (const [, target = ''] of text(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      const linked = posix.join(dirname(path), target).replace(/\/$/, '')
      t.ok(known.has(linked), `${path} links to ${target}`)
    }
  }
  t.end()
})

t.test('decisions: the index has each once, sources name those that are left', (t) => {
  const decisions = paths.filter((path) => /^docs\/adr\/\d{4}-[^/]*\.md$/.test(path))
  const rows = text('docs/adr/README.md').matchAll(/^\| \[\d+\]\(([^)]+)\)/gm)
  const listed = [...rows].map(([, target = '']) => `docs/adr/${target}`)
  t.strictSame(listed.sort(), decisions.sort())
  const long = decisions.filter(
    (path) => text(path).trimEnd().split('\n').length > DECISION_LINES_MAX,
  )
  t.strictSame(long, [])
  const numbers = new Set(decisions.map((path) => Number(path.slice('docs/adr/'.length, 13))))
  const wrong = paths
    .filter((path) => /\.(?:md|ts|tsx|mjs|proto)$/.test(path))
    .flatMap((path) =>
      [...text(path).matchAll(/\bADR (\d+)/g)]
        .filter(([, number]) => !numbers.has(Number(number)))
        .map(([named]) => `${path} names ${named}`),
    )
  t.strictSame(wrong, [])
  t.end()
})

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

t.test('files that documents and comments name are in the repository', (t) => {
  const read = paths.filter(
    (path) =>
      /\.(?:md|ts|mts|mjs|sql|proto|ya?ml)$/.test(path) &&
      !/^(?:test\/fixtures|proto\/gen|test\/tidy|test\/unit\/scripts\/house)\//.test(path),
  )
  const isThere = referenceCheck(repository)
  // Decisions, releases and figures are of their time: sources that they name may be gone since.
  const isOfItsTime = (path: string) =>
    /^(?:docs\/adr\/|docs\/BENCHMARKS\.md$|CHANGELOG\.md$)/.test(path)
  const wrong = read
    .flatMap((path) => referencesOf(path, text(path)))
    .filter(({ path, named }) => named.endsWith('.md') || !isOfItsTime(path))
    .filter((reference) => !isThere(reference))
    .map(({ path, line, named }) => `${path}:${line} names ${named}`)
  t.strictSame(wrong, [])
  t.end()
})

t.test('nothing names a folder of the machine it was written on', (t) => {
  const machine = /(?:^|[\s'"`(])\/(?:work|root|home\/[a-z]+)\//m
  const wrong = paths
    .filter((path) => /\.(?:ts|mjs|md|json|proto|sql|ya?ml)$/.test(path))
    .filter((path) => !path.startsWith('test/tidy/') && machine.test(text(path)))
  t.strictSame(wrong, [])
  t.end()
})
