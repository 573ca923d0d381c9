import t from 'tap'
import { repository, tree } from './tree.ts'

/** Openings and words that hide the noun of a comment, a test's title or a decision's title. */
const OPENINGS = ['What', 'Who', 'Whose', 'Whom', 'Of', 'Those', 'Which']
const VAGUE = ['somebody', 'elsewhere', 'goes on']

const OPENING = new RegExp(`^(?:${OPENINGS.join('|')})\\b`, 'i')
const WORD = new RegExp(`\\b(?:${VAGUE.join('|')})\\b`, 'i')
const COMMENT = /(?<![/'"`])\/\*[\s\S]*?\*\/|(?:(?<=^|[^:'"`\\\n])\/\/.*(?:\n[ \t]*\/\/.*)*)/gm
const OTHERS = /^(?:proto\/gen|gateway\/client\/(?:calls|types))|fixtures/

t.test('comments open with a noun', (t) => {
  const wrong = repository.paths
    .filter((path) => /\.(?:[cm]?[jt]sx?|proto)$/.test(path) && !OTHERS.test(path))
    .flatMap((path) => commentsOf(repository.text(path)).map((words) => ({ path, words })))
    .filter(({ words }) => OPENING.test(words) || WORD.test(words.replace(/`[^`]*`/g, '')))
  t.strictSame(
    wrong.map(({ path, words }) => `${path}: ${words}`),
    [],
  )
  t.end()
})

t.test('titles of tests and of decisions open with a noun', (t) => {
  const tests = tree.sources.filter((path) => /^test\/.*\.ts$/.test(path))
  const titles = [
    ...tests.flatMap((path) => tree.testTitlesOf(path)),
    ...repository.paths
      .filter((path) => /^docs\/adr\/\d+.*\.md$/.test(path))
      .map((path) => repository.text(path).replace(/^# \d+\. (.*)\n[\s\S]*$/, '$1')),
  ]
  t.strictSame(
    titles.filter((title) => OPENING.test(title) || WORD.test(title)),
    [],
  )
  t.end()
})

/** Words of each comment of a source, one line each. */
function commentsOf(source: string): readonly string[] {
  return [...source.matchAll(COMMENT)].map(([comment]) =>
    comment
      .replace(/^\/\*+|\*+\/$|^[ \t]*(?:\/\/|\*)/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}
