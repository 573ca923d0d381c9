import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { getPriority } from 'node:os'
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/core/log.ts'
import { createReleasers } from '../../../src/core/releasers.ts'
import { YIELDING_PRIORITY } from '../../../src/core/yield-processor.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { openPools } from '../../../src/worker/worker-pools.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

type Target = Parameters<typeof createSql>[0]

async function pidOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid ?? 0
}

/** Undefined where the system has no groups of processes. */
async function groupPriorityOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => undefined)
  return text?.trim().replace(/^.* nice /, '')
}

function yieldingSql(t: Test, target: Target): Sql {
  const options = { applicationName: 'test', connectionsMax: 1, log: silentLog }
  const sql = createSql(target, { ...options, yieldsProcessors: true })
  t.teardown(() => sql.end({ timeout: 0 }))
  return sql
}

t.test(
  'processes that answer questions have a low priority, and no others',
  { skip: process.platform !== 'linux' && 'only Linux tells priorities of processes' },
  async (t) => {
    const { sql, connection } = await testDatabase(t, { migrated: false })
    const usual = {
      own: getPriority(await pidOf(sql)),
      group: await groupPriorityOf(await pidOf(sql)),
    }
    t.equal(usual.own, getPriority())
    const lowered = Math.max(usual.own, YIELDING_PRIORITY)
    const yielding = yieldingSql(t, connection)
    const first = await pidOf(yielding)
    t.equal(getPriority(first), lowered)
    const low = usual.group && String(YIELDING_PRIORITY)
    await until('its group too', async () => (await groupPriorityOf(first)) === low)

    const leaving = new AbortController()
    const left = t.rejects(yielding.withSignal(leaving.signal)`select pg_sleep(600)`)
    leaving.abort()
    await left
    const second = await pidOf(yielding)
    t.equal(getPriority(second), lowered, 'one that takes the place of another')
    t.equal(getPriority(await pidOf(sql)), usual.own)
    t.equal(await groupPriorityOf(await pidOf(sql)), usual.group)

    const relay = createServer((client) => {
      const server = connect(`${connection.host}/.s.PGSQL.${connection.port}`)
      client.on('error', () => server.destroy()).on('close', () => server.destroy())
      server.on('error', () => client.destroy())
      client.pipe(server).pipe(client)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    t.teardown(() => relay.close())
    const address = relay.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const far = await pidOf(yieldingSql(t, { ...connection, host: '127.0.0.1', port }))
    t.equal(getPriority(far), usual.own, 'over TCP the number may be of another machine')
  },
)

t.test('a question has one process while flushes take much of the time', async (t) => {
  const { connection } = await testDatabase(t, { migrated: false })
  const clock = createFakeClock()
  const releasers = createReleasers(silentLog)
  const pools = openPools({ clock, log: silentLog }, { database: connection }, releasers)
  t.teardown(() => releasers.release())
  const { scans, flushes } = pools
  const processes = async (db: Pick<Sql, 'unsafe'>) => {
    const rows = await db.unsafe<{ n: string }[]>(
      "select current_setting('max_parallel_workers_per_gather') as n",
    )
    return rows[0]?.n
  }
  const inTransaction = () => scans.begin('read only', async (tx) => ({ of: await processes(tx) }))
  const { of: usual } = await inTransaction()
  t.not(usual, '0')
  flushes.add(1_000)
  t.strictSame(await inTransaction(), { of: '0' })
  t.equal(await processes(scans), usual, 'the setting ends with its transaction')
  await clock.advance(10_000)
  t.strictSame(await inTransaction(), { of: usual })
})
