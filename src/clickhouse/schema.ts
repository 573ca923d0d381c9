/** The tables in ClickHouse: how they are made, and whether they are those that were made. */
import { ColumnError } from './column-error.ts'
import type { ColumnStore } from './connect.ts'

/** Tokens of blocks that ClickHouse remembers of a table: far more than may be under way. */
const BLOCK_TOKENS_KEPT = 10_000

/** Acknowledged is on the disk. */
const DURABLE = { fsync_after_insert: 1, fsync_part_directory: 1 }

type Table = {
  readonly name: string
  /** Columns in order, each with its type and how it is stored. */
  readonly columns: readonly (readonly [name: string, type: string, stored: string])[]
  readonly indexes: readonly string[]
  readonly engine: 'MergeTree' | 'ReplacingMergeTree(version)'
  /** Empty: one partition. */
  readonly partitionKey: string
  readonly sortingKey: string
  readonly alone: Readonly<Record<string, number>>
  readonly replicated: Readonly<Record<string, number>>
}

/**
 * Times are microseconds since 1970 and days are days since 1970: `DateTime64` bends what lies
 * before 1900 or after 2299, `Date` what lies before 1970. Properties are text as `jsonb` prints
 * it. `month` is the partition of the day in Postgres.
 */
const EVENTS = {
  name: 'events',
  columns: [
    ['project_id', 'Int32', ''],
    ['month', 'LowCardinality(String)', ''],
    ['day', 'Int32', ' codec(Delta, ZSTD(1))'],
    ['timestamp_us', 'Int64', ' codec(Delta, ZSTD(1))'],
    ['uuid', 'UUID', ''],
    ['event', 'LowCardinality(String)', ''],
    ['distinct_id', 'String', ''],
    ['properties', 'String', ' codec(ZSTD(1))'],
    ['elements_chain', 'String', ''],
    ['created_us', 'Int64', ' codec(Delta, ZSTD(1))'],
    ['block', 'UInt64', ' codec(Delta, ZSTD(1))'],
  ],
  // A part is scanned only where these indexes say that it may hold a block's rows, an id or a
  // uuid.
  indexes: [
    'index by_block block type minmax granularity 1',
    'index by_distinct_id distinct_id type bloom_filter(0.01) granularity 1',
    'index by_uuid uuid type bloom_filter(0.001) granularity 1',
  ],
  engine: 'MergeTree',
  partitionKey: 'month',
  sortingKey: 'project_id, day, event, cityHash64(distinct_id), timestamp_us, uuid',
  // A single server keeps the tokens of blocks beside the table.
  alone: { non_replicated_deduplication_window: BLOCK_TOKENS_KEPT, ...DURABLE },
  replicated: { replicated_deduplication_window: BLOCK_TOKENS_KEPT, ...DURABLE },
} as const satisfies Table

/**
 * Owner of each distinct id: the number of its person in Postgres, 0 for none. The row with the
 * highest version of an id counts. Ids are not stored, only their hashes, by which events are
 * joined.
 */
const DISTINCT_IDS = {
  name: 'distinct_ids',
  columns: [
    ['project_id', 'Int32', ''],
    ['distinct_id', 'String', ' ephemeral'],
    ['id', 'FixedString(16)', ' default sipHash128(distinct_id)'],
    ['person_id', 'Int64', ' codec(ZSTD(1))'],
    ['version', 'UInt64', ' codec(Delta, ZSTD(1))'],
  ],
  indexes: [],
  engine: 'ReplacingMergeTree(version)',
  partitionKey: '',
  sortingKey: 'project_id, id',
  alone: DURABLE,
  replicated: DURABLE,
} as const satisfies Table

const TABLES: readonly Table[] = [EVENTS, DISTINCT_IDS]

/** The columns that an insert of events names. */
export const COLUMN_NAMES = EVENTS.columns.map(([name]) => name)

