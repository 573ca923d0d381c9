/** The table of events in ClickHouse: how it is made, and whether it is the one that was made. */
import { BLOCK_TOKENS_KEPT } from '../../core/limits/limits-columns.ts'
import { ColumnError } from './column-error.ts'
import type { ColumnStore } from './connect.ts'

/**
 * Columns in their order, each with its type and how it is stored. Times are microseconds since
 * 1970 and days are days since 1970: `DateTime64` bends what lies before 1900 or after 2299, `Date`
 * what lies before 1970. Properties are text as `jsonb` prints it. `month` is the partition of the
 * day in Postgres.
 */
const COLUMNS = [
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
  // The number of the person in Postgres when the row was stored; 0 for none.
  ['person_id', 'Int64', ' codec(ZSTD(1))'],
] as const

export const COLUMN_NAMES = COLUMNS.map(([name]) => name)

/** Only where these say that a part may hold a block's rows, an id or a uuid is it scanned. */
const INDEXES = [
  'index by_block block type minmax granularity 1',
  'index by_distinct_id distinct_id type bloom_filter(0.01) granularity 1',
  'index by_uuid uuid type bloom_filter(0.001) granularity 1',
]

const PARTITION_KEY = 'month'
const SORTING_KEY = 'project_id, day, event, cityHash64(distinct_id), timestamp_us, uuid'
/** Acknowledged is on the disk. On one server the tokens of blocks are kept beside the table. */
const DURABLE = { fsync_after_insert: 1, fsync_part_directory: 1 }
const ALONE = { non_replicated_deduplication_window: BLOCK_TOKENS_KEPT, ...DURABLE }
const REPLICATED = { replicated_deduplication_window: BLOCK_TOKENS_KEPT, ...DURABLE }

/** Where the table is: on one server, or on a cluster that the server's configuration names. */
export type Place = { readonly database: string; readonly cluster?: string }

/**
 * The statements that make the table unless it is there. On a cluster each project is on one shard,
 * and `events` is the distributed table over `events_local`. That form is made here and compared as
 * text: no test runs it on a cluster.
 */
export function schemaSql({ database, cluster }: Place): readonly string[] {
  if (cluster === undefined) return [tableSql(`${database}.events`, 'MergeTree', ALONE)]
  const on = ` on cluster '${cluster}'`
  const path = `'/clickhouse/tables/{shard}/${database}/events_local', '{replica}'`
  const local = tableSql(
    `${database}.events_local${on}`,
    `ReplicatedMergeTree(${path})`,
    REPLICATED,
  )
  return [
    local,
    `create table if not exists ${database}.events${on} as ${database}.events_local
engine = Distributed('${cluster}', '${database}', 'events_local', cityHash64(project_id))`,
  ]
}

function tableSql(name: string, engine: string, settings: Readonly<Record<string, number>>) {
  const columns = COLUMNS.map(([column, type, codec]) => `${column} ${type}${codec}`)
  const set = Object.entries(settings).map(([setting, value]) => `${setting} = ${value}`)
  return `create table if not exists ${name} (
  ${[...columns, ...INDEXES].join(',\n  ')}
) engine = ${engine}
partition by ${PARTITION_KEY}
order by (${SORTING_KEY})
settings ${set.join(', ')}`
}

/**
 * Makes the table on one server unless it is there, and checks that it is the one that is meant.
 * @throws {ColumnError} `foreign_table` when another one has its name, or its columns, keys or
 * settings were changed by hand.
 */
export async function ensureSchema(store: ColumnStore): Promise<void> {
  for (const sql of schemaSql({ database: store.database })) await store.command(sql)
  const problem = (await tableProblem(store)) ?? (await columnProblem(store))
  if (problem === undefined) return
  throw new ColumnError('foreign_table', `${store.database}.events: ${problem}`)
}

async function tableProblem(store: ColumnStore): Promise<string | undefined> {
  const [row = []] = await store.rows(
    `select engine, partition_key, sorting_key, engine_full from system.tables
    where database = {database: String} and name = 'events'`,
    { database: store.database },
  )
  const [engine, partitionKey, sortingKey, full] = row.map(String)
  if (engine !== 'MergeTree') return `its engine is ${engine}`
  if (partitionKey !== PARTITION_KEY) return `it is partitioned by ${partitionKey}`
  if (sortingKey !== SORTING_KEY) return `it is in order of ${sortingKey}`
  const missing = Object.entries(ALONE).find(
    ([name, value]) => !new RegExp(`\\b${name} = ${value}\\b`).test(full ?? ''),
  )
  return missing === undefined ? undefined : `its setting ${missing[0]} is not ${missing[1]}`
}

async function columnProblem(store: ColumnStore): Promise<string | undefined> {
  const rows = await store.rows(
    `select name, type from system.columns
    where database = {database: String} and table = 'events' order by position`,
    { database: store.database },
  )
  const found = new Map(rows.map(([name, type]) => [String(name), String(type)]))
  for (const [name, type] of COLUMNS) {
    const other = found.get(name)
    if (other === undefined) return `it has no column ${name}`
    if (other !== type) return `its column ${name} is ${other}`
  }
  return undefined
}
