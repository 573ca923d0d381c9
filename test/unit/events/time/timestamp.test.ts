import fc from 'fast-check'
import t from 'tap'
import type { Instant } from '../../../../src/events/time/instant.ts'
import {
  eventTimestamp,
  parseTimestamp,
  sentAtText,
} from '../../../../src/events/time/timestamp.ts'

const NOW = Date.UTC(2024, 4, 1, 12)
const NOW_TEXT = '2024-05-01T12:00:00.000000Z'
const HOUR_MS = 3_600_000

const after = (ms: number): Instant => ({ ms: NOW + ms, us: 0 })

const stored = (timestamp: unknown, offset?: unknown, sentAt?: Instant) =>
  eventTimestamp(timestamp, offset, sentAt, NOW)

t.test('a timestamp that cannot be read or believed becomes the time of receipt', async (t) => {
  const rows: unknown[] = [
    'yesterday',
    '20200816',
    '2020',
    '-1714557600',
    '1714557600000000000',
    '1714557600,5',
    '11/18/2023 11:06:40',
    '18.11.2023 11:06:40',
    '2023-11-18 11:06:40 XTC',
    'UTC',
    'Wed Foo 15 2023 11:06:40 GMT+0000',
    'Wed Nov 31 2023 11:06:40 GMT+0000',
    'Wed Nov 15 2023 11:06:40 GMT+0060',
    `Wed Nov 15 2023 11:06:40 GMT+0000 (${'x'.repeat(200)})`,
    1_714_557_600_000_000_000,
    false,
    '2020-13-01',
    '2020-00-10',
    '2021-02-29',
    '2020-08-32',
    '2020-8-16',
    '2020-08-16T',
    '2020-08-16T9:03',
    '2020-08-16T25:00:00Z',
    '2020-08-16T24:00:01Z',
    '2020-08-16T09:60:00Z',
    '2020-08-16T09:03:60Z',
    '2020-08-16T09:03:11.Z',
    '2020-08-16T09:03:11.1234567890Z',
    '2020-08-16T09:03:11X',
    '2020-08-16T09:03:11+2',
    '2020-08-16T09:03:11+02:0',
    '2020-08-16T09:03:11+24:00',
    '2020-08-16  09:03:11',
    '2020-W54-1',
    '2021-W53-1',
    '2021-W00-1',
    '2021-W01-8',
    '2021-000',
    '2021-366',
    '+012020-08-16T00:00:00Z',
    '-000001-08-16T00:00:00Z',
    '0000-01-01T00:00:00+01:00',
    'Sun, 32 Aug 2020 09:03:11 GMT',
    'Sun, 16 Foo 2020 09:03:11 GMT',
    'Sun, 16 Aug 2020 24:03:11 GMT',
    'Sun, 16 Aug 2020 09:03:11 XYZ',
    'Sun, 16 Aug 2020 09:03:11 +0260',
    `2020-08-16T09:03:11${' '.repeat(100)}Z`,
    new Date(NOW + 23 * HOUR_MS + 1).toISOString(),
    '9999-12-31T23:59:59Z',
    1e300,
    -1e300,
    Number.NaN,
    true,
    {},
    ['2020-08-16'],
  ]
  for (const row of rows) {
    t.equal(stored(row), NOW_TEXT, String(row))
  }
})

