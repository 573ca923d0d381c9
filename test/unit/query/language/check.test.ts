import t from 'tap'
import { check, type Grouping } from '../../../../src/query/language/check.ts'
import { parseExpression } from '../../../../src/query/language/parser.ts'
import { canonical } from '../../../../src/query/language/tree.ts'

const understand = (text: string, grouping?: Grouping) => {
  const parsed = parseExpression(text, { nodes: 512 })
  if (!parsed.ok) return `${parsed.error.message} at ${parsed.error.at}`
  const scope = { nowMs: 0, noAggregates: 'No aggregates here' }
  const checked = check(parsed.value, grouping === undefined ? scope : { ...scope, grouping })
  return checked.ok ? checked.value.type : `${checked.error.message} at ${checked.error.at}`
}

t.test('each field has its type', async (t) => {
  const types: Record<string, string> = {
    uuid: 'UUID',
    id: 'UUID',
    event: 'String',
    timestamp: 'DateTime',
    distinct_id: 'String',
    properties: 'String',
    'properties.anything': 'String',
    'properties["a.b"]': 'String',
    elements_chain: 'String',
    created_at: 'DateTime',
    team_id: 'Int64',
    person_id: 'UUID',
    'person.id': 'UUID',
    'person.created_at': 'DateTime',
    'person.properties': 'String',
    'person.properties.email': 'String',
  }
  for (const [text, type] of Object.entries(types)) t.equal(understand(text), type, text)
})

t.test('each function and operator has its type', async (t) => {
  const types: [string, string][] = [
    ['1', 'Int64'],
    ['1.0', 'Float64'],
    ['9223372036854775808', 'Float64'],
    ["'a'", 'String'],
    ['true', 'Bool'],
    ['null', 'String'],
    ['1 + 2', 'Int64'],
    ['length(event) + 1', 'Int64'],
    ['1 + 2.5', 'Float64'],
    ['properties.n * 2', 'Float64'],
    ['1 / 2', 'Float64'],
    ['5 % 2', 'Int64'],
    ['-length(event)', 'Int64'],
    ['event || 1', 'String'],
    ['event = properties.x and not (1 < 2) or properties.flag', 'Bool'],
    ["timestamp > '2024-01-01'", 'Bool'],
    ["'2024-01-01' <= timestamp", 'Bool'],
    ["timestamp between '2024-01-01' and properties.until", 'Bool'],
    ["uuid in ('a', event)", 'Bool'],
    ['person_id is null', 'Bool'],
    ['null = null', 'Bool'],
    ["properties.x in ('a', null)", 'Bool'],
    ["event not ilike '%a'", 'Bool'],
    ['abs(length(event))', 'UInt64'],
    ['abs(-1)', 'Int64'],
    ['max2(1, 2)', 'Int64'],
    ['min2(1, properties.n)', 'Float64'],
    ['round(1.5)', 'Float64'],
    ['round(properties.n, 2)', 'Float64'],
    ['floor(1)', 'Int64'],
    ['ceil(1.5)', 'Float64'],
    ['toInt(event)', 'Int64'],
    ['toInt(timestamp)', 'Int64'],
    ['toInt(true)', 'Int64'],
    ['toFloat(1)', 'Float64'],
    ['toFloat(null)', 'Float64'],
    ['toString(uuid)', 'String'],
    ['toDate(event)', 'DateTime'],
    ['toDateTime(1.5)', 'DateTime'],
    ['toDateTime(properties.at)', 'DateTime'],
    ['now()', 'DateTime'],
    ['toStartOfMinute(timestamp)', 'DateTime'],
    ['toStartOfHour(properties.at)', 'DateTime'],
    ["toStartOfDay('2024-01-01')", 'DateTime'],
    ['toStartOfWeek(now())', 'DateTime'],
    ['toStartOfMonth(created_at)', 'DateTime'],
    ['toStartOfYear(null)', 'DateTime'],
    ["dateDiff('day', timestamp, now())", 'Int64'],
    ["dateTrunc('QUARTER', timestamp)", 'DateTime'],
    ['length(uuid)', 'UInt64'],
    ['lower(event)', 'String'],
    ['upper(event)', 'String'],
    ['trim(event)', 'String'],
    ['concat(event, 1, true, now(), uuid)', 'String'],
    ['coalesce(null, 1, 2.5)', 'Float64'],
    ['coalesce(properties.a, properties.b)', 'String'],
    ['coalesce(properties.a, 1)', 'Float64'],
    ['substring(event, 1)', 'String'],
    ['substring(event, 1, 2)', 'String'],
    ["startsWith(event, '$')", 'Bool'],
    ["endsWith(event, 'w')", 'Bool'],
    ["like(event, '%')", 'Bool'],
    ["ilike(event, '%')", 'Bool'],
    ["notLike(event, '%')", 'Bool'],
    ["replace(event, 'a', 'b')", 'String'],
    ["replaceOne(event, 'a', 'b')", 'String'],
    ['empty(event)', 'Bool'],
    ['notEmpty(event)', 'Bool'],
    ['ifElse(true, 1, null)', 'Int64'],
    ["multiIf(true, timestamp, false, now(), '2024-01-01')", 'DateTime'],
  ]
  for (const [text, type] of types) t.equal(understand(text), type, text)
})

