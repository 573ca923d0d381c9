/**
 * A database of each older schema, with rows in every table, is brought to the newest one: nothing
 * in it changes, its schema is that of a new database, and the product serves what is in some.
 */
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { testDatabase } from '../servers/database.ts'
import { answered, type Product, request, startStandalone } from '../servers/product.ts'
import { until } from '../until.ts'

const MIGRATIONS = join(packageRoot, 'migrations')
const ROWS = join(packageRoot, 'test', 'fixtures', 'rows')
/** As the rows of the first schema have them. */
const PROJECT_KEY = 'phc_0123456789012345678901234567890123456789012'
/** `secret_keys` of the rows has its id. */
const SECRETS_KEY = '5'.repeat(64)
const PERSONAL_KEY = 'phx_0123456789012345678901234567890123456789012'

const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()

/** A database as the first `count` migrations make it, with the rows of each. */
async function databaseOf(t: Test, count: number) {
  const database = await testDatabase(t, { migrated: false })
  const dir = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(dir, { recursive: true }))
  for (const name of names.slice(0, count)) {
    await copyFile(join(MIGRATIONS, name), join(dir, name))
    await migrate(database.sql, { dir, log })
    await database.sql.unsafe(await readFile(join(ROWS, name), 'utf8'))
  }
  return database
}

type Row = Readonly<Record<string, unknown>>

/** Each table with its rows, as JSON has them. */
async function contentOf(sql: Sql): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and not c.relispartition and c.relname <> 'schema_migrations'
    order by 1`
  const content = new Map<string, readonly Row[]>()
  for (const { name } of tables) {
    const rows = await sql<{ row: Row }[]>`
      select to_jsonb(r) as row from ${sql(name)} r order by to_jsonb(r)::text collate "C"`
    content.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return content
}

/** Columns, indexes and constraints, partitions left out: those that there are differ by the day. */
async function schemaOf(sql: Sql): Promise<readonly string[]> {
  const lines = await sql<{ line: string }[]>`
    select format('%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and not c.relispartition and not a.attisdropped
    union all select indexdef from pg_indexes where schemaname = 'public'
      and tablename !~ '^(events|event_ledger)_(y|old|far)'
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
      and conrelid::regclass::text !~ '^(events|event_ledger)_(y|old|far)'
    order by 1`
  return lines.map(({ line }) => line)
}

/** The rows of `after` in the columns that `before` has. */
function inColumnsOf(before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const columns = Object.keys(before[0] ?? {})
  return after.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
}

/** A subtest for each schema. @param isServed whether the product is started on the rows of one. */
export async function checkOldSchemas(
  t: Test,
  isServed: (index: number, last: number) => boolean,
): Promise<void> {
  const newest = await schemaOf((await testDatabase(t)).sql)
  for (const [count, oldest] of names.entries()) {
    await t.test(`rows of ${oldest} are as they were in the newest schema`, async (t) => {
      const { sql, url } = await databaseOf(t, count + 1)
      const before = await contentOf(sql)
      for (const [table, rows] of before) {
        // With rows in the ledger the product does not start without ClickHouse.
        if (table !== 'event_ledger') t.ok(rows.length > 0, `${table} has rows to lose`)
      }
      const { applied } = await migrate(sql, { dir: MIGRATIONS, log })
      t.equal(applied.length, names.length - count - 1)
      const after = await contentOf(sql)
      for (const [table, rows] of before) {
        t.strictSame(inColumnsOf(rows, after.get(table) ?? []), rows, table)
      }
      t.strictSame(await schemaOf(sql), newest, 'the schema of a new database')
      if (!isServed(count, names.length - 1)) return
      // The users of the rows are there: presets that are none of theirs would come too late.
      const settings = { DATABASE_URL: url, SECRETS_KEY, BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY }
      const product = await startStandalone(t, settings)
      await serves(t, product, sql, count > 0)
    })
  }
}

/** The values of the rows come out of the product, and more is stored beside them. */
async function serves(t: Test, product: Product, sql: Sql, hasPlugin: boolean): Promise<void> {
  const ask = (path: string) => request(`${product.url}/api/${path}`, { key: PERSONAL_KEY })
  const decide = async (distinctId: string) => {
    const body = { api_key: PROJECT_KEY, distinct_id: distinctId }
    let flags: unknown
    // A machine that is busy is no failure.
    await until('decide is answered', async () => {
      const answer = await request(`${product.url}/decide/?v=3`, { body })
      const decided = Object(answer.body)
      flags = decided.featureFlags
      return answer.status === 200 && decided.errorsWhileComputingFlags === false
    })
    return flags
  }
  t.match(await ask('projects/1/'), { status: 200, body: { name: 'Old Project' } })
  t.strictSame(await decide('olgas phone'), { everybody: true, paying: true })
  t.match(await decide('somebody'), { everybody: true })
  const events = await ask('projects/1/events/')
  t.match(events.body, {
    count: 2,
    results: [{ event: '$autocapture' }, { event: 'paid', properties: /Zoë 🎉/ }],
  })
  t.match(await ask('projects/1/feature_flags/'), {
    body: { count: 2, results: [{ key: 'paying' }, { key: 'everybody', version: 3 }] },
  })
  t.match(await ask('projects/1/event_definitions/'), { body: { results: [{ name: 'paid' }] } })
  let sent = 0
  // An event waits for its plugin for five seconds, in which a busy machine may not have loaded it.
  await until('its plugin runs on what comes', async () => {
    sent += 1
    const properties = { $set: { plan: 'free' } }
    const event = { event: `new ${sent}`, distinct_id: 'olga', properties }
    const body = { api_key: PROJECT_KEY, ...event }
    t.equal((await answered(`${product.url}/capture/`, { body })).status, 200)
    const [stored] = await sql<{ old: unknown }[]>`
      select properties->'old' as old from events where event = ${event.event}`
    return stored?.old === (hasPlugin ? 1 : null)
  })
  t.match(await decide('olga'), { everybody: true })
  t.equal((await sql`select from events`).length, 2 + sent)
  const plans = await sql`
    select p.properties->>'plan' as plan from persons p
    join distinct_ids d on d.person_id = p.id where d.distinct_id = 'olga'`
  t.strictSame([...plans], [{ plan: 'free' }])
}
