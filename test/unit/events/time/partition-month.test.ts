import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { reachesInto } from '../../../../src/events/time/partition-month.ts'

/** Microseconds of a moment, moved by some. */
const at = (text: string, more = 0n) => String(BigInt(Date.parse(text)) * 1_000n + more)

/** After and before are outside of what is read. */
const selection = (after: string | undefined, before: string) => ({
  ...{ project: projectId(1), after, before, event: undefined, distinctId: undefined },
  ...{ personId: undefined, where: undefined, needsPerson: false },
})

t.test('a month is reached from its first microsecond to its last', async (t) => {
  const [first, next] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z']
  const old = at('2020-01-01T00:00:00Z')
  t.notOk(reachesInto(selection(old, at(first)), 'y2026m03'))
  t.ok(reachesInto(selection(old, at(first, 1n)), 'y2026m03'))
  const late = at('2030-01-01T00:00:00Z')
  t.ok(reachesInto(selection(at(next, -2n), late), 'y2026m03'))
  t.notOk(reachesInto(selection(at(next), late), 'y2026m03'))
  t.ok(reachesInto(selection(undefined, at(first, 1n)), 'y2026m03'))
  t.notOk(reachesInto(selection(undefined, at(first)), 'y2026m03'))
  const december = selection(at('2026-12-31T23:59:59Z'), at('2027-01-01T00:00:00Z'))
  t.ok(reachesInto(december, 'y2026m12'))
  t.notOk(reachesInto(december, 'y2027m01'))
})

t.test('dates before or after all months are reached without an end', async (t) => {
  const of2026 = selection(at('2026-01-01T00:00:00Z'), at('2026-02-01T00:00:00Z'))
  t.notOk(reachesInto(of2026, 'old'))
  t.notOk(reachesInto(of2026, 'far'))
  t.ok(reachesInto(selection(at('1850-01-01T00:00:00Z'), at('1850-01-02T00:00:00Z')), 'old'))
  t.ok(reachesInto(selection(undefined, at('1999-12-31T23:59:59Z')), 'old'))
  t.ok(reachesInto(selection(at('2299-01-01T00:00:00Z'), at('2300-01-01T00:00:00Z')), 'far'))
})

t.test('a text that is no month is everywhere', async (t) => {
  const any = selection(at('2026-01-01T00:00:00Z'), at('2026-02-01T00:00:00Z'))
  t.ok(reachesInto(any, 'persons'))
})