t.test('every accepted form is read, without a zone as UTC, to the microsecond', async (t) => {
  const rows: [unknown, string][] = [
    ['2020-08-16T09:03:11.913767Z', '2020-08-16T09:03:11.913767Z'],
    ['2020-08-16 09:03:11.913767', '2020-08-16T09:03:11.913767Z'],
    ['2020-08-16T09:03:11.9', '2020-08-16T09:03:11.900000Z'],
    ['2020-08-16T09:03:11,9137679999z', NOW_TEXT],
    ['2020-08-16T09:03:11,913767999z', '2020-08-16T09:03:11.913767Z'],
    ['2020-08-16t09:03:11.000001+00:00', '2020-08-16T09:03:11.000001Z'],
    ['2020-08-16T09:03:11', '2020-08-16T09:03:11.000000Z'],
    ['2020-08-16T09:03', '2020-08-16T09:03:00.000000Z'],
    ['2020-08-16T09:03Z', '2020-08-16T09:03:00.000000Z'],
    ['2020-08-16T09:03:11+02:00', '2020-08-16T07:03:11.000000Z'],
    ['2020-08-16T09:03:11+0200', '2020-08-16T07:03:11.000000Z'],
    ['2020-08-16T09:03:11+02', '2020-08-16T07:03:11.000000Z'],
    ['2020-08-16 09:03:11 -03:30', '2020-08-16T12:33:11.000000Z'],
    ['2020-08-16T24:00:00Z', '2020-08-17T00:00:00.000000Z'],
    [' 2020-08-16T09:03:11Z\n', '2020-08-16T09:03:11.000000Z'],
    ['2020-08-16', '2020-08-16T00:00:00.000000Z'],
    ['2020-08', '2020-08-01T00:00:00.000000Z'],
    ['20200816T090311Z', '2020-08-16T09:03:11.000000Z'],
    ['20200816T0903', '2020-08-16T09:03:00.000000Z'],
    ['2021-W43-5', '2021-10-29T00:00:00.000000Z'],
    ['2021-W43', '2021-10-25T00:00:00.000000Z'],
    ['2020-W53-7', '2021-01-03T00:00:00.000000Z'],
    ['2021-W01-1T10:00:00+01:00', '2021-01-04T09:00:00.000000Z'],
    ['2021-302', '2021-10-29T00:00:00.000000Z'],
    ['2020-366 23:59:59.999999', '2020-12-31T23:59:59.999999Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000000Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000000Z'],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['Sun, 16 Aug 2020 09:03:11 GMT', '2020-08-16T09:03:11.000000Z'],
    ['16 Aug 2020 09:03:11', '2020-08-16T09:03:11.000000Z'],
    ['Sun, 16 Aug 2020 09:03 +0200', '2020-08-16T07:03:00.000000Z'],
    ['sun, 6 aug 2020 09:03:11 EST', '2020-08-06T14:03:11.000000Z'],
    ['Sun, 16 Aug 2020 09:03:11 +0000 (UTC)', '2020-08-16T09:03:11.000000Z'],
    [1_597_568_591_913, '2020-08-16T09:03:11.913000Z'],
    [1_597_568_591_913.767, '2020-08-16T09:03:11.913767Z'],
    [0, '1970-01-01T00:00:00.000000Z'],
    [-86_400, '1969-12-31T00:00:00.000000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000000Z'],
    [1_700_000_000.5, '2023-11-14T22:13:20.500000Z'],
    [1_700_000_000_000, '2023-11-14T22:13:20.000000Z'],
    [1_700_000_000_123_456, '2023-11-14T22:13:20.123456Z'],
    ['1700000000', '2023-11-14T22:13:20.000000Z'],
    [' 1700000000.250001 ', '2023-11-14T22:13:20.250001Z'],
    ['1700000000000.5', '2023-11-14T22:13:20.000500Z'],
    ['1700000000123456', '2023-11-14T22:13:20.123456Z'],
    ['100000000', '1973-03-03T09:46:40.000000Z'],
    ['99999999999', NOW_TEXT],
    ['100000000000', '1973-03-03T09:46:40.000000Z'],
    ['99999999999999', NOW_TEXT],
    ['100000000000000', '1973-03-03T09:46:40.000000Z'],
    ['2023-11-14 22:13:20 UTC', '2023-11-14T22:13:20.000000Z'],
    ['2023-11-14T22:13:20.5 gmt', '2023-11-14T22:13:20.500000Z'],
    ['2023-11-14 22:13:20.123456789 +0000 UTC', '2023-11-14T22:13:20.123456Z'],
    [
      'Tue Nov 14 2023 22:13:20 GMT+0000 (Coordinated Universal Time)',
      '2023-11-14T22:13:20.000000Z',
    ],
    ['Wed Nov 15 2023 03:43:20 GMT+0530 (India Standard Time)', '2023-11-14T22:13:20.000000Z'],
    [
      'Tue Nov 14 2023 19:13:20 GMT-0300 (Horário Padrão de Brasília)',
      '2023-11-14T22:13:20.000000Z',
    ],
    ['Tue Nov 14 2023 22:13:20', '2023-11-14T22:13:20.000000Z'],
    [new Date(NOW + 23 * HOUR_MS).toISOString(), '2024-05-02T11:00:00.000000Z'],
  ]
  for (const [row, expected] of rows) t.equal(stored(row), expected, String(row))
})

