import fc from 'fast-check'
import type { Test } from 'tap'
import { AppError } from '../../../src/core/code.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { AGGREGATES } from '../../../src/query/language/aggregates.ts'
import { FUNCTIONS } from '../../../src/query/language/functions.ts'
import type { Expression } from '../../../src/query/language/tree.ts'
import { putEvents, putPerson } from '../ingest/events.ts'
import { testDatabase } from '../servers/database.ts'
import { tablesOf } from './event-table.ts'
import { composed, print } from './expressions.ts'
import { aggregates, call, field, number, sensible, text } from './typed-expressions.ts'

const PROJECT = 1
const OTHER = 2
const LIST = { attr: /^(?:select|where|orderBy|limit)$/, code: 'invalid_input' }

/** Values that are hard for casts, patterns and sums. */
const VALUES = [
  1,
  -2.5,
  0,
  1e308,
  5e-324,
  9_007_199_254_740_992,
  true,
  false,
  null,
  [1, 'a'],
  { a: 1 },
  '',
  'x',
  '12',
  ' 7 ',
  '\u300012',
  '٣',
  '1e99',
  '1e-99',
  '1e999',
  '0x10',
  'NaN',
  '-Infinity',
  '2024-02-29T10:00:00+02:00',
  '2024-02-30',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31',
  '9999-12-31T23:59:59.999999999-14:00',
  '0000-01-01',
  'epoch',
  '1e400'.padEnd(500, '0'),
  'a\\',
  '%',
  '\\',
  '_%'.repeat(700),
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '&\\1\\0',
]

/** Selected columns, conditions, and order. */
type Table = [Expression[], Expression[], Expression[]]

const LIMIT = 1_000

export type RandomCounts = {
  /** Tables of events and of groups, with expressions that mean something. */
  readonly sensible: number
  /** Tables of any expressions, most of which are refused. */
  readonly others: number
}

/**
 * Asks for tables of random expressions over values that are hard to cast. Each is answered or
 * refused by name, with nothing of another project; a failure of the database fails the test.
 */
export async function checkRandomTables(t: Test, counts: RandomCounts): Promise<void> {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  await fill(sql)
  for (const [name, tables, numRuns, answeredMin] of [
    ['sensible ones for events', ofEvents(), counts.sensible, counts.sensible / 2],
    ['sensible ones for groups', ofGroups(), counts.sensible, counts.sensible / 2],
    ['any others', ofAnything(), counts.others, counts.others / 30],
  ] as const) {
    await t.test(name, async (t) => {
      const { ask, tally } = askerOf(sql)
      await fc.assert(
        fc.asyncProperty(tables, async (each) => ask(...each)),
        { numRuns },
      )
      t.ok(tally.answered > answeredMin, JSON.stringify(tally))
    })
  }
}

async function fill(sql: Sql): Promise<void> {
  const at = (index: number) => new Date(Date.UTC(2024, 0, 1, 0, index)).toISOString()
  const event = (value: unknown, index: number) => ({
    event: index % 3 === 0 ? 'a' : "b'",
    timestamp: index === 0 ? '0001-01-01T00:00:00Z' : at(index),
    distinctId: index % 2 === 0 ? 'anna' : 'nobody',
    properties: {
      n: value,
      s: `${value}`,
      d: value,
      b: index % 2 === 0,
      o: { x: value },
      x: value,
    },
    elementsChain: index % 5 === 0 ? 'a.btn:href="/x"' : '',
  })
  await putEvents(sql, PROJECT, VALUES.map(event))
  await putEvents(sql, OTHER, [{ event: 'foreign', timestamp: at(1), distinctId: 'anna' }])
  await putPerson(sql, PROJECT, {
    distinctIds: ['anna'],
    properties: { n: '1e99', s: 'a\\', d: '2024-02-30', x: null },
  })
}

function askerOf(sql: Sql) {
  const { list } = tablesOf(sql, PROJECT)
  const tally = { answered: 0, refused: 0 }
  /** False for an answer or a refusal that must not be. */
  const ask = async (...[select, where, orderBy]: Table): Promise<boolean> => {
    const texts = (trees: readonly Expression[]) => trees.map((tree) => print(tree))
    const asked = {
      where: texts(where),
      orderBy: texts(orderBy).map(descendingIfLong),
      limit: LIMIT,
    }
    try {
      const page = await list(texts(select), asked)
      tally.answered += 1
      const isLeaking = String(page.results).includes('foreign')
      return !isLeaking && JSON.parse(String(page.results)).length <= LIMIT
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw new Error(JSON.stringify([texts(select), asked]), { cause: error })
      }
      tally.refused += 1
      return LIST.attr.test(String(error.detail?.attr)) && error.detail?.code === LIST.code
    }
  }
  return { ask, tally }
}

function descendingIfLong(written: string): string {
  return written.length > 20 ? `-${written}` : written
}

const kinds = sensible(3)
const value = fc.oneof(kinds.text, kinds.number, kinds.time, kinds.condition, kinds.uuid)

function few<T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(each, { maxLength: 2 })
}

function ofEvents(): fc.Arbitrary<Table> {
  const items = fc.array(value, { minLength: 1, maxLength: 4 })
  return fc.tuple(items, few(kinds.condition), few(value))
}

function ofGroups(): fc.Arbitrary<Table> {
  const sums = fc.array(aggregates(2), { minLength: 1, maxLength: 3 })
  return fc.tuple(few(value), sums, few(kinds.condition)).chain(([keys, sums, where]) => {
    const total = fc.constantFrom(...sums, ...keys)
    const having = few(
      fc.constantFrom(...sums).map((sum) => call('notEmpty', call('toString', sum))),
    )
    return fc.tuple(
      fc.constant([...keys, ...sums]),
      having.map((each) => [...where, ...each]),
      few(total),
    )
  })
}

function ofAnything(): fc.Arbitrary<Table> {
  const names = fc.constantFrom(...FUNCTIONS.keys(), ...AGGREGATES.keys())
  const leaf = fc.constantFrom<Expression>(
    ...['uuid', 'event', 'timestamp', 'team_id', 'person_id'].map((name) => field(name)),
    ...['n', 's', 'd', 'b'].map((name) => field('properties', name)),
    ...['day', 'a\\', '2024-02-29', '12'].map(text),
    ...['0', '3', '1e308'].map(number),
    { kind: 'null', at: 0 },
    { kind: 'boolean', at: 0, value: true },
  )
  const part = fc.letrec<{ part: Expression }>((tie) => ({
    part: fc.oneof({ maxDepth: 2 }, leaf, composed(tie('part'), names)),
  })).part
  return fc.tuple(fc.array(part, { minLength: 1, maxLength: 2 }), few(part), few(part))
}
