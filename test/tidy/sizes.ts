import t from 'tap'
import { repository, sources, tree } from './tree.ts'

/** Lines, functions, files and folders stay small enough to read. */

const COLUMNS_MAX = 100
const LINES_MAX = 300
/** Tables of cases are long and plain. */
const TEST_LINES_MAX = 460
const FUNCTION_LINES_MAX = 70
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

// Inner functions count too: a closure that holds them all is as hard to follow as one long
// function. Tests are lists of cases; their helpers are held to the bound.
t.test(`functions have at most ${FUNCTION_LINES_MAX} lines`, (t) => {
  const held = sources.filter((path) => !/^test\/(?!support\/)/.test(path))
  const long = held.flatMap((path) =>
    tree
      .functionsOf(path)
      .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
      .map(({ name, line, lines }) => `${path}:${line} ${name} has ${lines} lines`),
  )
  t.strictSame(long, [])
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
