import t from 'tap'
import type { BoundsRule } from '../../../../src/manage/alerts/rules/alert-rule.ts'
import { judge, type Numbers } from '../../../../src/manage/alerts/rules/judge.ts'

const RULE: BoundsRule = {
  condition: 'absolute_value',
  isShare: false,
  lower: 2,
  upper: 5,
  seriesIndex: 0,
  isOngoing: false,
}
const numbers = (values: readonly number[], complete = values.length): Numbers => ({
  label: 'a',
  values,
  days: [],
  complete,
})
const labelled = (label: string, value: number): Numbers => ({
  label,
  values: [value],
  days: [],
  complete: 1,
})

t.test('a bound itself is within bounds', async (t) => {
  for (const [value, isOutside] of [
    [1.9, true],
    [2, false],
    [5, false],
    [5.1, true],
  ] as const) {
    const { outside, value: shown } = judge(RULE, [numbers([value])])
    t.same([outside.length > 0, shown], [isOutside, value], String(value))
  }
})

t.test('the last complete interval is compared, or the one that runs', async (t) => {
  t.equal(judge(RULE, [numbers([3, 4, 9], 2)]).value, 4)
  t.equal(judge({ ...RULE, isOngoing: true }, [numbers([3, 4, 9], 2)]).value, 9)
  t.same(judge(RULE, [numbers([9], 0)]), { outside: [], compared: [], value: null })
})

t.test(
  'changes are differences or shares; from nothing every change is beyond any share',
  async (t) => {
    const rise: BoundsRule = { ...RULE, condition: 'relative_increase' }
    t.equal(judge(rise, [numbers([4, 10])]).value, 6)
    t.equal(judge({ ...rise, condition: 'relative_decrease' }, [numbers([4, 10])]).value, -6)
    const share: BoundsRule = { ...rise, isShare: true, lower: undefined, upper: 0.5 }
    t.equal(judge(share, [numbers([4, 6])]).value, 0.5)
    t.equal(judge(share, [numbers([4, 6])]).outside.length, 0)
    t.equal(judge(share, [numbers([0, 1])]).outside.length, 1)
    t.equal(judge(share, [numbers([0, 0])]).value, 0)
    t.equal(judge(share, [numbers([-4, -2])]).value, 0.5, 'a rise is a rise below zero too')
    t.same(judge(share, [numbers([4])]).compared, [], 'nothing to compare with')
  },
)

t.test('any value of a breakdown fires, and the first of those stands for the check', async (t) => {
  const judged = judge(RULE, [labelled('in', 3), labelled('low', 1), labelled('high', 9)])
  t.same(
    judged.outside.map(({ label }) => label),
    ['low', 'high'],
  )
  t.equal(judged.value, 1)
})
