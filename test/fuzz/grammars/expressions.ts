/** Queries of events: `where`, `select`, `orderBy` and filters, nearly in the language. */
import fc from 'fast-check'
import { AGGREGATES } from '../../../src/query/language/aggregates.ts'
import { FUNCTIONS } from '../../../src/query/language/functions.ts'
import { type Expression, OPERATORS } from '../../../src/query/language/tree.ts'
import type { Random } from '../../sim/random.ts'
import { print } from '../../support/query/expressions.ts'
import { aggregates, sensible } from '../../support/query/typed-expressions.ts'
import { jsonText, jsonValue, listOf } from './json.ts'

const NAMES = [...FUNCTIONS.keys(), ...AGGREGATES.keys()]
const FIELDS: readonly string[] = [
  ...[
    'event',
    'timestamp',
    'distinct_id',
    'uuid',
    'properties',
    'person.properties',
    'person',
    '*',
  ],
  ...[
    'properties.a',
    'properties.$browser',
    'properties.nested.deep',
    'properties.list[1]',
    'elements_chain',
  ],
  ...[
    'person.properties.age',
    "properties['x y']",
    'properties.`\\``',
    'created_at',
    'nothing',
    'a.b.c',
  ],
]
const NUMBERS = [
  '0',
  '-1',
  '1',
  '1e308',
  '0.1',
  '1e-400',
  '9223372036854775808',
  '1e1000',
  '99999999999999999999',
]
const TEXTS: readonly string[] = [
  ...[
    "'a'",
    "''",
    "'%'",
    "'\\\\'",
    "'2024-01-01'",
    "'-1d'",
    "'day'",
    "'[a-z]+'",
    "'(a+)+$'",
    "'1'",
  ],
  ...[
    "'\\0'",
    "'😀'",
    "'UTC'",
    "'Europe/Berlin'",
    "'(?=a)'",
    "'{'",
    "'$.a'",
    "'infinity'",
    "'1e400'",
  ],
]

const { condition, text, number, time } = sensible(3)
const values = fc.oneof(text, number, time, condition, aggregates(2))

/** A JSON object: each name is a parameter of the list of events. */
export function makeExpression(random: Random): Buffer {
  const query = {
    ...(random.chance(0.7) ? { where: listOf(random, () => written(random, condition), 3) } : {}),
    ...(random.chance(0.5)
      ? { select: ['event', ...listOf(random, () => written(random, values), 4)] }
      : {}),
    ...(random.chance(0.1)
      ? { orderBy: [random.pick(['-timestamp', `${expression(random, 2)} desc`])] }
      : {}),
    ...(random.chance(0.1) ? { properties: filters(random) } : {}),
    ...(random.chance(0.1)
      ? { after: random.pick(['-1h', 'all', '2024-01-01', '-99999y', jsonText(random)]) }
      : {}),
    ...(random.chance(0.05) ? { before: jsonText(random) } : {}),
    ...(random.chance(0.1) ? { event: jsonText(random), distinct_id: jsonText(random) } : {}),
    ...(random.chance(0.05)
      ? { limit: random.pick(['0', '-1', '1e3', '999999999999', 'x']), offset: '-1' }
      : {}),
    ...(random.chance(0.1) ? { format: random.pick(['csv', 'json', 'x']) } : {}),
  }
  return Buffer.from(JSON.stringify(query))
}

/** A node that fits its place two times out of three. */
function written(random: Random, fitting: fc.Arbitrary<Expression>): string {
  if (random.chance(0.35)) return expression(random, 4)
  const [made] = fc.sample(fitting, { seed: random.bits(), numRuns: 1 })
  return made === undefined ? '' : print(made)
}

function filters(random: Random): unknown {
  if (random.chance(0.2)) return jsonValue(random)
  const operator = random.pick([
    'exact',
    'regex',
    'gt',
    'icontains',
    'is_set',
    'is_date_before',
    'between',
    'x',
  ])
  return listOf(random, () => ({
    key: jsonText(random),
    value: jsonValue(random),
    operator,
    type: 'event',
  }))
}

function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return leaf(random)
  const inner = () => expression(random, depth - 1)
  switch (random.integer(5)) {
    case 0:
      return `${inner()} ${random.pick(OPERATORS)} ${inner()}`
    case 1:
      return `(${inner()})`
    case 2:
      return `${inner()} ${random.pick(['=', '<', 'like', '+', '*', '/', '%', '||', 'and', 'or', '-'])} ${inner()}`
    default:
      return `${random.pick(NAMES)}(${listOf(random, inner, 5).join(', ')})`
  }
}

function leaf(random: Random): string {
  switch (random.integer(5)) {
    case 0:
      return random.pick(NUMBERS)
    case 1:
      return random.pick(TEXTS)
    case 2:
      return random.pick(['null', 'true', 'false', 'now()', '[1, 2]', "('a', 'b')", '*', ''])
    default:
      return random.pick(FIELDS)
  }
}
