/** `npm run test:changed`: which tests a change reaches. */
import t from 'tap'
import { testsReaching } from '../../../../scripts/testing/changed.mjs'

const IMPORTS = new Map([
  ['src/a.ts', ['src/b.ts']],
  ['src/b.ts', ['src/a.ts', 'src/c.ts']],
  ['src/c.ts', []],
  ['src/main.ts', ['src/a.ts']],
  ['test/support/help.ts', ['src/c.ts']],
  ['test/unit/a.test.ts', ['src/a.ts']],
  ['test/unit/c.test.ts', ['test/support/help.ts']],
  ['test/unit/sql.test.ts', []],
])
const TESTS = [...IMPORTS.keys()].filter((path) => path.endsWith('.test.ts'))
const TEXTS = new Map([
  ['test/unit/sql.test.ts', "readdirSync(join(packageRoot, 'data', 'sql'))"],
  ['src/c.ts', "const folder = 'fixtures/c.json'"],
])

function reachedBy(...changed: string[]) {
  return testsReaching(changed, IMPORTS, TESTS, (path) => TEXTS.get(path) ?? '')
}

t.test('a change reaches what imports it, and what imports that', async (t) => {
  t.same(reachedBy('src/c.ts').tests, ['test/unit/a.test.ts', 'test/unit/c.test.ts'])
  t.same(reachedBy('src/b.ts').tests, ['test/unit/a.test.ts'], 'through a circle')
  t.same(reachedBy('test/support/help.ts').tests, ['test/unit/c.test.ts'])
  t.same(reachedBy('test/unit/sql.test.ts').tests, ['test/unit/sql.test.ts'], 'a test itself')
  t.same(reachedBy('src/a.ts', 'src/b.ts').tests, ['test/unit/a.test.ts'], 'each test once')
  t.same(reachedBy().tests, [])
})

t.test('a file that nobody imports reaches what names it or its folder', async (t) => {
  t.same(reachedBy('data/sql/0001.sql').tests, ['test/unit/sql.test.ts'])
  t.same(reachedBy('fixtures/c.json').tests, ['test/unit/a.test.ts', 'test/unit/c.test.ts'])
})

t.test('a file that no test reaches is reported', async (t) => {
  t.same(reachedBy('src/main.ts', 'README.md', 'src/c.ts').unreached, ['src/main.ts', 'README.md'])
})
