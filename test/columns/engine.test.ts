/** The engine of these tests answers `@clickhouse/client` as ClickHouse does. */
import { once } from 'node:events'
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import fc from 'fast-check'
import t from 'tap'
import { startEngine } from '../support/columns/engine.ts'
import { until } from '../support/until.ts'

const engine = await startEngine(t)
/** Failures are what some of these tests are about. */
const log = { level: ClickHouseLogLevel.OFF }
const client = createClient({
  url: engine.url,
  log,
  compression: { request: true, response: true },
  clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
})
const plain = createClient({ url: engine.url, log })
t.teardown(() => Promise.all([client.close(), plain.close()]))

const ROWS = 200_000
const MANY = `select number as n, 'line\n"' || toString(number) as "a ""name""
" from numbers(${ROWS})`

async function all<T>(sql: string, params: Record<string, unknown> = {}): Promise<T[]> {
  const result = await client.query({ query: sql, query_params: params, format: 'JSONEachRow' })
  return await result.json<T>()
}

/** The answer as bytes, from either client. */
async function bytesOf(query: string, from = client): Promise<Buffer> {
  const { stream } = await from.exec({ query })
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Code and name of the failure. */
async function failureOf(done: Promise<unknown>): Promise<string> {
  const error = await done.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  )
  if (!(error instanceof ClickHouseError)) throw error
  return `${error.code} ${error.type}`
}

t.test('it answers a ping and says its version', async (t) => {
  t.strictSame(await client.ping(), { success: true })
  const [row] = await all<{ version: string }>('select version() as version')
  t.match(row?.version, /^\d+\.\d+/)
})

t.test('it refuses long parameters and addresses as a server does by default', async (t) => {
  const [kib, sql] = [1_024, 'select length({a: String}) as size']
  t.match(await all(sql, { a: 'x'.repeat(128 * kib) }), [{ size: String(128 * kib) }])
  await t.rejects(all(sql, { a: 'x'.repeat(128 * kib + 1) }), { message: /Field value too long/ })
  await t.rejects(all(sql, { a: '%'.repeat(50 * kib) }), { message: /Field value too long/ })
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [n, 'x'.repeat(120 * kib)]))
  await t.rejects(all(sql, { a: '', ...many }), { message: /URI too long/ })
})

t.test('tables are made, columns are named, and rows come back', async (t) => {
  await client.command({
    query:
      'create table c (a Int64, b String, d String default toString(a)) engine = MergeTree order by a',
  })
  await client.insert({
    table: 'c',
    columns: ['b', 'a'],
    values: [
      ['é🎉\0', 1],
      ["it's \\", 2],
    ],
    format: 'JSONCompactEachRow',
  })
  t.strictSame(await all('select * from c order by a'), [
    { a: 1, b: 'é🎉\0', d: '1' },
    { a: 2, b: "it's \\", d: '2' },
  ])
})

t.test('a token is taken once, also for other rows', async (t) => {
  await client.command({
    query:
      'create table k (a Int64) engine = MergeTree order by a settings non_replicated_deduplication_window = 10',
  })
  const insert = (a: number, token: string) =>
    client.insert({
      table: 'k',
      values: [{ a }],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: token, async_insert: 0 },
    })
  await insert(1, 'x')
  await insert(2, 'x')
  await insert(3, 'y')
  t.strictSame(await all('select a from k order by a'), [{ a: 1 }, { a: 3 }])
})

t.test('parameters hold any text, and none is left for the next statement', async (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (x, list) => {
      const sql = 'select {x: String} as x, {list: Array(String)} as list'
      t.strictSame(await all(sql, { x, list }), [{ x, list }])
    }),
    { numRuns: 60, examples: [['\0\'"\\\n\t{}', ["'", '\\0']]] },
  )
  t.strictSame(await failureOf(all('select {x: String} as x')), '456 UNKNOWN_QUERY_PARAMETER')
})

t.test('settings are of one statement', async (t) => {
  const sql = "select getSetting('max_block_size') as size"
  const [own] = await all<{ size: number }>(`${sql} settings max_block_size = 7`)
  const result = await client.query({
    query: sql,
    format: 'JSONEachRow',
    clickhouse_settings: { max_block_size: '9' },
  })
  const [after] = await all<{ size: number }>(sql)
  t.strictSame(Number(own?.size), 7)
  t.match(await result.json(), [{ size: /^9$/ }])
  t.ok(Number(after?.size) > 9)
})

