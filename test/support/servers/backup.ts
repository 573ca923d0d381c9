/** Backups in memory, and a database full of values that are hard to copy. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { writeBackup } from '../../../src/backup/backup.ts'
import { readTables } from '../../../src/backup/backup-catalog.ts'
import type { BackupSource } from '../../../src/backup/backup-reader.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { createPartitions, partitionOf } from '../../../src/event-store/months/partitions.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { codePoint } from '../code-points.ts'

const SLUICE_VERSION = '1.2.3'

export async function backupOf(
  sql: Sql,
  onWrite = async () => {},
  openColumns?: () => Promise<ColumnStore>,
): Promise<string> {
  let text = ''
  await writeBackup(sql, {
    version: SLUICE_VERSION,
    openColumns,
    write: async (more) => {
      text += more
      await onWrite()
    },
  })
  return text
}

/** In pieces that end anywhere. */
export function sourceOf(text: string, pieceBytes = 10_007): BackupSource {
  const bytes = Buffer.from(text)
  return async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
}

/** The backup with other lines, and a checksum that fits them. */
export function relined(text: string, change: (lines: string[]) => string[]): string {
  const lines = change(text.trimEnd().split('\n').slice(0, -1))
  const body = lines.map((line) => `${line}\n`).join('')
  const rows = lines.filter((line) => line.startsWith('[')).length
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ rows, sha256 })}\n`
}

/** Every row of every table as text, ordered by text, and the values of the sequences. */
export async function contentsOf(sql: Sql): Promise<Readonly<Record<string, readonly string[]>>> {
  const contents: Record<string, readonly string[]> = {}
  for (const { name, quoted } of await readTables(sql)) {
    const rows = await sql.unsafe<{ row: string }[]>(`select r::text as row from ${quoted} r`)
    contents[name] = rows.map(({ row }) => row).sort()
  }
  const sequences = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c where relkind = 'S' order by 1`
  for (const { name } of sequences) {
    const [state] = await sql.unsafe(`select last_value::text, is_called from ${name}`)
    contents[name] = [JSON.stringify(state)]
  }
  return contents
}

const LONG = 'ä€😀"\\ \u001e\u001f\n'.repeat(3_000)
const texts = fc.oneof(
  fc.string({ unit: codePoint }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', 'null', 'NULL', '\\N', '{}', '\u001e', '\u001f\u001e\u001d\u001c', "'", '"'),
  fc.constantFrom('\u0001\u007f\u009f\ufffe\uffff', '[null]', '\r\n', ' ', '\\x00', LONG),
)
const jsonTexts = fc.oneof(
  fc.constantFrom('{ "b" :1,\n\t"a": 1.0, "a":2 }', '"\\u0000\\ud800"', '1E400', ' null ', '-0'),
  texts.map((text) => JSON.stringify({ [text]: [text] })),
)
const jsonbTexts = fc.oneof(
  fc.constantFrom('{}', 'null', '1e300', '-0.10', '[1.10,{"b":1,"aa":2}]', '"\\u001e\\u20ac"'),
  texts.map((text) => JSON.stringify({ [text]: [text, null] })),
)
const instants = fc.constantFrom(
  'infinity',
  '-infinity',
  '4713-01-01 00:00:00 BC',
  '0001-01-01 00:00:00.000001Z',
  '9999-12-31T23:59:59.999999Z',
  '294276-12-31 23:59:59.999999Z',
  '1883-11-18 12:00:00Z',
)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(new Uint8Array(20_000).fill(255)),
)

