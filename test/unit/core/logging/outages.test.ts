import t from 'tap'
import { OUTAGES_TOLD_MS, Outages } from '../../../../src/core/logging/outages.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createLogLines } from '../../../support/log-lines.ts'

function setUp() {
  const clock = createFakeClock()
  const { log, all } = createLogLines()
  const words = { level: 'warn', away: 'gone', back: 'here again' } as const
  const outages = new Outages({ clock, log }, words)
  const said = () => all().map(({ message, times }) => [message, times ?? 1])
  const flap = async (times: number) => {
    for (let time = 0; time < times; time++) {
      outages.away({ error: new Error(`number ${time}`) })
      await clock.advance(100)
      outages.back()
      await clock.advance(100)
    }
  }
  return { clock, outages, said, all, flap }
}

t.test('one outage is told at once, and so is its end', async (t) => {
  const { clock, outages, said, all } = setUp()
  outages.back()
  outages.away({ error: new Error('why') })
  outages.away({ error: new Error('still') })
  t.same(said(), [['gone', 1]])
  t.match(all()[0], { level: 'warn', error: { message: 'why' } })
  t.equal(outages.state, 'down')
  await clock.advance(3 * OUTAGES_TOLD_MS)
  outages.back({ pid: 7 })
  t.equal(outages.state, 'up')
  t.match(all()[1], { level: 'info', message: 'here again', pid: 7 })
  await clock.advance(3 * OUTAGES_TOLD_MS)
  t.equal(said().length, 2)
})

t.test('many in a minute are one line with their number, and are not called steady', async (t) => {
  const { clock, outages, said, all, flap } = setUp()
  await flap(76)
  t.same(said(), [
    ['gone', 1],
    ['here again', 1],
  ])
  t.equal(outages.state, 'unsteady', 'it works at the moment')
  await clock.advance(OUTAGES_TOLD_MS)
  t.same(said().slice(2), [['gone', 75]])
  t.match(all()[2], { error: { message: 'number 75' } }, 'with the last reason')
  t.equal(outages.state, 'unsteady')
  await clock.advance(OUTAGES_TOLD_MS)
  t.same(said().slice(3), [['here again', 1]], 'after a minute without any')
  t.equal(outages.state, 'up')
  t.equal(clock.timers(), 0)
})

t.test('an outage is logged once a minute, and its end when it is over', async (t) => {
  const { clock, outages, said, flap } = setUp()
  for (let minute = 0; minute < 3; minute++) await flap(OUTAGES_TOLD_MS / 200)
  t.equal(said().filter(([message]) => message === 'gone').length, 4, 'the first, and each minute')
  outages.away()
  t.equal(outages.state, 'down')
  await clock.advance(5 * OUTAGES_TOLD_MS)
  const before = said().length
  t.equal(said().at(-1)?.[0], 'gone')
  outages.back()
  t.same(said().slice(before), [['here again', 1]])
})
