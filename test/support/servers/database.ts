/** A database with the product's schema, for one test file. */
import tap, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { DATABASE } from '../../../src/embedded/embedded-postgres.ts'
import { type Connection, createSql, type Sql } from '../../../src/postgres/connect.ts'
import { startTestPostgres, type TestPostgres } from './postgres-server.ts'

export type { TestPostgres } from './postgres-server.ts'

export type TestDatabase = {
  readonly sql: Sql
  /** Address for the test's own processes and pools. */
  readonly url: string
  readonly connection: Connection
  /** The server, shared by the tests of this file: a test that kills it restarts it. */
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

type Server = { readonly pg: TestPostgres; made: number }

/** One per test file: tap runs each in a process of its own. */
const servers = new Map<boolean, Promise<Server>>()

/**
 * A fresh database on a Postgres that this test file starts with its first call and ends with its
 * last test. The pool is closed when `t` ends.
 */
export async function testDatabase(
  t: Test,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const server = await serverFor(options.fsync === true)
  const { pg } = server
  const template = options.migrated === false ? 'template0' : DATABASE
  server.made += 1
  const name = `test_${server.made}`
  await withAdmin(pg, (sql) => sql`create database ${sql(name)} template ${sql(template)}`)
  const connection = pg.connection(name)
  const connectionsMax = options.connectionsMax ?? 4
  const sql = createSql(connection, { ...PATIENT, connectionsMax })
  t.teardown(() => sql.end({ timeout: 0 }))
  return { sql, url: pg.url(name), connection, pg }
}

function serverFor(fsync: boolean): Promise<Server> {
  const running = servers.get(fsync) ?? start(fsync)
  servers.set(fsync, running)
  return running
}

async function start(fsync: boolean): Promise<Server> {
  const pg = await startTestPostgres({ fsync })
  tap.teardown(() => pg.remove())
  return { pg, made: 0 }
}

async function withAdmin(pg: TestPostgres, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = createSql(pg.connection('postgres'), { ...PATIENT, connectionsMax: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
