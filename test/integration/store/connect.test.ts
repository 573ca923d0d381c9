import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { AppError } from '../../../src/core/code.ts'
import { type Log, silentLog } from '../../../src/core/log.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { freePort } from '../../support/servers/free-port.ts'

const CANCELLED = new AppError('cancelled', 'the caller has left')
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
  const port = await freePort()
  const sql = pool(t, url(port))
  for (let attempt = 0; attempt < options.connectionsMax * 3; attempt += 1) {
    await t.rejects(sql`select 1`, { code: 'ECONNREFUSED' })
  }
  await relay(t, socketPath, port)
  t.strictSame([...(await sql`select 1 as one`)], [{ one: 1 }], 'works once the server is back')
})

/** Ends the session `pid` once it is asleep, by another one. */
async function terminateAsleep(other: Sql, pid: number): Promise<void> {
  for (;;) {
    const [row] = await other`select wait_event from pg_stat_activity where pid = ${pid}`
    if (row?.['wait_event'] === 'PgSleep') break
  }
  await other`select pg_terminate_backend(${pid})`
}

async function sessionOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

t.test('a lost connection rejects what it carried with its reason and is replaced', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { connectionsMax: 1 })
  const other = pool(t, connection)
  for (const statement of ['select pg_sleep(60)', 'select pg_sleep($1)']) {
    const session = await sessionOf(sql)
    const parameters = statement.includes('$1') ? [60] : []
    const cut = t.rejects(sql.unsafe(statement, parameters), { code: '57P01' })
    await terminateAsleep(other, session)
    await cut
    t.not(await sessionOf(sql), session)
  }
})

t.test('a transaction cut in the middle rolls back and the pool continues', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { connectionsMax: 1 })
  const other = pool(t, connection)
  await other`create table written (n int)`
  const session = await sessionOf(sql)
  const cut = t.rejects(
    sql.begin(async (tx) => {
      await tx`insert into written values (1)`
      await tx`select pg_sleep(60)`
    }),
    { code: '57P01' },
  )
  await terminateAsleep(other, session)
  await cut
  await sql.begin((tx) => tx`insert into written values (2)`)
  t.strictSame([...(await other`select n from written`)], [{ n: 2 }])
})

t.test('a transaction cut while it waits for us is told so by its next statement', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { connectionsMax: 1, idleInTransactionTimeoutMs: 10 })
  const other = pool(t, connection)
  await other`create table written (n int)`
  const cut = sql.begin(async (tx) => {
    await tx`insert into written values (1)`
    const session = await sessionOf(tx as unknown as Sql) // Same tagged template, fewer methods.
    while ((await other`select 1 from pg_stat_activity where pid = ${session}`).length > 0);
    await turn() // The server's words are read: a closed socket that is met first has less detail.
    await tx`savepoint a`.catch(() => tx`rollback to a`).catch(() => undefined) // Continues at will.
    await tx`insert into written values (2)`
  })
  await t.rejects(cut, { code: '25P03' })
  await sql`insert into written values (3)`
  t.strictSame([...(await other`select n from written`)], [{ n: 3 }])
})

t.test('statements that wait in a transaction that is cut all fail, and it ends', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const sql = pool(t, connection, { connectionsMax: 1 })
  const other = pool(t, connection)
  const cut = sql.begin(async (tx) => {
    const pid = await sessionOf(tx as unknown as Sql)
    // None has been seen by this session: each is described first, and the next one waits.
    const waiting = [
      tx`select pg_sleep(${60}::float8)`,
      tx`select ${1}::integer as one`,
      tx`select ${'x'}::text as text`,
      tx`select ${2}::bigint as two`,
    ]
    const settled = Promise.allSettled(waiting)
    await terminateAsleep(other, pid)
    const outcomes = await settled
    t.strictSame(
      outcomes.map(({ status }) => status),
      waiting.map(() => 'rejected'),
    )
    await Promise.all(waiting)
  })
  await t.rejects(cut, { code: '57P01' })
  t.strictSame([...(await sql`select 1 as one`)], [{ one: 1 }], 'the connection is replaced')
})