t.test('a failure has the code and the name of ClickHouse', async (t) => {
  const values = [{ a: 'no number' }]
  const bad = () => client.insert({ table: 'c', values, format: 'JSONEachRow' })
  const unknown = { no_such_setting: 1 }
  t.strictSame(await failureOf(all('select nope')), '47 UNKNOWN_IDENTIFIER')
  t.strictSame(await failureOf(all('select * from nowhere')), '60 UNKNOWN_TABLE')
  t.strictSame(await failureOf(client.command({ query: 'select from where' })), '62 SYNTAX_ERROR')
  t.match(await failureOf(bad()), /^\d+ CANNOT_PARSE/)
  t.strictSame(
    await failureOf(client.query({ query: 'select 1', clickhouse_settings: unknown })),
    '115 UNKNOWN_SETTING',
  )
})

t.test('a wrong password is refused', async (t) => {
  const locked = await startEngine(t, { password: 'right' })
  const right = createClient({ url: locked.url, password: 'right', log })
  const wrong = createClient({ url: locked.url, password: 'wrong', log })
  t.teardown(() => Promise.all([right.close(), wrong.close()]))
  await right.command({ query: 'select 1' })
  const refused = await failureOf(wrong.command({ query: 'select 1' }))
  t.strictSame(refused, '516 AUTHENTICATION_FAILED')
})

for (const format of ['JSONEachRow', 'CSVWithNames', 'TSVWithNames', 'RowBinary', 'CSV', 'JSON']) {
  t.test(`${format} comes whole, past one piece`, async (t) => {
    const once = `${MANY} settings max_block_size = 1000000 format ${format}`
    const wanted = await bytesOf(once, plain)
    // One answer of one piece: what the engine itself makes of it.
    const whole = createClient({ url: engine.url, log })
    const { stream } = await whole.exec({
      query: `${MANY} format ${format}`,
      clickhouse_settings: { wait_end_of_query: 1 },
    })
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(Buffer.from(piece))
    await whole.close()
    const same = (bytes: Buffer) => withoutFigures(bytes, format)
    t.ok(same(wanted).equals(same(Buffer.concat(pieces))))
    t.ok(same(await bytesOf(`${MANY} format ${format}`)).equals(same(wanted)), 'with gzip')
    t.ok(wanted.length > ROWS * 5)
  })
}

/** The frame of JSON tells how long it took. */
function withoutFigures(bytes: Buffer, format: string): Buffer {
  if (format !== 'JSON') return bytes
  return Buffer.from(bytes.toString().replace(/"statistics":\s*\{[^}]*\}/, ''))
}

t.test('no row is an answer too', async (t) => {
  t.strictSame(await all('select 1 where 0'), [])
  t.strictSame((await bytesOf('select 1 as a where 0 format CSVWithNames')).toString(), '"a"\n')
})

t.test('a client that goes ends its statement, and the others go on', async (t) => {
  const statements = [
    { what: 'computes', sql: 'select sum(sipHash64(number)) from numbers(1000000000000)' },
    { what: 'sends rows', sql: 'select number as sent from numbers(1000000000000)' },
    { what: 'waits for its reader', sql: 'select number as waiting from numbers(1000000000000)' },
  ]
  for (const { what, sql } of statements) {
    const leaving = new AbortController()
    const query = client.query({
      query: sql,
      format: 'JSONEachRow',
      abort_signal: leaving.signal,
    })
    const left = query.then(
      async (result) => {
        const rows = result.stream()
        rows.on('error', () => {})
        if (what === 'sends rows') await once(rows, 'data')
        return rows
      },
      () => undefined, // It had not answered by then.
    )
    await until('it runs', async () => (await running(sql)) === 1)
    if (what === 'computes') leaving.abort()
    const rows = await left
    rows?.destroy()
    leaving.abort()
    await until('it has ended', async () => (await running(sql)) === 0)
    t.strictSame(await all('select 1 as one'), [{ one: 1 }], what)
  }
})

async function running(sql: string): Promise<number> {
  const found = await all<{ n: number }>(
    'select count() as n from system.processes where startsWith(query, {sql: String})',
    { sql: sql.slice(0, 40) },
  )
  return Number(found[0]?.n)
}

t.test('stored rows survive a kill', async (t) => {
  const own = await startEngine(t)
  const to = createClient({ url: own.url, log })
  t.teardown(() => to.close())
  await to.command({
    query: 'create table d (a Int64) engine = MergeTree order by a settings fsync_after_insert = 1',
  })
  await to.insert({ table: 'd', values: [{ a: 5 }], format: 'JSONEachRow' })
  await own.kill()
  await t.rejects(to.query({ query: 'select 1' }))
  await own.start()
  const result = await to.query({ query: 'select a from d', format: 'JSONEachRow' })
  t.strictSame(await result.json(), [{ a: 5 }])
})
