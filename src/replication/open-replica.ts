/** Opens the replica in ClickHouse, and makes sure that it is the one of this database. */
import { ColumnError } from '../clickhouse/column-error.ts'
import { type ColumnStore, connectColumns } from '../clickhouse/connect.ts'
import { ensureSchema } from '../clickhouse/schema.ts'
import type { Sql } from '../postgres/connect.ts'
import { type Lease, markAll, markIds } from './lease.ts'

const OWNER = 'sluice copy '
const MADE_ANEW = 'the table was made anew'

/**
 * Opens the replica. A table without an owner is new, and becomes this replica. If blocks were
 * shipped before, they are lost, and every month becomes a gap until it is filled.
 * @throws {ColumnError} `foreign_table` when the table is the replica of another database, or of a
 * later state of this one; errors of `connectColumns` and `ensureSchema`.
 */
export async function openReplica(sql: Sql, url: string, lease: Lease): Promise<ColumnStore> {
  const store = await connectColumns(url)
  try {
    await ensureSchema(store)
    await ensureOwn(sql, store, lease)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Opens the replica for reading only.
 * @throws {ColumnError} `foreign_table` when it is not the replica of this database.
 */
export async function openOwnReplica(sql: Sql, url: string): Promise<ColumnStore> {
  const store = await connectColumns(url)
  try {
    const [row] = await sql<{ copyId: string }[]>`
      select copy_id::text as "copyId" from event_shipper`
    if ((await ownerOf(store, 'events')) === `${OWNER}${row?.copyId}`) return store
    throw foreign(store, 'it is not the copy of this instance')
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Part of `openReplica` that checks that the tables belong to this database. */
export async function ensureOwn(sql: Sql, store: ColumnStore, { copyId }: Lease): Promise<void> {
  await ensureOwnIds(sql, store, copyId)
  const owner = await ownerOf(store, 'events')
  const [newest, count] = await newestBlock(store)
  const [row] = await sql<{ last: number }[]>`
    select last_block::float8 as last from event_shipper`
  const last = row?.last ?? 0
  if (owner === '' && count === 0) {
    if (last > 0) await sql.begin((tx) => markAll(tx, MADE_ANEW))
    return await own(store, 'events', copyId)
  }
  if (owner !== `${OWNER}${copyId}`) {
    throw foreign(store, 'it holds the events of another instance')
  }
  if (newest > last) {
    throw foreign(store, `it has block ${newest}, and this database has recorded ${last} only`)
  }
}

/**
 * Checks the table of distinct ids: those of another instance would be wrong, a new one has none.
 */
async function ensureOwnIds(sql: Sql, store: ColumnStore, copyId: string): Promise<void> {
  const owner = await ownerOf(store, 'distinct_ids')
  if (owner === `${OWNER}${copyId}`) return
  if (owner !== '') throw foreign(store, 'the distinct ids are those of another instance')
  const [row] = await sql<{ wasTold: boolean }[]>`
    select ids_version > 0 as "wasTold" from event_shipper`
  if (row?.wasTold === true) await sql.begin((tx) => markIds(tx, MADE_ANEW))
  await own(store, 'distinct_ids', copyId)
}

type Table = 'events' | 'distinct_ids'

/** The name is of hex digits. */
async function own(store: ColumnStore, table: Table, copyId: string): Promise<void> {
  await store.command(`alter table ${store.database}.${table} modify comment '${OWNER}${copyId}'`)
}

async function ownerOf(store: ColumnStore, table: Table): Promise<string> {
  const [[comment] = []] = await store.rows(
    `select comment from system.tables
    where database = {database: String} and name = {table: String}`,
    { database: store.database, table },
  )
  return String(comment)
}

async function newestBlock(store: ColumnStore): Promise<readonly [number, number]> {
  const [[newest, count] = []] = await store.rows(
    `select toString(max(block)), toString(count()) from ${store.database}.events`,
  )
  return [Number(newest), Number(count)]
}

function foreign(store: ColumnStore, problem: string): ColumnError {
  return new ColumnError('foreign_table', `${store.database}.events: ${problem}`)
}
