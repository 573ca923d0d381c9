import t from 'tap'
import { codeOf, repository, sources } from './tree.ts'

/**
 * Lines, files and folders stay small enough to read. Functions are bounded by their branches, see
 * `biome.json`: a composition root or a statement of SQL may be long.
 */

const COLUMNS_MAX = 100
const LINES_MAX = 400
/** Tables of cases are long and plain. */
const TEST_LINES_MAX = 460
const FOLDER_FILES_MAX = 25

t.test('lines and files keep their size', (t) => {
  const wrong: string[] = []
  for (const path of sources) {
    const lines = repository.text(path).trimEnd().split('\n')
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

// A literal within a literal saves lines for the formatter, and hides what a part is given.
t.test('no literal is spread into a literal', (t) => {
  t.strictSame(
    sources.filter((path) => !path.startsWith('test/') && /\.\.\.\{/.test(codeOf(path))),
    [],
  )
  t.end()
})

t.test(`folders hold at most ${FOLDER_FILES_MAX} files`, (t) => {
  const counts = new Map<string, number>()
  for (const path of sources) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const wrong = [...counts].filter(([, count]) => count > FOLDER_FILES_MAX)
  t.strictSame(
    wrong.map(([folder, count]) => `${folder} holds ${count} files`),
    [],
  )
  t.end()
})
