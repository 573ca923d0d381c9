import t from 'tap'
import { fragment, render, wholeNumbers } from '../../../src/postgres/fragment.ts'

t.test('whole numbers are a part of the text, and nothing else is', (t) => {
  const some = wholeNumbers([1, -2n, '9007199254740993', '-253402300799999999'])
  t.strictSame(render(fragment`a in (${some}) and b = ${'c'}`), {
    text: 'a in (1, -2, 9007199254740993, -253402300799999999) and b = $1::text',
    values: ['c'],
  })
  t.strictSame(render(wholeNumbers([])), { text: '', values: [] })
  for (const other of ['', '1)', '1 or 1', '1.5', '1e3', '--1', '١', '1\n', 'null', '0x1']) {
    t.throws(() => wholeNumbers([1, other]), { message: /no whole number/ }, other)
  }
  for (const other of [1.5, NaN, Infinity, 1e21]) t.throws(() => wholeNumbers([other]))
  t.end()
})
