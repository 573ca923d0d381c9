/** A database with the product's schema, for one test file. */
import type { Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { DATABASE } from '../../../src/embedded/embedded-postgres.ts'
import { type Connection, createSql, type Sql } from '../../../src/postgres/connect.ts'
import { ofProcess } from '../of-process.ts'
import { startTestPostgres, type TestPostgres } from './postgres-server.ts'

export type { TestPostgres } from './postgres-server.ts'

export type TestDatabase = {
  readonly sql: Sql
  /** Address for the test's own processes and pools. */
  readonly url: string
  readonly connection: Connection
  /** The server, shared by all tests of this process: a test that kills it restarts it. */
  readonly pg: TestPostgres
}

export type TestDatabaseOptions = {
  /** The schema of `migrations/`, unless `false`: then an empty database. */
  readonly migrated?: boolean
  /** @default false */
  readonly fsync?: boolean
  readonly connectionsMax?: number
}

/** A busy machine may need longer to fill in data than the product allows a statement. */
const PATIENT = { applicationName: 'test', statementTimeoutMs: 300_000, log }

/** `admin` is one connection, to the database `postgres`. */
type Server = { readonly pg: TestPostgres; readonly admin: Sql; made: number }

/** One per process. */
const servers = new Map<boolean, Promise<Server>>()

/**
 * A fresh database on a Postgres that this process starts with the first call and ends with its last
 * test. When `t` ends, the pool is closed and the database dropped.
 */
export async function testDatabase(
  t: Test,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const server = await serverFor(options.fsync === true)
  const { pg, admin } = server
  // A test of another file may have ended it for good.
  if (pg.pid() === undefined) await pg.restart()
  const template = options.migrated === false ? 'template0' : DATABASE
  server.made += 1
  const name = `test_${server.made}`
  // Copied as files, which costs half of what the log of a copy does.
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`
  const connection = pg.connection(name)
  const connectionsMax = options.connectionsMax ?? 4
  const sql = createSql(connection, { ...PATIENT, connectionsMax })
  t.teardown(async () => {
    await sql.end({ timeout: 0 })
    // A server that the test has killed for good.
    if (pg.pid() === undefined) return
    await admin`drop database if exists ${admin(name)} with (force)`
  })
  return { sql, url: pg.url(name), connection, pg }
}

function serverFor(fsync: boolean): Promise<Server> {
  const running = servers.get(fsync) ?? start(fsync)
  servers.set(fsync, running)
  return running
}

async function start(fsync: boolean): Promise<Server> {
  const owner = await ofProcess()
  const pg = await startTestPostgres({ fsync })
  const admin = createSql(pg.connection('postgres'), { ...PATIENT, connectionsMax: 1 })
  owner.teardown(async () => {
    await admin.end({ timeout: 0 })
    await pg.remove()
  })
  return { pg, admin, made: 0 }
}
