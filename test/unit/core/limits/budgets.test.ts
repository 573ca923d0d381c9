import t from 'tap'
import { createBudgets } from '../../../../src/core/limits/budgets.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

t.test('a user of more than is left owes it until the rate has paid', async (t) => {
  const clock = createFakeClock()
  const budgets = createBudgets<string>(clock, { perMs: 2, burst: 100 })
  t.equal(budgets.left('a'), 100)
  budgets.spend('a', 99)
  t.equal(budgets.waitMs('a'), 0, 'something is left')
  budgets.spend('a', 200)
  t.equal(budgets.left('a'), -199)
  t.equal(budgets.left('b'), 100, 'nobody pays for others')
  const waitMs = budgets.waitMs('a')
  t.equal(waitMs, 100)
  await clock.advance(waitMs - 1)
  t.ok(budgets.left('a') <= 0)
  await clock.advance(1)
  t.ok(budgets.left('a') > 0)
  t.equal(budgets.waitMs('a'), 0)
})

t.test('a rest gives back no more than the burst, however many there are', async (t) => {
  const clock = createFakeClock()
  const budgets = createBudgets<number>(clock, { perMs: 1, burst: 10 })
  for (let key = 0; key < 5_000; key++) {
    budgets.spend(key, 8)
    await clock.advance(1)
  }
  await clock.advance(1_000)
  t.equal(budgets.left(4_999), 10)
  budgets.spend(0, 0)
  t.equal(budgets.left(0), 10)
})
