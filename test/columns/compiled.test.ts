/**
 * Postgres compiles a statement whose plan is said to cost much (JIT), as Debian's does by default.
 * That takes it seconds, and no statement of the product is worth them: not one of the hot path, in
 * each home of the events, may be compiled.
 */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Json } from '../../src/core/json.ts'
import { silentLog as log } from '../../src/core/log.ts'
import { DATABASE } from '../../src/embedded/embedded-postgres.ts'
import { createSql, type Sql } from '../../src/postgres/connect.ts'
import {
  columnServer,
  freshDatabase,
  openColumns,
  rowsOf,
} from '../support/columns/column-store.ts'
import { commandsOf } from '../support/columns/commands.ts'
import { startTestPostgres } from '../support/servers/postgres-server.ts'
import { answered, type Product, startStandalone } from '../support/servers/product.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const SECRETS_KEY = '5'.repeat(64)
/** Counts what is compiled, of each statement. */
const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.max': '5000',
}
/** Part of the text of each statement that must have been asked. */
const HOT_PATH: readonly RegExp[] = [
  /insert into events\b/,
  /insert into event_ledger\b/,
  /insert into event_outbox\b/,
  /insert into distinct_id_changes\b/,
  /insert into persons\b/,
  /update persons\b/,
  /insert into flag_usage\b/,
  /from event_keeper where id and is_full/,
  /update event_outbox\b/,
  /from persons\b/,
  /api_token = /,
  /from personal_api_keys\b/,
]

/** Once an hour: the planner cannot know in which partitions events are too old. */
const CHORE = /insert into deletions\b/

const server = await columnServer(t)

/** A Postgres of this test's own, with a database and a session that asks what it has done. */
async function postgresOf(t: Test, settings: Readonly<Record<string, string>>) {
  const pg = await startTestPostgres({ settings: { ...COUNTING, ...settings } })
  t.teardown(() => pg.remove())
  const url = pg.url(DATABASE)
  const sql = createSql(`${url}&jit=on`, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(() => sql.end({ timeout: 0 }))
  await sql`create extension pg_stat_statements`
  await sql`set jit_above_cost = 0`
  await sql`select count(*) from pg_class`
  const own = await compiled(sql)
  t.ok(
    own.some((text) => text.includes('from pg_class')),
    'this Postgres compiles, and says of which statements: the embedded one does not',
  )
  await sql`set jit = off`
  await sql`select pg_stat_statements_reset()`
  return { url, sql }
}

/** Texts of the statements that were compiled so far. */
async function compiled(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ query: string }[]>`
    select query from pg_stat_statements where jit_functions > 0 order by query`
  return rows.map(({ query }) => query)
}

const at = (day: string, hour = '12'): Json => `${day}T${hour}:00:00Z`

/** Events that take each statement of a flush, all within the month of `day`. */
function eventsOf(day: string): readonly (readonly Record<string, Json>[])[] {
  const [old, fresh] = [`old ${day}`, `fresh ${day}`]
  const event = (name: string, distinctId: string, more: Record<string, Json> = {}) => ({
    ...{ uuid: randomUUID(), event: name, distinct_id: distinctId, timestamp: at(day) },
    ...more,
  })
  const set = { $set: { plan: 'free' } }
  const called = { $feature_flag: 'paying', $feature_flag_response: true }
  return [
    [event('seen', old)],
    [event('seen', old), event('seen', old)],
    [event('seen', old, { timestamp: at(day, '23') })],
    [event('seen', old, { properties: set })],
    [event('seen', fresh, { properties: set, timestamp: at(day, '00') })],
    [event('$identify', `${fresh} named`, { properties: { $anon_distinct_id: fresh } })],
    [event('$groupidentify', old, { properties: { $group_type: 'firm', $group_key: 'a' } })],
    [event('$feature_flag_called', old, { properties: called })],
    [event('never seen', randomUUID())],
  ]
}

async function answeredOk(...[url, options]: Parameters<typeof answered>): Promise<void> {
  const { status, body } = await answered(url, options)
  if (status >= 300) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`)
}

/** Sends them one by one: each is a flush. @returns how many events. */
async function capture({ url, projectKey }: Keys & { readonly url: string }, day: string) {
  let sent = 0
  for (const batch of eventsOf(day)) {
    await answeredOk(`${url}/batch/`, { body: { api_key: projectKey, batch } })
    sent += batch.length
  }
  return sent
}

type Keys = Pick<Product, 'projectKey' | 'personalKey'>

/** A flag that reads persons, its decides, and reads of persons by distinct id. */
async function read({ url, projectKey, personalKey: key }: Keys & { readonly url: string }) {
  for (const id of ['old 2026-01-15', 'nobody']) {
    const body = { api_key: projectKey, distinct_id: id }
    await answeredOk(`${url}/decide/?v=3`, { body })
    await answeredOk(`${url}/api/projects/@current/persons/?distinct_id=${id}`, { key })
  }
  const unknown = { api_key: 'phc_unknown', distinct_id: 'a' }
  await answered(`${url}/decide/?v=3`, { body: unknown })
}

const PAYING = {
  key: 'paying',
  filters: {
    groups: [{ properties: [{ key: 'plan', value: 'free', type: 'person', operator: 'exact' }] }],
  },
}

/** The product with its events in Postgres, while they move to ClickHouse, and there. */
async function walk(t: Test, database: string): Promise<void> {
  const events = await freshDatabase(t, server)
  const first = await startStandalone(t, { DATABASE_URL: database, SECRETS_KEY })
  const keys: Keys = first
  const flags = `${first.url}/api/projects/@current/feature_flags/`
  await answeredOk(flags, { key: keys.personalKey, body: PAYING })
  let sent = await capture(first, '2026-01-15')
  await read(first)
  first.process.kill('SIGTERM')
  await first.process.ended

  const url = { DATABASE_URL: database, EVENTS_URL: events, SECRETS_KEY }
  const copied = await startStandalone(t, { ...first.settings, ...url })
  sent += await capture({ ...keys, url: copied.url }, '2026-02-15')
  const moved = await commandsOf(copied)('events', 'move')
  t.equal(moved.status, 0, moved.stderr)
  sent += await capture({ ...keys, url: copied.url }, '2026-03-15')
  await read({ ...keys, url: copied.url })
  const columns = await openColumns(t, events)
  await until('all is shipped', async () => (await rowsOf(columns)) === sent)
}

async function hotPath(t: Test, sql: Sql): Promise<void> {
  const rows = await sql<{ query: string }[]>`select query from pg_stat_statements`
  for (const part of HOT_PATH) {
    t.ok(
      rows.some(({ query }) => part.test(query)),
      `${part} was asked`,
    )
  }
}

t.test('connections of the product compile nothing, whatever it is said to cost', async (t) => {
  const { url, sql } = await postgresOf(t, { jit_above_cost: '0' })
  await walk(t, url)
  await hotPath(t, sql)
  t.strictSame(await compiled(sql), [])
})

t.test('nor is a statement said to cost so much that Postgres would compile it', async (t) => {
  const { url, sql } = await postgresOf(t, {})
  await walk(t, `${url}&jit=on`)
  await hotPath(t, sql)
  const texts = await compiled(sql)
  t.strictSame(
    texts.filter((text) => !CHORE.test(text)),
    [],
  )
})
