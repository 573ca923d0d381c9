import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { migrate, pendingMigrations } from '../../../src/postgres/migrate.ts'
import { testDatabase } from '../../support/servers/database.ts'

const FIRST = '-- breaking: the first\ncreate table a (id int);'
const SECOND = '-- compatible: adds a column\nalter table a add b int;\ncreate index on a (b);'

/** A folder of migrations from name to text. */
async function folder(t: Test, files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(dir, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  return dir
}

async function tables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`
  return rows.map((row) => row.name)
}

t.test('a folder that breaks a rule is refused before anything runs', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const bad: [string, Record<string, string>][] = [
    ['0002_second.sql must be named 0001_', { '0002_second.sql': SECOND }],
    ['0003_third.sql must be named 0002_', { '0001_a.sql': FIRST, '0003_third.sql': SECOND }],
    ['first.sql must be named 0001_', { 'first.sql': FIRST }],
    ['0001_b.sql must be named 0002_', { '0001_a.sql': FIRST, '0001_b.sql': SECOND }],
    ['0001_a.sql must begin with', { '0001_a.sql': 'create table a ()' }],
    ['0001_a.sql must begin with', { '0001_a.sql': '-- breaking:\ncreate table a ()' }],
    ['0001_a.sql must not hold transactions', { '0001_a.sql': `${FIRST}\ncommit;` }],
  ]
  for (const [message, files] of bad) {
    const dir = await folder(t, files)
    await t.rejects(migrate(sql, { dir, log }), { code: 'failed_precondition', message })
  }
  t.strictSame(await tables(sql), [])
})

t.test('a failing migration leaves nothing, and those before it stay', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const broken = '-- breaking: fails half way\ncreate table c (id int);\nselect 1 / 0;'
  const dir = await folder(t, { '0001_a.sql': FIRST, '0002_c.sql': broken })
  await t.rejects(migrate(sql, { dir, log }), { code: '22012' })
  t.strictSame(await tables(sql), ['a', 'schema_migrations'])
  t.strictSame(await pendingMigrations(sql, { dir }), ['0002_c'])
  await writeFile(join(dir, '0002_c.sql'), SECOND)
  t.strictSame(await migrate(sql, { dir, log }), { applied: ['0002_c'] }, 'can be repaired')
})

t.test('a changed migration is refused', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const dir = await folder(t, { '0001_a.sql': FIRST })
  await migrate(sql, { dir, log })
  await writeFile(join(dir, '0001_a.sql'), FIRST.replaceAll('\n', '\r\n'))
  t.strictSame(await pendingMigrations(sql, { dir }), [], 'line ends do not count')
  await writeFile(join(dir, '0001_a.sql'), `${FIRST}\ncreate table more ();`)
  await t.rejects(migrate(sql, { dir, log }), { message: /0001_a is not the one/ })
  await t.rejects(pendingMigrations(sql, { dir }), { message: /0001_a is not the one/ })
})

t.test('a newer database is refused unless what it has more is compatible', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const old = await folder(t, { '0001_a.sql': FIRST })
  const compatible = await folder(t, { '0001_a.sql': FIRST, '0002_b.sql': SECOND })
  await migrate(sql, { dir: compatible, log })
  t.strictSame(await migrate(sql, { dir: old, log }), { applied: [] })
  const breaking = { '0001_a.sql': FIRST, '0002_b.sql': SECOND, '0003_c.sql': '-- breaking: x\n' }
  await migrate(sql, { dir: await folder(t, breaking), log })
  await t.rejects(migrate(sql, { dir: old, log }), { message: /newer than this Sluice: 0003_c/ })
})

t.test('processes that start together apply each migration once', async (t) => {
  const { sql, connection } = await testDatabase(t, { migrated: false })
  const dir = await folder(t, { '0001_a.sql': FIRST, '0002_b.sql': SECOND })
  const pools = [1, 2, 3].map(() =>
    createSql(connection, { applicationName: 'migrator', connectionsMax: 1, log }),
  )
  t.teardown(() => Promise.all(pools.map((pool) => pool.end())))
  const results = await Promise.all(pools.map((pool) => migrate(pool, { dir, log })))
  const applied = results.flatMap((result) => result.applied)
  t.strictSame(applied.sort(), ['0001_a', '0002_b'])
  const locks = await sql`select 1 from pg_locks where locktype = 'advisory'`
  t.equal(locks.length, 0, 'the lock is given back')
  t.strictSame(await pendingMigrations(sql, { dir }), [])
})

t.test('the migrations of the product apply to an empty database and are recorded', async (t) => {
  const { sql } = await testDatabase(t)
  const dir = join(packageRoot, 'migrations')
  t.strictSame(await pendingMigrations(sql, { dir }), [])
  t.ok((await tables(sql)).includes('events'))
})
