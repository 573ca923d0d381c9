import t from 'tap'
import { COLUMN_ADDRESS_BYTES_MAX } from '../../../../src/core/limits/limits-columns.ts'
import { addressed } from '../../../../src/store/events-clickhouse/address.ts'

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

t.test('what the address has no room for is in the statement, in hexadecimal digits', (t) => {
  const [whole, half] = [COLUMN_ADDRESS_BYTES_MAX, COLUMN_ADDRESS_BYTES_MAX / 2]
  const long = `'é`.repeat(half)
  const { query, query_params, clickhouse_settings } = addressed(SQL, { a: long, b: 'b', n: 7 }, {})
  t.equal(query, `select unhex('${'27c3a9'.repeat(half)}'), {b: String}, {n: UInt64}`)
  t.strictSame(query_params, { b: 'b', n: 7 })
  t.match(clickhouse_settings, { max_query_size: Number }, 'the server reads more than by default')
  const together = addressed(SQL, { a: 'x'.repeat(whole), b: 'y', n: 7 }, {})
  t.strictSame(Object.keys(together.query_params), ['a', 'n'], 'all together have so much room')
  t.equal(together.query, "select {a: String}, unhex('79'), {n: UInt64}")
  t.end()
})
