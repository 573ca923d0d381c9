import t from 'tap'
import { mutantsOf } from '../../../scripts/testing/mutate.mjs'

const SOURCE = `import { a } from './a.ts'
export function f(x: 5, list: string[]): boolean {
  if (x < 1_000 && list.length === 0) return true
  a.push(x)
  return x + 1 > 2
}
`

t.test('each mistake changes one place, and tells which', async (t) => {
  const mutants = mutantsOf(SOURCE)
  t.strictSame(
    mutants.map(({ line, before, after }) => `${line}: ${before} -> ${after}`),
    [
      '3: x < 1_000 && list.length === 0 -> !(x < 1_000 && list.length === 0)',
      '3: && -> ||',
      '3: < -> <=',
      '3: 1_000 -> 1001',
      '3: === -> !==',
      '3: 0 -> 1',
      '3: true -> false',
      '4: a.push(x) -> ;',
      '5: > -> >=',
      '5: + -> -',
      '5: 1 -> 2',
      '5: 2 -> 3',
    ],
  )
  const [, flipped] = mutants
  t.equal(flipped?.text, SOURCE.replace('&&', '||'))
})

t.test('types and imports are left alone', async (t) => {
  t.strictSame(mutantsOf("import { a } from 'b'\nexport type C = 1 | true\n"), [])
})