t.test('under load, a server that dies again and again loses nothing acked', async (t) => {
  const { connection, pg } = await testDatabase(t, { migrated: false })
  const sql = pool(t, connection, { connectionsMax: 4 })
  await sql`create table written (n int primary key)`
  const acked: number[] = []
  const failures: unknown[] = []
  let next = 0
  let running = true
  const client = async () => {
    while (running) {
      next += 1
      const n = next
      const write =
        n % 3 === 0
          ? sql`insert into written values (${n})`
          : sql.begin(async (tx) => {
              await tx`insert into written values (${n})`
              if (n % 2 === 0) await tx`select count(*) from written where n > ${n - 10}`
            })
      await write.then(
        () => acked.push(n),
        (error: unknown) => failures.push(error),
      )
    }
  }
  const clients = Array.from({ length: 8 }, client)
  for (let death = 0; death < 4; death += 1) {
    const before = acked.length
    while (acked.length < before + 50) await new Promise((resolve) => setImmediate(resolve))
    await pg.kill('SIGKILL')
    await pg.restart()
  }
  const before = acked.length
  while (acked.length < before + 50) await new Promise((resolve) => setImmediate(resolve))
  running = false
  await Promise.all(clients)
  t.ok(failures.length > 0, 'the deaths were felt')
  const rows = await sql<{ n: number }[]>`select n from written`
  const stored = new Set(rows.map((row) => row.n))
  t.strictSame(
    acked.filter((n) => !stored.has(n)),
    [],
  )
  const all = await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.001)`))
  t.equal(all.length, 8, 'every slot of the pool works')
})

t.test('a transaction is committed whole or not at all', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false, connectionsMax: 1 })
  await sql`create table written (n int primary key)`
  const refused = sql.begin(async (tx) => {
    await tx`insert into written values (1)`
    await tx`insert into written values (1)`.catch(() => undefined)
  })
  await t.rejects(refused, { code: '23505' }, 'a failure that its work has not told')
  const left = sql.begin(async (tx) => {
    await tx`insert into written values (2)`
    tx`insert into written values (2)`.execute()
  })
  await t.rejects(left, { code: '23505' }, 'a failure that nobody has waited for')
  const thrown = sql.begin(async (tx) => {
    await tx`insert into written values (3)`
    throw new Error('no')
  })
  await t.rejects(thrown, { message: 'no' })
  let late: () => Promise<unknown> = async () => undefined
  const result = await sql.begin('isolation level repeatable read', async (tx) => {
    late = async () => await tx`select 1`
    return await tx<{ n: number }[]>`insert into written values (4) returning n`
  })
  t.strictSame([...result], [{ n: 4 }])
  await t.rejects(late, { name: 'InvariantError' }, 'after its end')
  t.strictSame([...(await sql`select n from written`)], [{ n: 4 }])
})

t.test('statements of others never run in a transaction', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false, connectionsMax: 2 })
  await sql`create table written (n int primary key)`
  const rolledBack = Array.from({ length: 20 }, (_, at) =>
    t.rejects(
      sql.begin(async (tx) => {
        await tx`insert into written values (${1_000 + at})`
        throw new Error('no')
      }),
    ),
  )
  await Promise.all([
    ...rolledBack,
    ...Array.from({ length: 200 }, (_, at) => sql`insert into written values (${at})`),
  ])
  const [row] = await sql`select count(*)::int as rows, max(n) as last from written`
  t.strictSame({ ...row }, { rows: 200, last: 199 })
})

t.test('a statement is sent when it is waited for, and once', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  await sql`create table written (n int primary key, word text)`
  sql`insert into written values (1)`.toString()
  const values = sql`(2, ${'two'})`
  const inserted = sql`insert into ${sql('written')} values ${values} returning word`
  await inserted
  t.strictSame([...(await inserted)], [{ word: 'two' }])
  const [only] = await sql<{ n: number }[]>`
    select n from written where ${sql`word = ${'two'}`} and n = any (${[2, 3]}::int[])`
  t.equal(only?.n, 2)
})

t.test('the error of a statement leads to where it stands', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const error: unknown = await sql`select nothing`.catch((reason: unknown) => reason)
  t.match(error, { code: '42703', cause: { stack: /connect\.test\.ts/ } })
})

t.test('arrays pass, of every type that statements use', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const at = new Date('2026-01-02T03:04:05.678Z')
  const text = ['a', '', 'NULL', 'b"c', '\\d', '{e,f}', 'g\n', null]
  const uuid = ['3f0c5b4e-5d0b-4a55-9f0f-1d2c3b4a5968']
  const [row] = await sql`select ${text}::text[] as text, ${uuid}::uuid[] as uuid,
    ${[1, -2]}::int[] as integer, ${[3]}::smallint[] as smallint,
    ${['9223372036854775807']}::bigint[] as bigint, ${[1.5, -0.25]}::float8[] as double,
    ${['true', 'false']}::text[]::boolean[] as boolean, ${[at.toISOString()]}::timestamptz[] as timestamptz,
    ${[]}::text[] as none, array['x']::name[] as name`
  t.strictSame(
    { ...row },
    {
      text,
      uuid,
      integer: [1, -2],
      smallint: [3],
      bigint: [9_223_372_036_854_775_807n],
      double: [1.5, -0.25],
      boolean: [true, false],
      timestamptz: [at],
      none: [],
      name: ['x'],
    },
  )
})

t.test('a value that cannot be sent never gives a statement the rows of another', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false, connectionsMax: 1 })
  const ask = async (n: number, at: Date) => {
    const [row] = await sql<{ n: number }[]>`select ${n}::int as n, ${at}::timestamptz as at`
    return row?.n
  }
  const [good, bad] = [new Date(0), new Date(Number.NaN)]
  t.equal(await ask(0, good), 0, 'prepared')
  const outcomes = await Promise.allSettled([ask(1, good), ask(2, bad), ask(3, good), ask(4, good)])
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') t.equal(outcome.value, index + 1)
    else t.match(outcome.reason, index === 1 ? { name: /Error/ } : { code: '08006' })
  }
  t.equal(outcomes[1]?.status, 'rejected')
  t.equal(await ask(5, good), 5)
  await t.rejects(ask(6, bad), { name: 'RangeError' }, 'alone, it harms nobody')
  t.equal(await ask(7, good), 7)
})

t.test('a URL that cannot be read is refused at once', async (t) => {
  t.throws(() => createSql('postgres://[', options), { name: 'TypeError' })
  t.throws(() => createSql('', options), { name: 'TypeError' })
})

t.test('limits of time hold on the server', async (t) => {
  const { connection } = await databaseOverTcp(t)
  const hurried = pool(t, connection, { statementTimeoutMs: 20 })
  await t.rejects(hurried`select pg_sleep(60)`, { code: '57014' })
  // A statement that is to be answered has the usual time.
  const sql = pool(t, connection, { lockTimeoutMs: 15 })
  const [row] = await sql`select current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('application_name') as name`
  t.strictSame({ ...row }, { lock: '15ms', idle: '4s', name: 'connect test' })
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

/** The longest queue that the driver has looked through for a connection while `work` ran. */
async function longestSearch(work: () => Promise<void>): Promise<number> {
  const { indexOf } = Array.prototype
  let longest = 0
  Array.prototype.indexOf = function (this: unknown[], wanted: unknown, from?: number) {
    const isConnection = typeof wanted === 'object' && wanted !== null && 'execute' in wanted
    if (isConnection) longest = Math.max(longest, this.length)
    return indexOf.call(this, wanted, from)
  }
  try {
    await work()
  } finally {
    Array.prototype.indexOf = indexOf
  }
  return longest
}

t.test('a pool in steady use does not search ever longer queues', async (t) => {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const use = async (clients: number) => {
    const client = async () => {
      for (let at = 0; at < 1_200 / clients; at++) await sql`select ${at}::integer`
    }
    await Promise.all(Array.from({ length: clients }, client))
  }
  // Fewer than its connections, or more: a queue that is never empty by itself would grow.
  for (const clients of [3, 12]) {
    const longest = await longestSearch(() => use(clients))
    t.equal(longest, 1, `${clients} clients: ${longest} places`)
  }
})

t.test(
  'a statement of a caller who leaves ends, on the server too, and nothing else',
  async (t) => {
    const { sql: watching, connection } = await testDatabase(t, { migrated: false })
    const never = { statementTimeoutMs: 0, lockTimeoutMs: 0, endsWithCallers: true }
    const sql = pool(t, connection, { ...never, connectionsMax: 3 })
    const running = async () => {
      const [row] = await watching<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where state = 'active' and datname = current_database() and pid <> pg_backend_pid()`
      return row?.count
    }
    const caller = new AbortController()
    const own = sql.withSignal(caller.signal)
    const statement = own`select pg_sleep(9999)`.execute()
    const transaction = own.begin('read only', (tx) => tx`select pg_sleep(9998)`)
    const other = sql`select pg_sleep(9997)`.execute()
    const [left, leftToo] = [t.rejects(statement, CANCELLED), t.rejects(transaction, CANCELLED)]
    while ((await running()) !== 3) await turn()
    caller.abort()
    await Promise.all([left, leftToo])
    while ((await running()) !== 1) await turn()
    await t.rejects(own`select 1`, CANCELLED, 'who has left asks for nothing more')
    t.strictSame([...(await sql`select 1 as one`)], [{ one: 1 }])
    await watching`select pg_cancel_backend(pid) from pg_stat_activity
    where query like '%pg_sleep(9997%' and pid <> pg_backend_pid()`
    await t.rejects(other, { code: '57014' }, 'others go on')
  },
)
