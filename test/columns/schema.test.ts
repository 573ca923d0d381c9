/** Connection and table of the column store. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { connectColumns } from '../../src/clickhouse/connect.ts'
import { ensureSchema, schemaSql } from '../../src/clickhouse/schema.ts'
import {
  columnServer,
  columnStore,
  failureOf,
  freshDatabase,
  openColumns,
} from '../support/columns/column-store.ts'
import { startEngine } from '../support/columns/engine.ts'
import { freePort } from '../support/servers/free-port.ts'

const server = await columnServer(t)

t.test('a server that is not there, refuses or is too old is told apart', async (t) => {
  const away = connectColumns(`http://127.0.0.1:${await freePort()}`)
  t.match(await failureOf(away), /^unreachable: ClickHouse does not answer/)

  const locked = new URL((await startEngine(t, { password: 'right' })).url)
  locked.password = 'wrong'
  t.match(await failureOf(connectColumns(locked.href)), /^refused: .*AUTHENTICATION_FAILED/)
  locked.password = 'right'
  await (await connectColumns(locked.href)).close()

  const missing = connectColumns(`${server}/no_such_database`)
  t.match(await failureOf(missing), /^refused: .*UNKNOWN_DATABASE/)

  const old = createServer((_, response) => response.end('["18.16.1"]\n'))
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
  t.teardown(() => old.close())
  const { port } = old.address() as AddressInfo
  const tooOld = connectColumns(`http://127.0.0.1:${port}`)
  t.match(await failureOf(tooOld), /^too_old: ClickHouse 24.8 or newer is needed, this is 18.16.1/)
})

t.test('a text that is no URL of ClickHouse is refused', async (t) => {
  for (const url of ['postgres://localhost/a', 'http://localhost/a;b', 'localhost']) {
    await t.rejects(connectColumns(url), TypeError, url)
  }
})

t.test('the tables are made once, and then found', async (t) => {
  const store = await openColumns(t, await freshDatabase(t, server))
  await Promise.all([ensureSchema(store), ensureSchema(store)])
  await ensureSchema(store)
  const tables = await store.rows(
    'select name, engine from system.tables where database = {database: String} order by name',
    { database: store.database },
  )
  t.strictSame(tables, [
    ['distinct_ids', 'ReplacingMergeTree'],
    ['events', 'MergeTree'],
  ])
})

const CHANGES = [
  {
    sql: 'alter table DB.events modify column properties LowCardinality(String)',
    says: 'properties is',
  },
  { sql: 'alter table DB.events drop column elements_chain', says: 'no column elements_chain' },
  {
    sql: 'alter table DB.events modify setting non_replicated_deduplication_window = 0',
    says: 'setting non_replicated_deduplication_window is not 10000',
  },
  {
    sql: 'alter table DB.events reset setting fsync_after_insert',
    says: 'setting fsync_after_insert',
  },
  { sql: 'alter table DB.distinct_ids drop column person_id', says: 'no column person_id' },
]

t.test('a table that was changed by hand is not taken', async (t) => {
  for (const { sql, says } of CHANGES) {
    const store = await columnStore(t, server)
    await store.command(sql.replace('DB', store.database))
    t.match(await failureOf(ensureSchema(store)), new RegExp(`^foreign_table: .*: .*${says}`))
  }
})

const OTHERS = [
  { sql: 'create table DB.events (a Int64) engine = Memory', says: 'engine is Memory' },
  { sql: 'create table DB.events (a Int64) engine = MergeTree order by a', says: 'partitioned by' },
  {
    sql: 'create table DB.events (month String, a Int64) engine = MergeTree partition by month order by a',
    says: 'in order of a',
  },
]

t.test('a table of another owner is not taken', async (t) => {
  for (const { sql, says } of OTHERS) {
    const store = await openColumns(t, await freshDatabase(t, server))
    await store.command(sql.replace('DB', store.database))
    t.match(await failureOf(ensureSchema(store)), new RegExp(`^foreign_table: .*${says}`))
  }
})

t.test('on a cluster the table is replicated, and distributed by project', (t) => {
  const [local = '', distributed = '', localIds, ids] = schemaSql({
    ...{ database: 'd', cluster: 'main' },
  })
  const [alone = ''] = schemaSql({ database: 'd' })
  t.match(local, "create table if not exists d.events_local on cluster 'main' (\n")
  t.match(
    local,
    ") engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/d/events_local', '{replica}')\n",
  )
  t.match(local, 'settings replicated_deduplication_window = 10000,')
  t.strictSame(bodyOf(local), bodyOf(alone))
  t.equal(
    distributed,
    `create table if not exists d.events on cluster 'main' as d.events_local
engine = Distributed('main', 'd', 'events_local', cityHash64(project_id))`,
  )
  t.match(
    localIds,
    "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/d/distinct_ids_local'",
  )
  t.match(ids, "Distributed('main', 'd', 'distinct_ids_local', cityHash64(project_id))")
  t.end()
})

/** Columns, keys and order: what is the same in both forms. */
function bodyOf(sql: string): string {
  return sql
    .replace(/^.*\n/, '')
    .replace(/engine = .*/, '')
    .replace(/settings .*/, '')
}
