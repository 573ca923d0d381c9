import t from 'tap'
import type { Import } from '../../../../scripts/house/imports.ts'
import { memoryRepository } from '../../../../scripts/house/repository.ts'
import { readTree } from '../../../../scripts/house/tree.ts'

function treeOf(text: string, path = 'src/a/one.ts') {
  return readTree(memoryRepository({ [path]: text }))
}

function importsOf(text: string, path = 'src/a/one.ts'): readonly Import[] {
  return treeOf(text, path).importsOf(path)
}

t.test('every way to name another file is found', (t) => {
  const cases: readonly [string, Import | undefined][] = [
    [
      `import { a, b as c } from './two.ts'`,
      { target: 'src/a/two.ts', kind: 'static', names: ['a', 'b'] },
    ],
    [`import './two.ts'`, { target: 'src/a/two.ts', kind: 'static', names: [] }],
    [
      `import * as all from '../b/two.ts'`,
      { target: 'src/b/two.ts', kind: 'static', names: undefined },
    ],
    [
      `import type { A } from '../../cluster/two.ts'`,
      { target: 'cluster/two.ts', kind: 'type', names: ['A'] },
    ],
    [
      `export { a as b } from './two.ts'`,
      { target: 'src/a/two.ts', kind: 'reexport', names: ['a'] },
    ],
    [`export * from './two.ts'`, { target: 'src/a/two.ts', kind: 'reexport', names: undefined }],
    [
      `const run = async () => (await import('./two.ts')).run`,
      { target: 'src/a/two.ts', kind: 'dynamic', names: ['run'] },
    ],
    [
      `const { a, b: c } = await import('./two.ts')`,
      { target: 'src/a/two.ts', kind: 'dynamic', names: ['a', 'b'] },
    ],
    [
      `const all = await import('./two.ts')`,
      { target: 'src/a/two.ts', kind: 'dynamic', names: undefined },
    ],
    [`let a: import('./two.ts').A.B`, { target: 'src/a/two.ts', kind: 'type', names: ['A'] }],
    [
      `run(new URL('./two.ts', import.meta.url))`,
      { target: 'src/a/two.ts', kind: 'thread', names: undefined },
    ],
    [
      `threadScript('./two', import.meta.url)`,
      { target: 'src/a/two.ts', kind: 'thread', names: undefined },
    ],
    [
      ['const url = new URL(`./two.$', '{extension}`, import.meta.url)'].join(''),
      { target: 'src/a/two.ts', kind: 'thread', names: undefined },
    ],
    [`import { join } from 'node:path'`, undefined],
    [`import ts from 'typescript'`, undefined],
    [`const text = "import { a } from './two.ts'"`, undefined],
    [`// import { a } from './two.ts'`, undefined],
  ]
  for (const [text, expected] of cases) {
    t.strictSame(importsOf(text), expected === undefined ? [] : [expected], text)
  }
  t.end()
})

t.test('only the imports are read of a test that loads nothing later', (t) => {
  const path = 'test/unit/one.test.ts'
  const head = `import t from 'tap'\nimport {\n  a,\n  b,\n} from '../two.ts'\nimport '../three.ts'\n`
  const found = importsOf(`${head}\nt.test('broken from here on', () => {{{`, path)
  t.strictSame(
    found.map(({ target, names }) => [target, names]),
    [
      ['test/two.ts', ['a', 'b']],
      ['test/three.ts', []],
    ],
  )
  const later = `${head}\nt.test('later', async () => import('../four.ts'))\n`
  t.equal(importsOf(later, path).at(-1)?.target, 'test/four.ts')
  t.end()
})

t.test('exports are found by name and kind', (t) => {
  const tree = treeOf(`
    export const a = 1, { b, c: [d] } = f()
    export function f(): object
    export function f(x?: number): object { return { x, a: e } }
    const e = 2
    export class G {}
    export type H = { readonly i: I }
    export interface I {}
    export { e as k, type H as L }
    export * from './two.ts'
    function hidden() {}
  `)
  t.strictSame(
    tree.exportsOf('src/a/one.ts').map(({ name, kind, isUsedHere }) => [name, kind, isUsedHere]),
    [
      ['a', 'value', false],
      ['b', 'value', false],
      ['d', 'value', false],
      ['f', 'value', true],
      ['G', 'value', false],
      ['H', 'type', false],
      ['I', 'type', true],
      ['k', 'value', false],
      ['L', 'type', false],
    ],
  )
  t.end()
})

t.test('titles of tests are whole texts', (t) => {
  const tree = treeOf(`
    t.test('one', async (t) => { t.test("two’s", () => {}) })
    t.test(\`three\`, { timeout: 1 }, () => {})
    t.test(\`not \${known}\`, () => {})
    t.equal('four', 'five')
    pattern.test('six')
  `)
  t.strictSame(tree.testTitlesOf('src/a/one.ts'), ['one', 'two’s', 'three', 'six'])
  t.end()
})