t.test('sent_at and offset correct a clock that is wrong, in this order', async (t) => {
  const at = '2024-05-01T09:00:00.000250Z'
  const sentAt = parseTimestamp('2024-05-01T10:00:00.000500Z')
  const rows: [string, unknown, unknown, Instant | undefined, string][] = [
    ['no sent_at: as it is', at, 5_000, undefined, '2024-05-01T09:00:00.000250Z'],
    ['skew', at, undefined, sentAt, '2024-05-01T10:59:59.999750Z'],
    ['skew with offset 0', at, 0, sentAt, '2024-05-01T10:59:59.999750Z'],
    ['offset that is text is none', at, '5000', sentAt, '2024-05-01T10:59:59.999750Z'],
    ['offset beats skew', at, 5_000, sentAt, '2024-05-01T11:59:55.000000Z'],
    ['offset alone', undefined, 1_500.5, undefined, '2024-05-01T11:59:58.499500Z'],
    ['offset alone with sent_at', null, 60_000, sentAt, '2024-05-01T11:59:00.000000Z'],
    ['nothing', undefined, undefined, sentAt, NOW_TEXT],
    ['empty', '', null, undefined, NOW_TEXT],
    ['unreadable beats offset', 'x', 5_000, sentAt, NOW_TEXT],
    ['offset into the far future', undefined, -24 * HOUR_MS, undefined, NOW_TEXT],
    ['offset beyond all years', undefined, 1e300, undefined, NOW_TEXT],
    ['infinite offset', undefined, Number.POSITIVE_INFINITY, undefined, NOW_TEXT],
    ['skew into the far future', '2024-05-03', undefined, sentAt, NOW_TEXT],
    ['skew of 10 s: none', at, undefined, after(10_000), '2024-05-01T09:00:00.000250Z'],
    ['skew of -10 s: none', at, undefined, after(-10_000), '2024-05-01T09:00:00.000250Z'],
    ['skew of 11 s', at, undefined, after(11_000), '2024-05-01T08:59:49.000250Z'],
    ['skew of -11 s', at, undefined, after(-11_000), '2024-05-01T09:00:11.000250Z'],
    ['skew before year 0', '0000-01-01', undefined, parseTimestamp('9999-01-01'), NOW_TEXT],
  ]
  for (const [name, timestamp, offset, sent, expected] of rows) {
    t.equal(stored(timestamp, offset, sent), expected, name)
  }
})

t.test('sent_at is read as a timestamp is', async (t) => {
  const rows: [unknown, string | undefined][] = [
    ['1714557600000', '2024-05-01T10:00:00.000Z'],
    [1_714_557_600_000, '2024-05-01T10:00:00.000Z'],
    ['1714557600', '2024-05-01T10:00:00.000Z'],
    ['1714557600.5', '2024-05-01T10:00:00.500Z'],
    [1_714_557_600.25, '2024-05-01T10:00:00.250Z'],
    ['1714557600000.123', '2024-05-01T10:00:00.000123Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01 10:00:00.123456', '2024-05-01T10:00:00.123456Z'],
    ['999999999999999999', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ]
  for (const [row, expected] of rows) {
    const sentAt = parseTimestamp(row)
    t.equal(sentAt === undefined ? undefined : sentAtText(sentAt), expected, String(row))
  }
})

t.test('ISO times with a zone are what Date reads', async (t) => {
  const date = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, fc.integer({ min: -839, max: 839 }), (at, zoneMinutes) => {
      const local = new Date(at.getTime() + zoneMinutes * 60_000).toISOString()
      const minutes = Math.abs(zoneMinutes)
      const pad = (value: number) => String(value).padStart(2, '0')
      const zone = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
      const text = local.replace('Z', `${zoneMinutes < 0 ? '-' : '+'}${zone}`)
      const utc = parseTimestamp(at.toUTCString())
      const wholeSeconds = Math.floor(at.getTime() / 1_000) * 1_000
      return parseTimestamp(text)?.ms === Date.parse(text) && utc?.ms === wholeSeconds
    }),
  )
  t.pass()
})

t.test('a stored time always has one form, whatever its input', async (t) => {
  const chars = fc.constantFrom(...'0123456789-:.,+TWZ ')
  const input = fc.oneof(fc.jsonValue(), fc.string({ unit: chars, maxLength: 40 }), fc.double())
  fc.assert(
    fc.property(input, input, input, (timestamp, offset, sent) => {
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(
        stored(timestamp, offset, parseTimestamp(sent)),
      )
    }),
    { numRuns: 3_000 },
  )
  t.pass()
})
