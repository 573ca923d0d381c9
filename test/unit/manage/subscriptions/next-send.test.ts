import t from 'tap'
import { UTC, zoneOf } from '../../../../src/core/time/zone.ts'
import {
  isTime,
  nextAfterChange,
  nextSendMs,
  type Schedule,
} from '../../../../src/manage/subscriptions/rules/next-send.ts'

const BERLIN = zoneOf('Europe/Berlin')
const DAILY: Schedule = { frequency: 'daily', dayOfWeek: 1, dayOfMonth: 1, timeOfDay: '09:00' }
const WEEKLY: Schedule = { ...DAILY, frequency: 'weekly' }
const MONTHLY: Schedule = { ...DAILY, frequency: 'monthly' }

function next(at: string, schedule: Schedule, zone = BERLIN): string {
  return new Date(nextSendMs(Date.parse(at), schedule, zone)).toISOString()
}

t.test('the next time is later, on the clock of the project', async (t) => {
  t.equal(next('2026-11-25T07:59:59Z', DAILY), '2026-11-25T08:00:00.000Z')
  t.equal(next('2026-11-25T08:00:00Z', DAILY), '2026-11-26T08:00:00.000Z', 'never twice at once')
  t.equal(
    next('2026-11-25T23:30:00Z', { ...DAILY, timeOfDay: '00:15' }),
    '2026-11-26T23:15:00.000Z',
  )
  t.equal(next('2026-11-25T12:00:00Z', DAILY, UTC), '2026-11-26T09:00:00.000Z')
})

t.test('a week has each day once: 1 is Monday, 7 is Sunday', async (t) => {
  const days = ([1, 2, 3, 4, 5, 6, 7] as const).map((dayOfWeek) =>
    next('2026-11-25T12:00:00Z', { ...WEEKLY, dayOfWeek }, UTC).slice(0, 10),
  )
  t.strictSame(days, [
    ...['2026-11-30', '2026-12-01', '2026-12-02', '2026-11-26'],
    ...['2026-11-27', '2026-11-28', '2026-11-29'],
  ])
})

t.test('a shorter month has its last day', async (t) => {
  const of = (dayOfMonth: number, at: string) =>
    next(at, { ...MONTHLY, dayOfMonth }, UTC).slice(0, 10)
  t.equal(of(31, '2026-01-15T00:00:00Z'), '2026-01-31')
  t.equal(of(31, '2026-01-31T09:00:00Z'), '2026-02-28')
  t.equal(of(31, '2026-02-28T09:00:00Z'), '2026-03-31')
  t.equal(of(30, '2028-02-01T00:00:00Z'), '2028-02-29')
  t.equal(of(1, '2026-12-01T09:00:00Z'), '2027-01-01')
  t.equal(of(29, '2027-01-29T09:00:00Z'), '2027-02-28')
})

t.test(
  'a time that clocks skip is their change, one that they show twice counts once',
  async (t) => {
    const at = (timeOfDay: string) => ({ ...DAILY, timeOfDay })
    t.equal(next('2026-03-28T12:00:00Z', at('02:30')), '2026-03-29T01:00:00.000Z')
    t.equal(next('2026-03-29T01:00:00Z', at('02:30')), '2026-03-30T00:30:00.000Z')
    t.equal(next('2026-10-24T12:00:00Z', at('02:30')), '2026-10-25T00:30:00.000Z')
    t.equal(next('2026-10-25T00:30:00Z', at('02:30')), '2026-10-26T01:30:00.000Z')
    t.equal(next('2026-10-24T08:00:00Z', DAILY), '2026-10-25T08:00:00.000Z', 'a day of 25 hours')
  },
)

t.test('a day that a zone has not is passed over', async (t) => {
  const apia = zoneOf('Pacific/Apia')
  t.equal(next('2011-12-29T20:00:00Z', DAILY, apia), '2011-12-30T10:00:00.000Z')
  t.equal(next('2011-12-30T10:00:00Z', DAILY, apia), '2011-12-30T19:00:00.000Z')
})

t.test('a time of a day has two digits for hours and minutes', async (t) => {
  for (const text of ['00:00', '09:30', '23:59']) t.ok(isTime(text), text)
  for (const text of ['', '24:00', '9:30', '09:60', '09:30:00', '0930']) t.notOk(isTime(text), text)
})

t.test('a time that has come stays after a change, unless the schedule is another', async (t) => {
  const due = { ...DAILY, enabled: true, nextSendAt: '2026-11-25T08:00:00.000000Z' }
  const after = (changed: object, at = '2026-11-25T08:00:01Z', before = due) => {
    const next = nextAfterChange(Date.parse(at), before, { ...before, ...changed }, BERLIN)
    return new Date(next).toISOString()
  }
  const tomorrow = '2026-11-26T08:00:00.000Z'
  t.equal(after({ title: 'Another' }), '2026-11-25T08:00:00.000Z')
  t.equal(after({ timeOfDay: '10:00' }), '2026-11-25T09:00:00.000Z')
  t.equal(after({ title: 'Another' }, '2026-11-25T07:00:00Z'), '2026-11-25T08:00:00.000Z')
  t.equal(after({ enabled: true }, undefined, { ...due, enabled: false }), tomorrow, 'switched on')
})
