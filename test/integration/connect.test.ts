import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Log, silentLog } from '../../src/core/log.ts'
import { createSql, type Sql } from '../../src/store/connect.ts'
import { testDatabase } from '../support/database.ts'

const options = { applicationName: 'connect test', connectionsMax: 2, log: silentLog }

function pool(t: Test, target: Parameters<typeof createSql>[0], more = {}): Sql {
  const sql = createSql(target, { ...options, ...more })
  t.teardown(() => sql.end({ timeout: 0 }))
  return sql
}

/** A TCP port in front of the test server, which listens on a Unix socket alone. */
async function relay(t: Test, socketPath: string, port = 0): Promise<Server> {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(socketPath)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => socket.destroy()) // The other side is destroyed by its pipe's end.
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return (address as AddressInfo).port // A TCP server that listens has no other.
}

async function databaseOverTcp(t: Test) {
  const { connection } = await testDatabase(t, { migrated: false })
  const socketPath = `${connection.host}/.s.PGSQL.${connection.port}`
  const url = (port: number) => `postgres://sluice@127.0.0.1:${port}/${connection.database}`
  return { connection, socketPath, url }
}

t.test('refused connections reject and never use up the pool', async (t) => {
  const { socketPath, url } = await databaseOverTcp(t)
  const first = await relay(t, socketPath)
  const port = portOf(first)
  first.close()
  await once(first, 'close')
  const sql = pool(t, url(port))
  for (let attempt = 0; attempt < options.connectionsMax * 3; attempt += 1) {
    await t.rejects(sql`select 1`, { code: 'ECONNREFUSED' })
  }
  await relay(t, socketPath, port)
  t.strictSame([...(await sql`select 1 as one`)], [{ one: 1 }], 'works once the server is back')
})

t.test('a lost connection rejects what it carried and is replaced', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { connectionsMax: 1 })
  const [self] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const other = pool(t, connection, { connectionsMax: 1 })
  const cut = t.rejects(sql`select pg_sleep(60)`, { code: /57P01|CONNECTION_CLOSED/ })
  const asleep = async () => {
    const [row] = await other`select wait_event from pg_stat_activity where pid = ${self?.pid ?? 0}`
    return row?.['wait_event'] === 'PgSleep'
  }
  while (!(await asleep()));
  await other`select pg_terminate_backend(${self?.pid ?? 0})`
  await cut
  t.strictSame([...(await sql`select 1 as one`)], [{ one: 1 }])
})

t.test('a URL that cannot be read is refused at once', async (t) => {
  t.throws(() => createSql('postgres://[', options), { name: 'TypeError' })
  t.throws(() => createSql('', options), { name: 'TypeError' })
})

t.test('limits of time hold on the server', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { statementTimeoutMs: 20, lockTimeoutMs: 15 })
  await t.rejects(sql`select pg_sleep(60)`, { code: '57014' })
  const [row] = await sql`select current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('application_name') as name`
  t.strictSame({ ...row }, { lock: '15ms', idle: '15s', name: 'connect test' })
})

t.test('one database can be named as a URL of either kind', async (t) => {
  const { connection, socketPath, url } = await databaseOverTcp(t)
  const port = portOf(await relay(t, socketPath))
  const folder = encodeURIComponent(connection.host)
  const urls = [
    url(port),
    `postgresql:///${connection.database}?host=${folder}&user=sluice`,
    `postgresql://sluice@localhost/${connection.database}?host=${folder}&port=5432`,
  ]
  for (const target of urls) {
    const [row] = await pool(t, target)`select current_database() as name, current_user as user`
    t.strictSame({ ...row }, { name: connection.database, user: 'sluice' })
  }
})

t.test('large statements and whole bigints pass', async (t) => {
  const { socketPath, url } = await databaseOverTcp(t)
  const sql = pool(t, url(portOf(await relay(t, socketPath))))
  const text = 'x'.repeat(300_000)
  const epoch = 9_223_372_036_854_775_807n
  const [row] = await sql<{ length: number; epoch: bigint }[]>`
    select length(${text}) as length, ${epoch}::bigint as epoch`
  t.strictSame({ ...row }, { length: 300_000, epoch })
})

t.test('a notice is logged without its text', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const lines: unknown[] = []
  const log: Log = { ...silentLog, debug: (message, fields) => lines.push({ message, ...fields }) }
  const sql = pool(t, connection, { log })
  await sql.unsafe("do $$ begin raise notice 'a private %', 'row'; end $$")
  t.strictSame(lines, [{ message: 'postgres notice', severity: 'NOTICE', code: '00000' }])
})
