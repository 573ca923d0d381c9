import t from 'tap'
import { putEvents, putPerson } from '../../support/ingest/events.ts'
import { tablesOf } from '../../support/query/event-table.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = 1

t.test('each function and operator has its value', async (t) => {
  const { sql } = await testDatabase(t)
  const person = await putPerson(sql, PROJECT, {
    distinctIds: ['anna'],
    properties: { email: 'anna@example.com', age: 41 },
    isIdentified: true,
  })
  const properties = {
    ...{ n: 2.5, s: 'Text', digits: ' 12 ', yes: true, none: null, list: [1, 'a'] },
    ...{ at: '2024-02-29T10:00:00+02:00', unix: 86_400, 'a.b': 'dotted', wide: '\u300012' },
  }
  const [uuid] = await putEvents(sql, PROJECT, [
    {
      ...{ event: 'sign up', distinctId: 'anna', timestamp: '2024-01-17T10:20:30.5Z' },
      ...{ properties, elementsChain: 'a:href="/x"' },
    },
  ])
  const { list } = tablesOf(sql, PROJECT)
  const values: Record<string, unknown> = {
    // Fields.
    event: 'sign up',
    uuid,
    id: uuid,
    timestamp: '2024-01-17T10:20:30.500000+00:00',
    distinct_id: 'anna',
    elements_chain: 'a:href="/x"',
    team_id: PROJECT,
    person_id: person.uuid,
    'person.id = person_id': true,
    'person.properties.email': 'anna@example.com',
    'person.properties.age + 1': 42,
    'person.created_at <= now() or true': true,
    'created_at is not null': true,
    'length(properties) > 10 and length(person.properties) > 10': true,
    // Properties: text without quotes, empty when missing, a number beside a number.
    'properties.s': 'Text',
    'properties.n': '2.5',
    'properties.yes': 'true',
    'properties.list': '[1, "a"]',
    'properties.none': '',
    'properties.missing': '',
    'properties["a.b"]': 'dotted',
    'properties.`a.b` = properties."a.b"': true,
    "properties.missing = ''": true,
    'properties.missing is null': false,
    'properties.n > 2': true,
    'properties.digits = 12': true,
    "properties.digits = ' 12 '": true,
    'properties.s = 1': null,
    'properties.s != 1': null,
    'not properties.s = 1': null,
    'properties.wide > 1': null,
    'properties.yes and not properties.missing': null,
    'properties.yes = true': true,
    "properties.at < timestamp or properties.at >= '2024-02-29T08:00:00Z'": true,
    'properties.unix': '86400',
    // Comparisons.
    '1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 != 2 and 1 <> 2': true,
    "'Z' < 'a'": true,
    "event = 'sign up' or event = 'x'": true,
    "timestamp > '2024-01-17' and timestamp < '2024-01-17T10:20:31Z'": true,
    "event in ('x', 'sign up')": true,
    'properties.n in [1, 2.5]': true,
    'properties.n not in [1, 2.5]': false,
    "event not in ['x']": true,
    'properties.n between 2 and 3': true,
    "event between 'a' and 'z'": true,
    "timestamp not between '2024-01-01' and '2024-02-01'": false,
    'person_id is not null': true,
    'toInt(event) is null': true,
    '1 = null': null,
    "'abc' like 'a%' and 'abc' like '_b_' and not 'abc' like 'b%'": true,
    "'aBc' ilike 'A%' and 'abc' not like 'A%' and 'abc' not ilike 'b%'": true,
    [String.raw`'50%' like '50\%' and not '500' like '50\%'`]: true,
    [String.raw`'a\\' like 'a\\'`]: true,
    [String.raw`like('a', '\\') or ilike('A', 'a') and notLike('a', 'b')`]: true,
    // Arithmetic: decimal, and null instead of an error.
    '1 + 2 * 3 - 4 / 8': 6.5,
    '0.1 + 0.2': 0.3,
    '1 / 3': 0.3333333333333333,
    '7 % 4': 3,
    '-7 % 4': -3,
    '- -1': 1,
    '1 / 0': null,
    '1 % 0': null,
    '1e308 * 10': null,
    '1e-300 / 1e300': 0,
    '9223372036854775807': 9223372036854775807n,
    '9223372036854775807 + 1': null,
    '9223372036854775807 + 1 - 1': 9223372036854775807n,
    "'a' || 1 || true || 1.50": 'a1true1.5',
    // Numbers.
    'abs(-2)': 2,
    'max2(1, 2.5)': 2.5,
    'min2(properties.n, 9)': 2.5,
    'round(2.5)': 3,
    'round(2.345, 2)': 2.35,
    'floor(-1.5)': -2,
    'ceil(1.2)': 2,
    "toInt('12.9')": 12,
    'toInt(-12.9)': -12,
    "toInt('x')": null,
    'toInt(1e30)': null,
    'toInt(true)': 1,
    "toInt(toDateTime('1970-01-02'))": 86_400,
    "toFloat('1e3')": 1000,
    "toFloat('')": null,
    'toFloat(properties.wide)': null,
    // Texts.
    'toString(1.50)': '1.5',
    'toString(timestamp)': '2024-01-17T10:20:30.500000+00:00',
    'toString(uuid) = uuid': true,
    "length('aé😀')": 3,
    "lower('ÀB')": 'àb',
    "upper('àb')": 'ÀB',
    "trim('  a ')": 'a',
    "concat('a', 1, null)": null,
    "concat('a', properties.missing, true)": 'atrue',
    "coalesce(null, 'x')": 'x',
    'coalesce(toInt(event), 7)': 7,
    "coalesce(properties.missing, 'x')": '',
    "substring('abcdef', 2, 3)": 'bcd',
    "substring('abcdef', 4)": 'def',
    "substring('abc', 1, -1)": null,
    "substring('abc', 1e12)": null,
    "startsWith('abc', 'ab') and not startsWith('abc', 'b')": true,
    "endsWith('abc', 'bc') and not endsWith('abc', 'b')": true,
    "replace('aXbX', 'X', '-')": 'a-b-',
    "replaceOne('a.b.', '.', '-')": 'a-b.',
    [String.raw`replaceOne('abc', 'b', '\\1&')`]: String.raw`a\1&c`,
    "replaceOne('abc', '', 'x')": 'abc',
    "replaceOne('abc', null, 'x')": null,
    "replace('abc', '', 'x')": 'abc',
    "empty('') and empty(properties.missing) and notEmpty(event)": true,
    // Times, in UTC.
    'now()': '2024-03-10T12:00:00+00:00',
    "toDate('2024-02-29T23:00:00-02:00')": '2024-03-01T00:00:00+00:00',
    "toDateTime('2024-02-29 10:00')": '2024-02-29T10:00:00+00:00',
    "toDateTime('2024-02-30')": null,
    'toDateTime(86400.5)': '1970-01-02T00:00:00.500000+00:00',
    'toDateTime(1e18)': null,
    'toDateTime(properties.unix)': '1970-01-02T00:00:00+00:00',
    'toDateTime(properties.at)': '2024-02-29T08:00:00+00:00',
    "toDateTime('9999-12-31T23:59:59.9999999')": '10000-01-01T00:00:00+00:00',
    'toStartOfMinute(timestamp)': '2024-01-17T10:20:00+00:00',
    'toStartOfHour(timestamp)': '2024-01-17T10:00:00+00:00',
    'toStartOfDay(timestamp)': '2024-01-17T00:00:00+00:00',
    'toStartOfWeek(timestamp)': '2024-01-15T00:00:00+00:00',
    'toStartOfMonth(timestamp)': '2024-01-01T00:00:00+00:00',
    "toStartOfYear('2024-12-31')": '2024-01-01T00:00:00+00:00',
    "dateTrunc('quarter', '2024-06-30')": '2024-04-01T00:00:00+00:00',
    "dateTrunc('second', timestamp)": '2024-01-17T10:20:30+00:00',
    "dateDiff('second', '2024-01-01', '2024-01-02')": 86_400,
    "dateDiff('minute', '2024-01-01T00:00:59Z', '2024-01-01T00:01:00Z')": 1,
    "dateDiff('hour', '2024-01-01T22:59:59Z', '2024-01-01T22:00:00Z')": 0,
    "dateDiff('day', '2024-03-01', '2024-02-28')": -2,
    "dateDiff('week', '2024-01-14', '2024-01-15')": 1,
    "dateDiff('month', '2023-01-31', '2024-03-01')": 14,
    "dateDiff('month', '2024-03-01', '2023-04-30')": -11,
    "dateDiff('quarter', '2023-12-31', '2024-10-01')": 4,
    "dateDiff('year', '0001-12-31', '9999-01-01')": 9998,
    // Choices.
    'ifElse(1 < 2, 1, 2.5)': 1,
    'ifElse(null, 1, 2)': 2,
    "multiIf(false, 'a', event = 'sign up', 'b', 'c')": 'b',
    "multiIf(false, 'a', false, 'b', 'c')": 'c',
    null: null,
    true: true,
  }
  const texts = Object.keys(values)
  for (let from = 0; from < texts.length; from += 10) {
    const select = texts.slice(from, from + 10)
    const { results, columns } = await list(select)
    t.strictSame(columns, select)
    // Whole numbers beyond a double are compared by their digits.
    const exact = String(results).replaceAll(/\b\d{17,}\b/g, '"$&"')
    const [row = []] = JSON.parse(exact)
    for (const [index, text] of select.entries()) {
      const value = values[text]
      t.strictSame(row[index], typeof value === 'bigint' ? String(value) : value, text)
    }
  }
})

t.test('a time in year 0 is shown as one', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, PROJECT, [{ timestamp: '0001-06-01T00:00:00.25Z' }])
  await sql`update events set timestamp = timestamp '0001-06-01 00:00:00.25 BC' at time zone 'UTC'`
  const { rows } = tablesOf(sql, PROJECT)
  const time = '0000-06-01T00:00:00.250000+00:00'
  t.strictSame(await rows(['timestamp', 'toString(timestamp)']), [[time, time]])
})
