/** Writes a backup of the database at one moment. */
import { createHash } from 'node:crypto'
import type { ColumnEvent } from '../clickhouse/column-event.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import { assert } from '../core/code.ts'
import { BACKUP_LINE_BYTES_MAX } from '../core/limits/limits.ts'
import { listMovedMonths } from '../event-store/months/home.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { tablesOf } from '../replication/move/move-month.ts'
import {
  type CatalogTable,
  hasSchema,
  readApplied,
  readSequences,
  readTables,
} from './backup-catalog.ts'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type ControlLine,
  refused,
} from './backup-format.ts'
import { clickhouseEvents } from './clickhouse-events.ts'

/** Rows that a backup reads at a time. */
export const BACKUP_FETCH_ROWS = 400
/** Stored bytes of a row above which it is read alone. */
const BACKUP_ROW_TOGETHER_BYTES_MAX = 8_192
/** Text handed to the file at a time. */
const BACKUP_WRITE_CHARS = 262_144

export type BackupSummary = {
  readonly header: BackupHeader
  readonly tables: number
  readonly rows: number
}

export type BackupOptions = {
  /** The version of this Sluice, for the header. */
  readonly version: string
  /** Opens ClickHouse for events that only it holds; undefined where none is known. */
  readonly openColumns?: (() => Promise<ColumnStore>) | undefined
  /** Takes some lines. Called again only after it has resolved. */
  write(text: string): Promise<void>
}

/**
 * Writes a whole backup of one moment without blocking writers. A migration waits for its end. At
 * most some thousand rows are in memory, or one large row.
 * @throws {AppError} `failed_precondition` when there is nothing to back up; `PostgresError` when
 * the database fails; errors of `write`. Output from before a failure is no backup.
 */
export async function writeBackup(sql: Sql, options: BackupOptions): Promise<BackupSummary> {
  if (!(await hasSchema(sql))) throw refused('the database holds nothing of Sluice')
  const names = [...(await readTables(sql)).map(({ quoted }) => quoted), 'event_ledger']
  const lines = new LineWriter(options.write)
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    // A lock takes no snapshot. The snapshot that follows sees the tables that it protects.
    await tx.unsafe(`lock table ${names.join(', ')} in access share mode`)
    await setUp(tx)
    const header = await readHeader(tx, options.version)
    await lines.control(header)
    const tables = await readTables(tx)
    const moved = await openMoved(tx, sql, options)
    try {
      for (const table of tables) await copyTable(tx, table, lines, moved)
    } finally {
      await moved?.store.close()
    }
    await copySequences(tx, lines)
    await lines.end()
    return { header, tables: tables.length, rows: lines.rows }
  })
}

/** Makes texts of values independent of settings, and turns off time-outs. */
async function setUp(tx: Db): Promise<void> {
  await tx`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),
      set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '1', true)`
}