t.test('an expression without sense is refused with its place', async (t) => {
  const problems: [string, string][] = [
    ['foo', 'Unknown field "foo" at 0'],
    ['1 + foo.bar', 'Unknown field "foo.bar" at 4'],
    ['person', '"person" stands as a whole item of select only at 0'],
    ['constructor', 'Unknown field "constructor" at 0'],
    ['person.name', 'Unknown field "person.name" at 0'],
    ['event.x', 'Unknown field "event.x" at 0'],
    [
      'properties.a.b',
      '"properties.a.b" names more than one key: put a key with dots into quotes at 0',
    ],
    ['1 + f(2)', 'Unknown function "f" at 4'],
    ['toString', 'Unknown field "toString" at 0'],
    ['valueOf()', 'Unknown function "valueOf" at 0'],
    ['lower()', '"lower" takes 1 argument, not 0 at 0'],
    ['1 = round(1, 2, 3)', '"round" takes 1 to 2 arguments, not 3 at 4'],
    ['concat()', '"concat" takes 1 or more arguments, not 0 at 0'],
    ['now(1)', '"now" takes 0 arguments, not 1 at 0'],
    ['lower(1)', 'A number stands where a text is needed at 6'],
    ['1 + event', 'A text stands where a number is needed at 4'],
    ['event = 1', 'A number stands where a text is needed at 8'],
    ["1 = 'x'", 'A text stands where a number is needed at 4'],
    ['timestamp > 5', 'A number stands where a time is needed at 12'],
    ["timestamp > 'soon'", 'This text is no date of ISO 8601 at 12'],
    ["timestamp > concat('2024')", 'A text stands where a time is needed at 12'],
    ['event in (1)', 'A number stands where a text is needed at 10'],
    ['not 1', 'A number stands where a condition is needed at 4'],
    ['true and event', 'A text stands where a condition is needed at 9'],
    ['ifElse(event, 1, 2)', 'A text stands where a condition is needed at 7'],
    ['ifElse(true, 1, event)', 'A text stands where a number is needed at 16'],
    ['multiIf(true, 1, 2, 3)', 'The value when no condition holds is missing at 0'],
    ['toInt(uuid)', 'A UUID stands where a number is needed at 6'],
    ['toDateTime(true)', 'A condition stands where a time is needed at 11'],
    ["dateTrunc('eon', timestamp)", /^The unit is one of second, .* in quotes at 10$/.source],
    ["dateDiff('day', 1, now())", 'A number stands where a time is needed at 16'],
    ['dateTrunc(event, timestamp)', /^The unit is one of .* at 10$/.source],
    ['round(1, 99)', 'The number of digits must be a literal from 0 to 15 at 9'],
    ['round(1, length(event))', 'The number of digits must be a literal from 0 to 15 at 9'],
    ['count()', 'No aggregates here at 0'],
    ['1 + sum(1)', 'No aggregates here at 4'],
  ]
  for (const [text, problem] of problems) {
    if (problem.startsWith('^')) t.match(understand(text), new RegExp(problem), text)
    else t.equal(understand(text), problem, text)
  }
})

t.test('in groups there are what they are by, and aggregates', async (t) => {
  const key = { kind: 'field', at: 0, path: ['properties', 'n'] } as const
  const grouping: Grouping = {
    keys: [
      {
        canonical: canonical(key),
        value: { kind: 'property', type: 'String', source: 'event', key: 'n' },
      },
    ],
    aggregates: [],
  }
  const types: Record<string, string> = {
    'properties.n': 'String',
    'properties["n"] + 1': 'Float64',
    'count()': 'UInt64',
    'countIf(properties.flag)': 'UInt64',
    'countDistinct(person_id)': 'UInt64',
    'countDistinctIf(event, true)': 'UInt64',
    'min(event)': 'String',
    'max(timestamp)': 'DateTime',
    'any(uuid)': 'UUID',
    'minIf(1, true)': 'Int64',
    'maxIf(1.5, true)': 'Float64',
    'anyIf(true, false)': 'Bool',
    'sum(length(event))': 'UInt64',
    'sum(properties.other)': 'Float64',
    'sumIf(1, true)': 'Int64',
    'avg(1)': 'Float64',
    'avgIf(1, true)': 'Float64',
    'count() / 2 + sum(1)': 'Float64',
    "concat(properties.n, ': ', count( ))": 'String',
  }
  for (const [text, type] of Object.entries(types)) t.equal(understand(text, grouping), type, text)
  const counts = grouping.aggregates.filter(({ canonical }) => canonical === 'ccount()')
  t.equal(counts.length, 1, 'each aggregate is computed once')
  const problems: Record<string, string> = {
    event: '"event" is neither selected as it is nor within an aggregate at 0',
    'count() + length(event)': '"event" is neither selected as it is nor within an aggregate at 17',
    'sum(count())': 'An aggregate within an aggregate at 4',
    'count(event)': '"count" takes 0 arguments, not 1 at 0',
    'sum(event)': 'A text stands where a number is needed at 4',
    'avg(event)': 'A text stands where a number is needed at 4',
    'sumIf(1)': '"sumIf" takes 2 arguments, not 1 at 0',
    'sumIf(1, event)': 'A text stands where a condition is needed at 9',
    'countIf(1)': 'A number stands where a condition is needed at 8',
    'sum(foo)': 'Unknown field "foo" at 4',
  }
  for (const [text, problem] of Object.entries(problems)) {
    t.equal(understand(text, grouping), problem, text)
  }
})
