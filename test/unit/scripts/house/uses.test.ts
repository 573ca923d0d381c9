import t from 'tap'
import { referenceCheck, referencesOf } from '../../../../scripts/house/references.ts'
import { memoryRepository } from '../../../../scripts/house/repository.ts'
import { readTree } from '../../../../scripts/house/tree.ts'
import { unusedExports } from '../../../../scripts/house/unused.ts'

t.test('exports without a user are told from those with one', (t) => {
  const tree = readTree(
    memoryRepository({
      'src/a.ts': `
        export const used = 1
        export const own = 2
        export const dead = own
        export const tested = 3
        export const testedPart = () => 4
        export const whole = testedPart()
        export type Shape = { readonly of: Part }
        export type Part = number
        export type Gone = string
        export const passed = 5
        export const loaded = 6
      `,
      'src/passes.ts': `export * from './a.ts'`,
      'src/b.ts': `
        import { used, whole, type Shape } from './a.ts'
        import { passed } from './passes.ts'
        const { loaded } = await import('./a.ts')
      `,
      'test/a.test.ts': `import { tested, testedPart } from '../src/a.ts'`,
    }),
  )
  t.strictSame(
    unusedExports(tree, ['src/a.ts']).map(({ name, why }) => [name, why]),
    [
      ['own', 'own'],
      ['dead', 'dead'],
      ['tested', 'tests'],
      ['Gone', 'dead'],
    ],
  )
  t.end()
})

t.test('a file that is imported whole has no unused export', (t) => {
  const tree = readTree(
    memoryRepository({
      'src/a.ts': 'export const a = 1',
      'src/b.ts': `import * as a from './a.ts'`,
    }),
  )
  t.strictSame(unusedExports(tree, ['src/a.ts']), [])
  t.end()
})

t.test('names of files in comments and documents are found', (t) => {
  const code = [
    `/** As \`src/a.ts\` and \`b.ts\` do; see notes.md. */`,
    `const text = 'other.md' // \`gateway/rest/\`, \`npm test\`, \`a.b\``,
    `const url = 'http://x/y.md'`,
  ].join('\n')
  t.strictSame(
    referencesOf('src/x.ts', code).map(({ line, named }) => [line, named]),
    [
      [1, 'notes.md'],
      [1, 'src/a.ts'],
      [1, 'b.ts'],
      [2, 'gateway/rest/'],
    ],
  )
  t.strictSame(
    referencesOf('docs/x.md', 'In [it](adr/1.md): `src/*.ts`, `src`').map(({ named }) => named),
    ['adr/1.md', 'src/*.ts'],
  )
  t.strictSame(
    referencesOf('deploy/x.yaml', 'a: b.md # c.md').map(({ named }) => named),
    ['c.md'],
  )
  t.end()
})

t.test('names of files lead to what they are the end of', (t) => {
  const leads = referenceCheck(
    memoryRepository({ 'src/a/one.ts': '', 'docs/adr/0001.md': '', 'docs/SPEC.md': '' }),
  )
  const cases: readonly [string, boolean][] = [
    ['src/a/one.ts', true],
    ['a/one.ts', true],
    ['one.ts', true],
    ['src/a/', true],
    ['adr/0001.md', true],
    ['src/<room>/one.ts', true],
    ['src/a/*.ts', true],
    ['src/*.ts', false],
    ['ne.ts', false],
    ['src/b/one.ts', false],
    ['two.md', false],
  ]
  for (const [named, expected] of cases)
    t.equal(leads({ path: 'docs/SPEC.md', line: 1, named }), expected, named)
  t.end()
})