/** Values as text, by type. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  text: texts,
  json: jsonTexts,
  jsonb: jsonbTexts,
  boolean: fc.constantFrom('true', 'false'),
  smallint: fc.constantFrom('-32768', '32767', '0'),
  integer: fc.constantFrom('-2147483648', '2147483647', '0', '7'),
  'double precision': fc.constantFrom('0', '-0', '1e300', 'Infinity', '0.1'),
  bigint: fc.constantFrom('-9223372036854775808', '9223372036854775807', '9007199254740993'),
  uuid: fc.uuid(),
  date: fc.constantFrom('infinity', '4713-01-01 BC', '0001-01-01', '5874897-12-31', '2026-02-28'),
  'timestamp with time zone': instants,
  bytea: bytes.map((each) => `\\x${Buffer.from(each).toString('hex')}`),
  'text[]': fc.constantFrom('{}', '{NULL,"",null,"NULL","a b","\\"{},\\\\"}', '{{a,b},{c,d}}'),
  'integer[]': fc.constantFrom('{}', '{1,-2147483648,NULL}', '[3:4]={1,2}'),
  'uuid[]': fc.constantFrom('{}', '{00000000-0000-0000-0000-000000000000}'),
}

const DAYS: readonly string[] = [
  '0001-01-01',
  '1999-12-31',
  '2026-02-28',
  '2099-12-31',
  '2100-01-01',
  '9999-12-31',
]

/** Columns that a check of the schema narrows. */
const NARROWER: Readonly<Record<string, readonly (string | null)[]>> = {
  'alerts.calculation_interval': ['hourly', 'daily', 'weekly', 'monthly'],
  'alerts.state': ['Firing', 'Not firing', 'Errored'],
  'alert_checks.state': ['Firing', 'Not firing', 'Errored'],
  'memberships.level': ['1', '8'],
  'shared_links.kind': ['web'],
  'shared_links.insight_id': [null],
  'shared_links.dashboard_id': [null],
  'subscriptions.kind': ['insight', 'dashboard', 'summary'],
  'subscriptions.frequency': ['daily', 'weekly', 'monthly'],
  'subscriptions.day_of_week': ['1', '7'],
  'subscriptions.day_of_month': ['1', '31'],
  'subscription_recipients.state': ['active', 'bounced', 'unsubscribed'],
  // A tile has an insight or a text, and here each has an insight.
  'dashboard_tiles.body': [null],
  'project_changes.kind': ['deletion', 'identity', 'forgotten'],
  'group_types.type_index': ['0', '1', '2', '3', '4'],
  // One that comes with the product has no organization, and here each has one.
  'plugins.builtin': [null],
  'projects.events_retention_days': ['1', '2147483647', null],
  'projects.week_start_day': ['0', '1'],
  'deletions.kind': ['person', 'events', 'retention'],
  'deletions.state': ['running', 'completed', 'cancelled'],
  // It names a version of the plugin, and the two columns are chosen apart.
  'plugin_configs.kept_version': [null],
  'plugins.plugin_type': ['local', 'custom', 'repository', 'source'],
  'plugin_schedules.kind': ['runEveryMinute', 'runEveryHour', 'runEveryDay'],
  'plugin_log_entries.source': ['SYSTEM', 'PLUGIN', 'CONSOLE'],
  'plugin_log_entries.type': ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'],
  'events.day': DAYS,
  'shard_epochs.shard': ['0', '255'],
}

/**
 * Fills every table of the schema, those of later migrations too: a row may be passed over when it
 * breaks a unique index, and a table stays empty when a check of it is not known here.
 */
export async function fill(sql: Sql, rowsPerTable: number, seed: number): Promise<void> {
  const partitions = DAYS.map(partitionOf)
  await createPartitions(sql, [...new Map(partitions.map((each) => [each.name, each])).values()])
  const references = await sql<{ from: string; column: string; to: string; target: string }[]>`
    select c.conrelid::regclass::text as from, a.attname as column,
      c.confrelid::regclass::text as to, f.attname as target
    from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
    where c.contype = 'f'`
  for (const { name, quoted, columns } of await readTables(sql)) {
    const values = columns.map((column) => {
      const narrower = NARROWER[`${name}.${column.name}`]
      const any = narrower === undefined ? VALUES[column.type] : fc.constantFrom(...narrower)
      if (any === undefined) throw new Error(`no values of type ${column.type}`)
      return any
    })
    const casts = columns.map(({ type, name: column }, n) => {
      const reference = references.find((each) => each.from === quoted && each.column === column)
      const value = `$${n + 1}::text::${type}`
      if (reference === undefined) return value
      const { to, target } = reference
      // Any row of the other table, chosen by the value; none for null.
      return `(select ${target} from ${to} where ${value} is not null
        order by md5(${target}::text || ${value}) limit 1)`
    })
    const names = columns.map((column) => column.quoted).join(', ')
    const statement = `insert into ${quoted} (${names}) overriding system value
      values (${casts.join(', ')}) on conflict do nothing`
    for (const row of fc.sample(fc.tuple(...values), { numRuns: rowsPerTable, seed })) {
      await sql.unsafe(statement, row)
    }
  }
}