/** Location of the tables: one server, or a cluster that the server's configuration names. */
export type Place = { readonly database: string; readonly cluster?: string }

/**
 * The statements that make the tables unless they are there. On a cluster each project is on one
 * shard, and `events` is the distributed table over `events_local`, as `distinct_ids` is. That form
 * is made here and compared as text: no test runs it on a cluster.
 */
export function schemaSql(place: Place): readonly string[] {
  return TABLES.flatMap((table) => statementsOf(table, place))
}

function statementsOf(table: Table, { database, cluster }: Place): readonly string[] {
  const { name, engine, alone, replicated } = table
  if (cluster === undefined) return [tableSql(table, `${database}.${name}`, engine, alone)]
  const on = ` on cluster '${cluster}'`
  const path = `'/clickhouse/tables/{shard}/${database}/${name}_local', '{replica}'`
  const form =
    engine === 'MergeTree' ? `MergeTree(${path})` : `ReplacingMergeTree(${path}, version)`
  const local = tableSql(table, `${database}.${name}_local${on}`, `Replicated${form}`, replicated)
  return [
    local,
    `create table if not exists ${database}.${name}${on} as ${database}.${name}_local
engine = Distributed('${cluster}', '${database}', '${name}_local', cityHash64(project_id))`,
  ]
}

function tableSql(
  { columns, indexes, partitionKey, sortingKey }: Table,
  name: string,
  engine: string,
  settings: Readonly<Record<string, number>>,
) {
  const lines = columns.map(([column, type, stored]) => `${column} ${type}${stored}`)
  const set = Object.entries(settings).map(([setting, value]) => `${setting} = ${value}`)
  return `create table if not exists ${name} (
  ${[...lines, ...indexes].join(',\n  ')}
) engine = ${engine}
${partitionKey === '' ? '' : `partition by ${partitionKey}\n`}order by (${sortingKey})
settings ${set.join(', ')}`
}

/**
 * Makes the tables on one server unless they are there, and checks that they are those that are
 * meant.
 * @throws {ColumnError} `foreign_table` when another one has a name of theirs, or its columns,
 * keys or settings were changed by hand.
 */
export async function ensureSchema(store: ColumnStore): Promise<void> {
  for (const sql of schemaSql({ database: store.database })) await store.command(sql)
  for (const table of TABLES) {
    const problem = (await tableProblem(store, table)) ?? (await columnProblem(store, table))
    if (problem === undefined) continue
    throw new ColumnError('foreign_table', `${store.database}.${table.name}: ${problem}`)
  }
}

async function tableProblem(store: ColumnStore, table: Table): Promise<string | undefined> {
  const [row = []] = await store.rows(
    `select engine, partition_key, sorting_key, engine_full from system.tables
    where database = {database: String} and name = {name: String}`,
    { database: store.database, name: table.name },
  )
  const [engine, partitionKey, sortingKey, full = ''] = row.map(String)
  if (!full.startsWith(table.engine)) return `its engine is ${engine}`
  if (partitionKey !== table.partitionKey) return `it is partitioned by ${partitionKey}`
  if (sortingKey !== table.sortingKey) return `it is in order of ${sortingKey}`
  const missing = Object.entries(table.alone).find(
    ([name, value]) => !new RegExp(`\\b${name} = ${value}\\b`).test(full),
  )
  return missing === undefined ? undefined : `its setting ${missing[0]} is not ${missing[1]}`
}

async function columnProblem(store: ColumnStore, table: Table): Promise<string | undefined> {
  const rows = await store.rows(
    `select name, type from system.columns
    where database = {database: String} and table = {name: String} order by position`,
    { database: store.database, name: table.name },
  )
  const found = new Map(rows.map(([name, type]) => [String(name), String(type)]))
  for (const [name, type] of table.columns) {
    const other = found.get(name)
    if (other === undefined) return `it has no column ${name}`
    if (other !== type) return `its column ${name} is ${other}`
  }
  return undefined
}
