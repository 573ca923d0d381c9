import t from 'tap'
import { withWeeks, zoneOf } from '../../../../src/core/time/zone.ts'
import { nextCheckMs, startBefore } from '../../../../src/manage/alerts/rules/intervals.ts'

const BERLIN = zoneOf('Europe/Berlin')
const text = (ms: number) => new Date(ms).toISOString()
const next = (at: string, interval: Parameters<typeof nextCheckMs>[1], zone = BERLIN) =>
  text(nextCheckMs(Date.parse(at), interval, zone))

t.test('a check is due a minute after the interval, on the clock of the project', async (t) => {
  t.equal(next('2026-11-25T12:30:00Z', 'hourly'), '2026-11-25T13:01:00.000Z')
  t.equal(next('2026-11-25T12:30:00Z', 'daily'), '2026-11-25T23:01:00.000Z')
  t.equal(next('2026-11-25T12:30:00Z', 'weekly'), '2026-11-29T23:01:00.000Z')
  t.equal(next('2026-11-25T12:30:00Z', 'weekly', withWeeks(BERLIN, 0)), '2026-11-28T23:01:00.000Z')
  t.equal(next('2026-11-25T12:30:00Z', 'monthly'), '2026-11-30T23:01:00.000Z')
})

t.test('a check that is on time does not repeat, one before its time is not skipped', async (t) => {
  t.equal(next('2026-11-25T13:01:00Z', 'hourly'), '2026-11-25T14:01:00.000Z')
  t.equal(next('2026-11-25T13:00:59.999Z', 'hourly'), '2026-11-25T13:01:00.000Z')
})

t.test('days of 23 and 25 hours end at midnight', async (t) => {
  t.equal(next('2026-03-28T23:30:00Z', 'daily'), '2026-03-29T22:01:00.000Z')
  t.equal(next('2026-10-24T22:30:00Z', 'daily'), '2026-10-25T23:01:00.000Z')
})

t.test('intervals before the one that runs', async (t) => {
  const now = Date.parse('2026-03-29T10:30:00Z')
  t.equal(text(startBefore(now, 'day', BERLIN, 0)), '2026-03-28T23:00:00.000Z')
  t.equal(text(startBefore(now, 'day', BERLIN, 2)), '2026-03-26T23:00:00.000Z')
  t.equal(text(startBefore(now, 'month', BERLIN, 1)), '2026-01-31T23:00:00.000Z')
})