async function readHeader(tx: Db, version: string): Promise<BackupHeader> {
  const [moment] = await tx<{ at: string }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`
  return {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    sluice: version,
    createdAt: moment?.at ?? '',
    migrations: await readApplied(tx),
  }
}

type MovedEvents = {
  readonly sql: Sql
  readonly store: ColumnStore
  readonly months: readonly string[]
}

/** @throws {AppError} when ClickHouse is needed, and is not known or does not answer. */
async function openMoved(
  tx: Db,
  sql: Sql,
  { openColumns }: BackupOptions,
): Promise<MovedEvents | undefined> {
  const months = await listMovedMonths(tx)
  if (months.length === 0) return undefined
  if (openColumns === undefined) {
    throw refused(
      'ClickHouse alone holds events of this database: the backup needs EVENTS_URL as the workers',
    )
  }
  return { sql, store: await openColumns(), months }
}

async function copyTable(
  tx: Db,
  table: CatalogTable,
  lines: LineWriter,
  moved: MovedEvents | undefined,
): Promise<void> {
  await lines.control({ table: table.name, columns: table.columns.map(({ name }) => name) })
  const months = table.name === 'events' ? (moved?.months ?? []) : []
  // Skips partitions of months that are being moved back: ClickHouse has their events too.
  const left = new Set(months.map((month) => tablesOf(month).events))
  for (const part of table.parts) if (!left.has(part)) await copyRows(tx, table, part, lines)
  if (moved === undefined) return
  for (const month of months) {
    for await (const event of clickhouseEvents({ tx, ...moved }, month)) {
      await lines.row(rowOf(table, event), table.name)
    }
  }
}

function rowOf({ columns }: CatalogTable, event: ColumnEvent): string {
  const values: Readonly<Record<string, string>> = {
    project_id: String(event.projectId),
    day: event.timestamp.slice(0, 10),
    uuid: event.uuid,
    timestamp: event.timestamp,
    event: event.event,
    distinct_id: event.distinctId,
    properties: event.properties,
    elements_chain: event.elementsChain,
    created_at: event.createdAt,
  }
  return JSON.stringify(
    columns.map(({ name }) => {
      const value = values[name]
      assert(value !== undefined, `ClickHouse does not have the column ${name} of events`)
      return value
    }),
  )
}

type FetchedRow = { readonly line: string | null; readonly place: string }

/**
 * Copies rows by a cursor, some hundred at a time. The cursor has only the place of a large row,
 * which is then read by its place, so that a table of large rows takes no more memory than one of
 * small rows. The next rows are requested while these are written.
 */
async function copyRows(
  tx: Db,
  table: CatalogTable,
  part: string,
  lines: LineWriter,
): Promise<void> {
  const values = table.columns.map(({ quoted }) => `r.${quoted}::text`).join(', ')
  const line = `json_build_array(${values})::text`
  await tx.unsafe(`
    declare sluice_rows no scroll cursor for
    select case when ${storedBytes(table)} <= ${BACKUP_ROW_TOGETHER_BYTES_MAX} then ${line} end
      as line, r.ctid::text as place
    from only ${part} r`)
  const fetch = () =>
    tx.unsafe<FetchedRow[]>(`fetch forward ${BACKUP_FETCH_ROWS} from sluice_rows`).execute()
  for (let fetched = fetch(); ; ) {
    const rows = await fetched
    if (rows.length === 0) break
    fetched = fetch()
    // The next round awaits it, unless this round fails first. Then the transaction is over.
    fetched.catch(() => {})
    for (const row of rows) {
      await lines.row(row.line ?? (await readLarge(tx, part, line, row.place)), table.name)
    }
  }
  await tx.unsafe('close sluice_rows')
}

/** Approximate: compressed values are looked into, other values are judged by their header. */
function storedBytes({ columns }: CatalogTable): string {
  const sizes = columns
    .filter(({ varies }) => varies)
    .map(
      ({ quoted }) => `coalesce(case when pg_column_compression(r.${quoted}) is null
        then pg_column_size(r.${quoted}) else octet_length(r.${quoted}::text) end, 0)`,
    )
  return ['0', ...sizes].join(' + ')
}

/** The place of a row does not change as long as the snapshot lives. */
async function readLarge(tx: Db, part: string, line: string, place: string): Promise<string> {
  const statement = `select ${line} as line from only ${part} r where r.ctid = $1::text::tid`
  const [row] = await tx.unsafe<{ line: string }[]>(statement, [place])
  if (row === undefined) throw refused(`a row of ${part} has gone`)
  return row.line
}

/** Runs after the rows, so that a number that was given out meanwhile is not given out again. */
async function copySequences(tx: Db, lines: LineWriter): Promise<void> {
  for (const { name, quoted } of await readSequences(tx)) {
    const [state] = await tx.unsafe<{ last: string; called: boolean }[]>(
      `select last_value::text as last, is_called as called from ${quoted}`,
    )
    if (state !== undefined) await lines.control({ sequence: name, ...state })
  }
}

/** Collects lines, counts the rows and keeps the checksum. */
class LineWriter {
  readonly #write: (text: string) => Promise<void>
  readonly #hash = createHash('sha256')
  #waiting = ''
  rows = 0

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write
  }

  async control(line: ControlLine): Promise<void> {
    await this.#add(JSON.stringify(line))
  }

  async row(line: string, table: string): Promise<void> {
    if (line.length > BACKUP_LINE_BYTES_MAX / 4 && Buffer.byteLength(line) > LINE_MAX) {
      throw refused(`a row of ${table} is too large for a backup`)
    }
    this.rows += 1
    await this.#add(line)
  }

  async end(): Promise<void> {
    await this.#flush()
    const sha256 = this.#hash.digest('hex')
    await this.#write(`${JSON.stringify({ rows: this.rows, sha256 } satisfies ControlLine)}\n`)
  }

  async #add(line: string): Promise<void> {
    this.#waiting += `${line}\n`
    if (this.#waiting.length >= BACKUP_WRITE_CHARS) await this.#flush()
  }

  async #flush(): Promise<void> {
    const text = this.#waiting
    this.#waiting = ''
    this.#hash.update(text)
    await this.#write(text)
  }
}

/** Longest line without its line feed. */
const LINE_MAX = BACKUP_LINE_BYTES_MAX - 1
