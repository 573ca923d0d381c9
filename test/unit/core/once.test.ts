import t from 'tap'
import { once } from '../../../src/core/once.ts'

t.test('a value is made when it is asked for, and once', async (t) => {
  let made = 0
  const value = once(() => ++made)
  t.equal(made, 0)
  t.strictSame([value(), value()], [1, 1])
})

t.test('nothing is a value too', async (t) => {
  let made = 0
  const nothing = once(() => void made++)
  nothing()
  nothing()
  t.equal(made, 1)
})
