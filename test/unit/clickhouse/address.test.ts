import t from 'tap'
import { addressed, COLUMN_ADDRESS_BYTES_MAX } from '../../../src/clickhouse/address.ts'
import { personSet } from '../../../src/event-store/clickhouse/insights/resolve-in-postgres.ts'
import { toStatement } from '../../../src/event-store/clickhouse/renderer/statement.ts'
import { fragment, join } from '../../../src/postgres/fragment.ts'

const SQL = 'select {a: String}, {b: String}, {n: UInt64}'

t.test('short parameters stay parameters', (t) => {
  const given = { a: "it's", b: '', n: 7 }
  t.strictSame(addressed(SQL, given, { s: 1 }), {
    query: SQL,
    query_params: given,
    clickhouse_settings: { s: 1 },
  })
  t.end()
})

t.test(
  'a value that the address has no room for is in the statement, in hexadecimal digits',
  (t) => {
    const [whole, half] = [COLUMN_ADDRESS_BYTES_MAX, COLUMN_ADDRESS_BYTES_MAX / 2]
    const long = `'é`.repeat(half)
    const { query, query_params, clickhouse_settings } = addressed(
      SQL,
      { a: long, b: 'b', n: 7 },
      {},
    )
    const named = `with unhex('${'27c3a9'.repeat(half)}') as long_a`
    t.equal(query, `${named} select long_a, {b: String}, {n: UInt64}`)
    t.strictSame(query_params, { b: 'b', n: 7 })
    t.match(
      clickhouse_settings,
      { max_query_size: Number },
      'the server reads more than by default',
    )
    const together = addressed(SQL, { a: 'x'.repeat(whole), b: 'y', n: 7 }, {})
    t.strictSame(Object.keys(together.query_params), ['a', 'n'], 'all together have so much room')
    t.equal(together.query, "with unhex('79') as long_b select {a: String}, long_b, {n: UInt64}")
    t.end()
  },
)

t.test('a long text is written once, however often a statement has it', (t) => {
  const ids = Array.from({ length: 10_000 }, (_, place) => place).join(',')
  const places = Array.from({ length: 100 }, () => fragment`p.person_id in ${personSet(ids)}`)
  for (const [begin, rest] of [
    ['select', ''],
    ['with 1 as one select', ', 1 as one'],
  ]) {
    const { sql, parameters } = toStatement(join(places, 'or'))
    const { query } = addressed(`${begin} ${sql}`, parameters, {})
    t.equal(query.split(ids).length, 2, 'numbers stand there as they are')
    t.ok(query.startsWith(`with '${ids}' as long_v0${rest} select p.person_id in `))
    t.equal(query.split('long_v0').length, 102)
  }
  t.end()
})
