import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { BACKUP_FETCH_ROWS } from '../../../src/backup/backup.ts'
import { readTables } from '../../../src/backup/backup-catalog.ts'
import { verifyBackup } from '../../../src/backup/backup-reader.ts'
import { restoreBackup } from '../../../src/backup/restore.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { backupOf, contentsOf, fill, relined, sourceOf } from '../../support/servers/backup.ts'
import { testDatabase } from '../../support/servers/database.ts'

const dir = join(packageRoot, 'migrations')
/** In CI always the same rows, so that a failure comes from the change; others are tried by hand. */
const ALWAYS = process.env['CI'] === 'true' ? 20_261_127 : undefined

async function restore(sql: Sql, text: string, migrations = dir) {
  const source = sourceOf(text)
  return await restoreBackup(sql, source, await verifyBackup(source), { dir: migrations, log })
}

/** A database without tables. */
async function emptyDatabase(t: Test): Promise<Sql> {
  return (await testDatabase(t, { migrated: false })).sql
}

async function tableCount(sql: Sql): Promise<number> {
  const rows = await sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`
  return rows.length
}

/** The migrations of this version and one more. */
async function newerMigrations(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await cp(dir, folder, { recursive: true })
  const { length } = await migrationNames(t)
  const name = `${String(length + 1).padStart(4, '0')}_more.sql`
  const text = "-- breaking: moves what is there\nupdate organizations set name = name || '!';"
  await writeFile(join(folder, name), text)
  return folder
}

async function migrationNames(t: Test): Promise<readonly unknown[]> {
  return await (await testDatabase(t)).sql`select name from schema_migrations`
}

t.test(
  'a file that is no backup of this format is refused before anything is written',
  async (t) => {
    const { sql } = await testDatabase(t)
    await createProject(sql)
    const text = await backupOf(sql)
    const [first = '', ...others] = text.split('\n')
    const header: unknown = JSON.parse(first)
    const withHeader = (changes: object) =>
      relined(text, ([_, ...lines]) => [
        JSON.stringify({ ...Object(header), ...changes }),
        ...lines,
      ])
    const cases: [string, string, RegExp][] = [
      ['nothing', '', /no backup made by/],
      ['a text', 'hello\nworld\n', /no backup made by/],
      ['a line without end', 'hello', /cut short/],
      ['other JSON', '{"format":"dump","version":1}\n', /no backup made by/],
      ['a row first', `["a"]\n${text}`, /no backup made by/],
      ['a table first', `${others.join('\n')}`, /no backup made by/],
      [
        'a later format',
        withHeader({ version: 2 }),
        /has format 2.*reads format 1.*Sluice 1\.2\.3/,
      ],
      ['no migrations', withHeader({ migrations: 'all' }), /first line cannot be read/],
      ['a gap in them', withHeader({ migrations: [{ version: 2 }] }), /first line cannot be read/],
      ['an end twice', `${text}{"rows":0,"sha256":""}\n`, /follows its end/],
      ['a changed byte', text.replace('"o"', '"p"'), /checksum is another/],
      ['a lost row', text.replace(/^\[.*\n/m, ''), /checksum is another/],
      ['a header twice', relined(text, (lines) => [first, ...lines]), /in no order/],
      ['a row at the end', relined(text, (lines) => [...lines, '["1"]']), /in no order/],
      ['a bad line', relined(text, (lines) => [...lines, '{"tables":1}']), /cannot be read/],
      ['half a line', relined(text, (lines) => [...lines, '{"table":"us']), /cannot be read/],
    ]
    for (const [name, bad, message] of cases) {
      await t.rejects(verifyBackup(sourceOf(bad)), { code: 'failed_precondition', message }, name)
    }
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      const cut = text.slice(0, text.length * share)
      await t.rejects(verifyBackup(sourceOf(cut)), { message: /damaged/ }, `cut at ${share}`)
    }
    await t.rejects(verifyBackup(sourceOf(text.slice(0, -1))), { message: /cut short/ })
    t.match(await verifyBackup(sourceOf(text, 1)), { rows: 258 }, 'whole, in whatever pieces')
  },
)

t.test('a backup that does not fit leaves nothing behind', async (t) => {
  const { sql } = await testDatabase(t)
  await createProject(sql)
  const text = await backupOf(sql)
  const target = await emptyDatabase(t)
  const schema = JSON.parse(text.split('\n')[0] ?? '').migrations as { name: string }[]
  const unknown = { version: schema.length + 1, name: '0099_later', checksum: 'c' }
  const withSchema = (migrations: object[]) =>
    relined(text, ([first = '', ...lines]) => [
      JSON.stringify({ ...JSON.parse(first), migrations }),
      ...lines,
    ])
  const cases: [string, string, RegExp][] = [
    ['newer', withSchema([...schema, unknown]), /newer schema \(0099_later.*Sluice 1\.2\.3/],
    [
      'another',
      withSchema(schema.map((each) => ({ ...each, checksum: 'c' }))),
      /0001_initial is not the one/,
    ],
    ['a table', text.replace('"table":"users"', '"table":"people"'), /a table people of its own/],
    ['a column', text.replace('"columns":["shard"', '"columns":["sherd"'), /shard_epochs\.sherd/],
    ['a sequence', text.replace('"users_id_seq"', '"uses_id_seq"'), /a sequence uses_id_seq/],
    ['a short row', relined(text, (lines) => shortened(lines)), /a row of it cannot be read/],
    ['a bad value', text.replace('["255"', '["1000"'), /./],
  ]
  for (const [name, changed, message] of cases) {
    await t.rejects(
      restore(
        target,
        relined(changed, (lines) => lines),
      ),
      { message },
      name,
    )
    t.equal(await tableCount(target), 0, `${name}: nothing is left`)
  }
  let reads = 0
  const source = () => sourceOf(reads++ === 0 ? text : text.replace('"o"', '"p"'))()
  const contents = await verifyBackup(source)
  const restoring = restoreBackup(target, source, contents, { dir, log })
  await t.rejects(restoring, { message: /checksum is another/ }, 'changed since it was verified')
  t.equal(await tableCount(target), 0)
})

function shortened(lines: readonly string[]): string[] {
  return lines.map((line) => (line.startsWith('["255"') ? '["255"]' : line))
}

t.test('a database that is not empty, or in use, is left as it is', async (t) => {
  const source = await testDatabase(t)
  await createProject(source.sql)
  const text = await backupOf(source.sql)

  const full = await testDatabase(t)
  await full.sql`insert into mail_outbox (id, recipient, subject, body)
    values (gen_random_uuid(), 'r', 's', 'b')`
  const before = await contentsOf(full.sql)
  await t.rejects(restore(full.sql, text), {
    code: 'failed_precondition',
    message: /not empty \(mail_outbox has rows\)/,
  })
  t.strictSame(await contentsOf(full.sql), before)

  const used = await testDatabase(t, { migrated: false })
  const options = { applicationName: 'sluice worker', connectionsMax: 1, log }
  const worker = createSql(used.connection, options)
  await worker`select 1`
  await t.rejects(restore(used.sql, text), {
    message: /in use \(sluice worker\): stop every worker/,
  })
  await worker.end()
  t.equal(await tableCount(used.sql), 0)

  const newer = await emptyDatabase(t)
  await migrate(newer, { dir: await newerMigrations(t), log })
  await t.rejects(restore(newer, text), { message: /newer than that of the backup/ })
  t.equal((await newer`select 1 from organizations`).length, 0)

  const nothing = await emptyDatabase(t)
  await t.rejects(backupOf(nothing), { message: /holds nothing of Sluice/ })
})

t.test('every table comes back as it was, with values that are hard to copy', async (t) => {
  const { sql } = await testDatabase(t)
  const seed = Number(process.env['SEED'] ?? ALWAYS ?? Math.floor(Math.random() * 2 ** 31))
  t.comment(`SEED=${seed}`)
  await fill(sql, 30, seed)
  const before = await contentsOf(sql)
  for (const [name, rows] of Object.entries(before)) t.ok(rows.length > 0, `${name} has rows`)

  const target = await emptyDatabase(t)
  const text = await backupOf(sql)
  t.match(await restore(target, text), { tables: (await readTables(sql)).length, migrated: [] })
  t.strictSame(await contentsOf(target), before)
  t.equal(
    withoutTime(await backupOf(target)),
    withoutTime(text),
    'a backup of what was restored is the same but for its time',
  )
})

/** Without the first line, and the checksum over it; rows in the order of their texts. */
function withoutTime(text: string): string {
  return text.split('\n').slice(1, -2).sort().join('\n')
}

t.test('more rows than one fetch, large ones among them, in several partitions', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  const events = Array.from({ length: BACKUP_FETCH_ROWS * 3 + 7 }, (_, n) => ({
    timestamp: `20${10 + (n % 20)}-0${1 + (n % 2)}-03T04:05:06.${String(n).padStart(6, '0')}Z`,
    distinctId: `d${n}`,
    // Stored compressed, stored as it is, and of several megabytes.
    properties: { n, text: n % 50 === 0 ? 'x'.repeat(100_000) : '' },
    elementsChain: n % 333 === 0 ? randomText(3_000_000) : '',
  }))
  await putEvents(sql, project, events)
  const target = await emptyDatabase(t)
  await restore(target, await backupOf(sql))
  t.strictSame(await contentsOf(target), await contentsOf(sql))
  const parts = await target`select inhrelid::regclass::text from pg_inherits
    where inhparent = 'events'::regclass`
  t.equal(parts.length, 20, 'the partitions that are needed, and no others')
})

function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += Math.random().toString(36)
  return text
}

t.test('numbers go on after those that were given out', async (t) => {
  const { sql } = await testDatabase(t)
  await createProject(sql)
  const last = await createProject(sql)
  const target = await emptyDatabase(t)
  await restore(target, await backupOf(sql))
  t.equal(await createProject(target), last + 1)
})

t.test('a backup is of one moment, whatever is written meanwhile', async (t) => {
  const { sql } = await testDatabase(t)
  await sql`insert into organizations (id, name, slug)
    select gen_random_uuid(), repeat('n', 500), n::text from generate_series(1, 3000) n`
  const before = await contentsOf(sql)
  let writes = 0
  const text = await backupOf(sql, async () => {
    writes += 1
    // Rows of tables that are read later, which refer to a row of one that has been read.
    const project = await createProject(sql)
    await sql`insert into users (uuid, distinct_id, email, current_project_id)
      values (gen_random_uuid(), ${`d${writes}`}, ${`e${writes}`}, ${project})`
    await sql`delete from organizations where slug = ${String(writes)}`
  })
  t.ok(writes > 2)
  const target = await emptyDatabase(t)
  await restore(target, text)
  const after = await contentsOf(target)
  for (const name of ['organizations', 'projects', 'users', 'memberships']) {
    t.strictSame(after[name], before[name], name)
  }
})

t.test('a backup of an older schema is migrated, a migrated empty database is taken', async (t) => {
  const { sql } = await testDatabase(t)
  await createProject(sql)
  const text = await backupOf(sql)
  const newer = await newerMigrations(t)
  const target = await emptyDatabase(t)
  t.match(await restore(target, text, newer), { migrated: [/_more$/] })
  t.match([...(await target`select name from organizations`)], [{ name: 'o!' }])

  const migrated = await testDatabase(t)
  await restore(migrated.sql, text)
  t.strictSame(await contentsOf(migrated.sql), await contentsOf(sql))
})
