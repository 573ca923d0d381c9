import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { type Log, silentLog } from '../../../src/core/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/embedded/embedded-postgres.ts'
import { processesIn } from '../../../src/embedded/leftovers.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { moduleArgs } from '../../support/module-url.ts'
import { seedDataDir } from '../../support/servers/postgres-template.ts'

const isRoot = process.getuid?.() === 0

/** A data directory whose Postgres must be gone when the test ends. */
async function dataDirectory(t: Test, ...below: string[]): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'sluice-embedded-'))
  const dataDir = join(base, ...below)
  t.teardown(async () => {
    const left = await processesIn(join(dataDir, 'postgres')).catch(() => []) // Never made.
    for (const pid of left) process.kill(pid, 'SIGKILL')
    await rm(base, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`Postgres processes are left: ${left}`)
  })
  return dataDir
}

async function start(t: Test, dataDir: string, log = silentLog): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, clock })
  t.teardown(() => postgres.stop())
  return postgres
}

async function query<T>(postgres: EmbeddedPostgres, work: (sql: Sql) => Promise<T>): Promise<T> {
  const options = { applicationName: 'test', connectionsMax: 1, log: silentLog }
  const sql = createSql(postgres.url, options)
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** A data directory that has been used before. */
async function usedDirectory(t: Test, ...below: string[]): Promise<string> {
  const dataDir = await dataDirectory(t, ...below)
  await seedDataDir(dataDir)
  return dataDir
}

/** Resolves when `message` is logged. */
function logged(message: string): { log: Log; seen: Promise<void> } {
  let onSeen: () => void = () => {}
  const seen = new Promise<void>((resolve) => {
    onSeen = resolve
  })
  const look = (text: string) => {
    if (text === message) onSeen()
  }
  const log: Log = { ...silentLog, info: look, warn: look, error: look, child: () => log }
  return { log, seen }
}

async function startChild(t: Test, dataDir: string) {
  const script = moduleArgs('../../support/servers/embedded-postgres-child.ts', import.meta.url)
  const child = spawn(process.execPath, [...script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) {
    t.match(line, /^\{"pid":\d+\}$/, 'Postgres writes nothing to standard output')
    break
  }
  return child
}

t.test('data of another major version is refused, and left as it is', async (t) => {
  const dataDir = await dataDirectory(t)
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog, clock })
  await t.rejects(starting, { code: 'failed_precondition', message: /Postgres 15.*pg_dump/ })
  t.equal(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '15\n')
})

t.test('a folder that is something else is refused', async (t) => {
  const dataDir = await dataDirectory(t)
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'letters.txt'), 'dear')
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog, clock })
  await t.rejects(starting, { code: 'failed_precondition', message: /is not empty/ })
})

t.test('a start that fails says why and can be repeated', async (t) => {
  const dataDir = await usedDirectory(t)
  const folder = join(dataDir, 'postgres')
  await rename(join(folder, 'global'), join(folder, 'global.away'))
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog, clock })
  await t.rejects(starting, { code: 'unavailable', message: /global/ })
  await rename(join(folder, 'global.away'), join(folder, 'global'))
  t.type((await start(t, dataDir)).pid(), 'number')
})

t.test('a fresh directory is made with its parents and closed to others', async (t) => {
  const dataDir = await dataDirectory(t, 'parent', 'data')
  const postgres = await start(t, dataDir)
  const folder = await stat(join(dataDir, 'postgres'))
  t.equal(folder.mode & 0o777, 0o700)
  t.equal(folder.uid === 0, false, 'root is dropped')
  const status = await readFile(`/proc/${postgres.pid()}/status`, 'utf8')
  t.match(status, new RegExp(`^Uid:\\s+${folder.uid}\\s+${folder.uid}\\s`, 'm'))
  t.match(status, new RegExp(`^Groups:\\s*${isRoot ? '$' : ''}`, 'm'))
  const [settings] = await query(postgres, (sql) => {
    const names = ['listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes']
    return sql`select array_agg(setting order by name) as list from pg_settings
      where name = any (${names}::text[])`
  })
  t.strictSame(settings?.['list'], ['on', 'on', '', 'on'], 'safe, and no network')
})

t.test('a folder closed to others above the data directory is no obstacle', async (t) => {
  const dataDir = await dataDirectory(t, 'private', 'data')
  await mkdir(join(dataDir, '..'), { mode: 0o700 })
  const postgres = await start(t, dataDir)
  t.strictSame([...(await query(postgres, (sql) => sql`select 1 as one`))], [{ one: 1 }])
})

