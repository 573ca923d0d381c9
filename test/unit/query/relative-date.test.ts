import fc from 'fast-check'
import t from 'tap'
import { parseBound, storedTimeText } from '../../../src/query/bounds.ts'
import { parseRelativeDate } from '../../../src/query/relative-date.ts'

const NOW = Date.parse('2024-03-31T12:34:56.789Z')

t.test('a text not in the form is refused', async (t) => {
  const wrong = ['', 'd', '-d', '1', '-1', '1x', '+1d', '--1d', '1 d', '1D', '1dstart', '1.5d']
  for (const text of [...wrong, 'dStart', '1234567d', '-1dEnd ', 'today', 'all']) {
    t.equal(parseRelativeDate(text, NOW), undefined, text)
  }
})

t.test('units', async (t) => {
  const table: [string, string][] = [
    ['0h', '2024-03-31T12:00:00.000Z'],
    ['-1h', '2024-03-31T11:00:00.000Z'],
    ['24h', '2024-03-30T12:00:00.000Z'],
    ['0d', '2024-03-31T00:00:00.000Z'],
    ['-5d', '2024-03-26T00:00:00.000Z'],
    ['5d', '2024-03-26T00:00:00.000Z'],
    ['1w', '2024-03-24T00:00:00.000Z'],
    ['1m', '2024-02-29T00:00:00.000Z'],
    ['13m', '2023-02-28T00:00:00.000Z'],
    ['1q', '2023-12-31T00:00:00.000Z'],
    ['1y', '2023-03-31T00:00:00.000Z'],
    ['-1mStart', '2024-02-01T00:00:00.000Z'],
    ['-1mEnd', '2024-02-29T00:00:00.000Z'],
    ['-1yStart', '2023-01-01T00:00:00.000Z'],
    ['-1yEnd', '2023-12-31T00:00:00.000Z'],
    ['-1dStart', '2024-03-30T00:00:00.000Z'],
    ['-1dEnd', '2024-03-30T00:00:00.000Z'],
    ['99999y', '0000-01-01T00:00:00.000Z'],
  ]
  for (const [text, expected] of table) {
    t.equal(new Date(parseRelativeDate(text, NOW)?.ms ?? Number.NaN).toISOString(), expected, text)
  }
  const example = parseRelativeDate('5d', Date.parse('2023-02-11T12:03:00Z'))
  t.equal(new Date(example?.ms ?? 0).toISOString(), '2023-02-06T00:00:00.000Z')
})

t.test('a relative date is never in the future, whatever its sign', async (_t) => {
  const form = fc.record({
    sign: fc.constantFrom('', '-'),
    count: fc.nat(999_999),
    unit: fc.constantFrom('h', 'd', 'w', 'm', 'q', 'y'),
    position: fc.constantFrom('', 'Start'),
    now: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  })
  fc.assert(
    fc.property(form, ({ sign, count, unit, position, now }) => {
      const parsed = parseRelativeDate(`${sign}${count}${unit}${position}`, now)
      return parsed !== undefined && parsed.ms <= now
    }),
  )
})

t.test('a bound is a relative date or ISO 8601, also with its plus sign lost', async (t) => {
  t.same(parseBound(' -1d ', NOW), { ms: Date.parse('2024-03-30T00:00:00Z'), us: 0 })
  t.same(parseBound('2024-01-02', NOW), { ms: Date.parse('2024-01-02T00:00:00Z'), us: 0 })
  t.same(parseBound('2024-01-02T03:04:05.000006 00:00', NOW), {
    ms: Date.parse('2024-01-02T03:04:05Z'),
    us: 6,
  })
  t.equal(parseBound('yesterday', NOW), undefined)
})

t.test('stored times are shown with their zone and without a fraction of zero', async (t) => {
  t.equal(storedTimeText('0'), '1970-01-01T00:00:00+00:00')
  t.equal(storedTimeText('-1'), '1969-12-31T23:59:59.999999+00:00')
  t.equal(storedTimeText('1676672292120000'), '2023-02-17T22:18:12.120000+00:00')
  t.equal(storedTimeText('253402300799999999'), '9999-12-31T23:59:59.999999+00:00')
})
