/** Statements that remove the rows of a removed project, table by table. */
import type { ProjectId } from '../core/ids.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'

/** A table with rows of projects and no foreign key to them. */
export type RemainsTable = {
  /** Name of the table, quoted for a statement. */
  readonly name: string
  /** Columns that follow `project_id` in a unique index, each with its type. */
  readonly key: readonly (readonly [column: string, type: string])[]
}

/** Position at which a walk through a table resumes: the key of the last row seen, as texts. */
export type Place = readonly string[]

export type Chunk =
  /** Another worker is at this project, or has just ended it. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'end' }
  | { readonly kind: 'removed'; readonly last: Place }

type ChunkRow = { readonly claimed: boolean; readonly last: string[] | null }

/** All but `events`, of which each partition is walked, and the log, which has no such index. */
export const REMAINS_TABLES: readonly RemainsTable[] = [
  {
    name: 'event_counts',
    key: [
      ['event', 'text'],
      ['day', 'date'],
      ['slot', 'smallint'],
    ],
  },
  {
    name: 'project_changes',
    key: [
      ['kind', 'text'],
      ['slot', 'smallint'],
    ],
  },
  {
    name: 'kept_answers',
    key: [
      ['hash', 'text'],
      ['from_ms', 'bigint'],
      ['until_ms', 'bigint'],
    ],
  },
  { name: 'session_blocks', key: [['day', 'integer']] },
  { name: 'event_definitions', key: [['name', 'text']] },
  {
    name: 'event_query_counts',
    key: [
      ['event', 'text'],
      ['day', 'date'],
    ],
  },
  {
    name: 'flag_usage',
    key: [
      ['key', 'text'],
      ['day', 'date'],
      ['value', 'text'],
      ['slot', 'smallint'],
    ],
  },
  { name: 'distinct_ids', key: [['distinct_id', 'text']] },
  { name: 'persons', key: [['uuid', 'uuid']] },
  {
    name: 'flag_hash_key_overrides',
    key: [
      ['person_id', 'bigint'],
      ['flag_key', 'text'],
    ],
  },
  { name: 'group_types', key: [['group_type', 'text']] },
  {
    name: 'groups',
    key: [
      ['type_index', 'smallint'],
      ['group_key', 'text'],
    ],
  },
  { name: 'dead_letters', key: [['uuid', 'uuid']] },
  {
    name: 'deleted_distinct_ids',
    key: [
      ['digest', 'bytea'],
      ['deletion_id', 'uuid'],
    ],
  },
]

/** The partitions of `events` and of the key index, as tables of their own. */
export async function listEventsTables(db: Db): Promise<readonly RemainsTable[]> {
  const partitions = await db<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('events'::regclass, 'event_ledger'::regclass) order by 1`
  return partitions.map(({ name }) => ({
    name,
    key: [
      ['day', 'date'],
      ['uuid', 'uuid'],
    ],
  }))
}

/** Lock of the removing worker, until its statement ends: two workers never wait for each other. */
const CLAIM = `
  claim as materialized (
    select from deleted_projects where project_id = $1::text::integer for update skip locked
  )`

/**
 * Removes the next rows of a project in the order of their key. Resuming at a position keeps the
 * walk linear: from the start, each chunk would step over the dead entries of earlier ones in the
 * index. Rows that another transaction has locked are skipped, so neither waits for the other.
 */
export async function removeChunk(
  sql: Sql,
  table: RemainsTable,
  project: ProjectId,
  rows: number,
  after: Place | undefined,
): Promise<Chunk> {
  const values = [String(project), String(rows), ...(after ?? [])]
  return await runChunk(sql, chunkStatement(table, after !== undefined), values)
}

function chunkStatement({ name, key }: RemainsTable, hasStart: boolean): string {
  const columns = key.map(([column]) => column).join(', ')
  const start = key.map(([, type], index) => `$${index + 3}::text::${type}`).join(', ')
  return `
    with ${CLAIM}, chunk as materialized (
      select ctid as place, ${columns} from ${name} r
      where project_id = $1::text::integer and exists (select from claim)
        ${hasStart ? `and (${columns}) > (${start})` : ''}
      order by ${columns} limit $2::text::integer for update of r skip locked
    ), gone as (
      delete from ${name} where ctid = any (array(select place from chunk))
    )
    ${lastOf(key)}`
}

/**
 * The log is bounded by its age, so it is walked as a whole: an index for this alone would cost
 * each line that is written.
 */
export async function removeLogChunk(
  sql: Sql,
  project: ProjectId,
  rows: number,
  after: Place | undefined,
): Promise<Chunk> {
  const statement = `
    with ${CLAIM}, chunk as materialized (
      select ctid as place, id, project_id from plugin_log_entries
      where exists (select from claim) ${after === undefined ? '' : 'and id > $3::text::uuid'}
      order by id limit $2::text::integer
    ), gone as (
      delete from plugin_log_entries where ctid = any (array(
        select place from chunk where project_id = $1::text::integer
      ))
    )
    ${lastOf([['id', 'uuid']])}`
  return await runChunk(sql, statement, [String(project), String(rows), ...(after ?? [])])
}

/** One row: whether the project is ours to remove, and the chunk's last key. */
function lastOf(key: RemainsTable['key']): string {
  const texts = key.map(([column]) => `${column}::text`).join(', ')
  const order = key.map(([column]) => `${column} desc`).join(', ')
  return `
    select exists (select from claim) as claimed,
      (select array[${texts}] from chunk order by ${order} limit 1) as last`
}

/** Text of our own source, and names that the server has quoted; every value is bound. */
async function runChunk(sql: Sql, statement: string, values: readonly string[]): Promise<Chunk> {
  const [row] = await sql.begin(async (tx) => {
    await walkIndexes(tx)
    return await tx.unsafe<ChunkRow[]>(statement, [...values])
  })
  if (row?.claimed !== true) return { kind: 'taken' }
  return row.last === null ? { kind: 'end' } : { kind: 'removed', last: row.last }
}

/**
 * Makes Postgres read rows by the index that has their order, for this transaction. A planner
 * without statistics of a young partition would gather and sort all rows left of a project for each
 * chunk.
 */
async function walkIndexes(tx: Db): Promise<void> {
  await tx`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_seqscan', 'off', true)`
}

/**
 * Forgets the project when no row of it is left in tables with an index for it.
 * @returns false when there is one.
 */
export async function forgetRemovedProject(db: Db, project: ProjectId): Promise<boolean> {
  const tables = ['events', 'event_ledger', ...REMAINS_TABLES.map(({ name }) => name)]
  const left = tables
    .map((name) => `and not exists (select from ${name} where project_id = $1::text::integer)`)
    .join('\n')
  const statement = `delete from deleted_projects where project_id = $1::text::integer ${left}`
  const gone = await db.unsafe(statement, [String(project)])
  return gone.count > 0
}