t.test('a path too long for a socket is no obstacle', async (t) => {
  const dataDir = await usedDirectory(t, 'long'.repeat(30))
  const postgres = await start(t, dataDir)
  t.ok(postgres.connection.host.length < 100)
  t.strictSame([...(await query(postgres, (sql) => sql`select 1 as one`))], [{ one: 1 }])
})

t.test('data survives a restart, and settings come from this version', async (t) => {
  const dataDir = await usedDirectory(t)
  const first = await start(t, dataDir)
  await query(first, (sql) => sql`create table kept as select 7 as n`)
  await first.stop()
  await first.stop()
  t.equal(first.pid(), undefined)
  t.equal(await first.closed, undefined)
  await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'fsync = off')
  const second = await start(t, dataDir)
  const rows = await query(second, (sql) => sql`select n, current_setting('fsync') as f from kept`)
  t.strictSame([...rows], [{ n: 7, f: 'on' }])
})

t.test('one that is killed is started again with what was committed', async (t) => {
  const dataDir = await usedDirectory(t)
  const { log, seen } = logged('postgres runs again')
  const postgres = await start(t, dataDir, log)
  const killed = postgres.pid()
  await query(postgres, async (sql) => {
    await sql`create table kept as select 7 as n`
    process.kill(Number(killed), 'SIGKILL')
    await seen
  })
  t.not(postgres.pid(), killed)
  const rows = await query(postgres, (sql) => sql`select n from kept`)
  t.strictSame([...rows], [{ n: 7 }])
})

t.test('stop in the middle of a restart leaves nothing running', async (t) => {
  const dataDir = await usedDirectory(t)
  const { log, seen } = logged('postgres ended, starting it again')
  const postgres = await start(t, dataDir, log)
  process.kill(Number(postgres.pid()), 'SIGKILL')
  await seen
  await postgres.stop()
  t.equal(await postgres.closed, undefined)
  t.strictSame(await processesIn(join(dataDir, 'postgres')), [])
})

t.test('a data folder that vanishes ends the supervision with an error', async (t) => {
  const dataDir = await usedDirectory(t)
  const postgres = await start(t, dataDir)
  await rename(join(dataDir, 'postgres', 'PG_VERSION'), join(dataDir, 'PG_VERSION'))
  process.kill(Number(postgres.pid()), 'SIGKILL')
  t.match(await postgres.closed, { message: /is gone/ })
  await rename(join(dataDir, 'PG_VERSION'), join(dataDir, 'postgres', 'PG_VERSION'))
  await postgres.stop()
  await (await start(t, dataDir)).stop() // Ends the sessions that outlived their postmaster.
})

t.test('a second start on the same directory is refused while the first runs', async (t) => {
  const dataDir = await usedDirectory(t)
  const child = await startChild(t, dataDir)
  const starting = startEmbeddedPostgres({ dataDir, log: silentLog, clock })
  const message = new RegExp(`in use by another Sluice, process ${child.pid}`)
  await t.rejects(starting, { code: 'failed_precondition', message })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await start(t, dataDir)
})

t.test('a Postgres left by a killed process is ended and its data taken over', async (t) => {
  const dataDir = await usedDirectory(t)
  const first = await start(t, dataDir)
  await query(first, (sql) => sql`create table kept as select 7 as n`)
  await first.stop()
  const child = await startChild(t, dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await processesIn(join(dataDir, 'postgres'))
  t.ok(left.length > 0, 'it outlives its parent')
  const { log, seen } = logged('ending processes that an earlier Postgres left behind')
  const second = await start(t, dataDir, log)
  await seen
  const now = new Set(await processesIn(join(dataDir, 'postgres')))
  t.notOk(left.some((pid) => now.has(pid)))
  t.strictSame([...(await query(second, (sql) => sql`select n from kept`))], [{ n: 7 }])
})

t.test("a stale postmaster.pid with another program's number is no obstacle", async (t) => {
  const dataDir = await usedDirectory(t)
  const path = join(dataDir, 'postgres', 'postmaster.pid')
  await writeFile(path, `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n\n`)
  t.type((await start(t, dataDir)).pid(), 'number')
})

t.test('a stale lock of a dead process or an earlier boot is taken over', async (t) => {
  const dataDir = await usedDirectory(t)
  for (const stale of [
    '',
    'not json',
    '{}',
    JSON.stringify({ pid: process.pid, identity: 'x/1' }),
  ]) {
    await writeFile(join(dataDir, 'postgres.lock'), stale)
    await (await start(t, dataDir)).stop()
    await t.rejects(stat(join(dataDir, 'postgres.lock')), { code: 'ENOENT' })
  }
})
