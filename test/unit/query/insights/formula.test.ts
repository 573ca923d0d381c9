import t from 'tap'
import { formulaValue, parseFormula } from '../../../../src/query/insights/formula.ts'

function value(text: string, ...series: readonly number[]): number | string {
  const formula = parseFormula(text, series.length)
  return formula.ok ? formulaValue(formula.value, series) : formula.error
}

t.test('precedence of operators', async (t) => {
  t.equal(value('A + B * C', 1, 2, 3), 7)
  t.equal(value('(A + B) * C', 1, 2, 3), 9)
  t.equal(value('A - B - C', 10, 3, 2), 5)
  t.equal(value('2 ** 3 ** 2'), 512)
  t.equal(value('-A ** 2', 3), -9)
  t.equal(value('2 ** -1'), 0.5)
  t.equal(value('a/b', 1, 4), 0.25)
  t.equal(value('--A', 2), 2)
})

t.test('zero is a number, and nothing is infinite', async (t) => {
  t.equal(value('1 + A / B', 5, 0), 1)
  t.equal(value('A % B', -7, 3), -1)
  t.equal(value('A % 0 + 2', 7), 2)
  t.equal(value('10 ** 400'), 0)
  t.equal(value('(0 - 1) ** 0.5'), 0)
  t.ok(Object.is(value('0 * -1'), 0))
})

t.test('texts that are no formula', async (t) => {
  t.match(value('A + C', 1, 2), /no series C/)
  t.match(value('A +', 1), /too early/)
  t.match(value('(A', 1), /not closed/)
  t.match(value('A B', 1, 2), /go on with "B"/)
  t.match(value('A $ 1', 1), /character at 2/)
  t.match(value('AB', 1), /cannot have "AB"/)
  t.match(value('', 1), /too early/)
  t.match(value('-'.repeat(500), 1), /64 levels/)
  t.match(value(`${'('.repeat(400)}A`, 1), /64 levels/)
  t.match(value('1'.repeat(1_001)), /1000 characters/)
})
