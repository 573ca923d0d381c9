import fc from 'fast-check'
import t from 'tap'
import { dueTimeAt, SCHEDULES } from '../../../../src/plugins/jobs/due-times.ts'

const at = (time: string) => Date.parse(time)

t.test('slots begin with whole minutes, whole hours and midnight in UTC', async (t) => {
  const now = at('2024-02-29T13:45:59.999Z')
  t.equal(dueTimeAt('runEveryMinute', now), at('2024-02-29T13:45:00Z'))
  t.equal(dueTimeAt('runEveryHour', now), at('2024-02-29T13:00:00Z'))
  t.equal(dueTimeAt('runEveryDay', now), at('2024-02-29T00:00:00Z'))
  t.equal(dueTimeAt('runEveryDay', at('2024-03-01T00:00:00Z')), at('2024-03-01T00:00:00Z'))
})

t.test('the slot that is due has begun, and is younger than a period', async () => {
  const periods = { runEveryMinute: 60_000, runEveryHour: 3_600_000, runEveryDay: 86_400_000 }
  fc.assert(
    fc.property(
      fc.constantFrom(...SCHEDULES),
      fc.integer({ min: 0, max: at('2100-01-01') }),
      fc.nat(3 * 86_400_000),
      (schedule, now, later) => {
        const slot = dueTimeAt(schedule, now)
        const next = dueTimeAt(schedule, now + later)
        const isDue = slot <= now && now - slot < periods[schedule]
        const isInOrder = next >= slot && (next - slot) % periods[schedule] === 0
        const isOwn = dueTimeAt(schedule, slot) === slot
        return isDue && isInOrder && isOwn
      },
    ),
  )
})
