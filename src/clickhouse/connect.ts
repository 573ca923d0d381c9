/** Connects to ClickHouse. */

import type { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { addressed, type Parameters, type Settings } from './address.ts'
import { ColumnError, toColumnError } from './column-error.ts'

/** Time limit of a statement; its outcome is unknown then. */
export const COLUMN_STATEMENT_MS = 120_000
/** So does the first one, on which a start waits. */
const COLUMN_CONNECT_MS = 10_000
/** Connections of a process to ClickHouse. */
const COLUMN_CONNECTIONS_MAX = 8

/** Oldest release that has all settings in use; tests run on 26.7. */
const VERSION_MIN = [24, 8]
const DATABASE = 'default'
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** `signal` ends the statement. */
export type ReadOptions = { readonly settings?: Settings; readonly signal?: AbortSignal }
/** A row in `JSONCompactEachRow`. Select large numbers as texts: an Int64 does not fit a number. */
export type Row = readonly unknown[]

/** A database of a ClickHouse server. All methods fail with a `ColumnError`. */
export type ColumnStore = {
  readonly database: string
  /** Runs a statement without rows. */
  command(sql: string, settings?: Settings): Promise<void>
  /** All rows: for answers that are known to be short. */
  rows(sql: string, parameters?: Parameters, options?: ReadOptions): Promise<Row[]>
  /** All rows as one piece, in the format that the statement names. */
  bytes(sql: string, parameters: Parameters, options: ReadOptions): Promise<Buffer>
  /** Streams rows. The statement ends when the caller stops reading. */
  stream(
    sql: string,
    parameters?: Parameters,
    options?: ReadOptions,
  ): AsyncGenerator<Row, void, undefined>
  /** Sends the data of an `insert … format …`. */
  insert(sql: string, data: Readable, settings: Settings): Promise<void>
  close(): Promise<void>
}

/**
 * Connects and asks for the version.
 * @param text `http://user:password@host:8123/database`, or `https`; without a database `default`.
 * @throws {ColumnError} `refused`, `unreachable` or `too_old`.
 * @throws {TypeError} when it is no such URL.
 */
export async function connectColumns(text: string): Promise<ColumnStore> {
  const target = parseColumnsUrl(text)
  const first = openStore(target, COLUMN_CONNECT_MS)
  try {
    const [[version] = []] = await first.rows('select version()')
    checkVersion(String(version))
  } finally {
    await first.close()
  }
  return openStore(target, COLUMN_STATEMENT_MS)
}

type Target = {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

function parseColumnsUrl(text: string): Target {
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('a URL of ClickHouse begins with http')
  const database = decodeURIComponent(url.pathname.slice(1)) || DATABASE
  if (!IDENTIFIER.test(database)) throw new TypeError(`no name of a database: ${database}`)
  return {
    url: url.origin,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database,
  }
}

function checkVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = VERSION_MIN
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  const wanted = VERSION_MIN.join('.')
  throw new ColumnError('too_old', `ClickHouse ${wanted} or newer is needed, this is ${version}`)
}

function openStore(target: Target, statementMs: number): ColumnStore {
  const client = createClient({
    ...target,
    application: 'sluice',
    request_timeout: statementMs,
    max_open_connections: COLUMN_CONNECTIONS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
  })
  const classified = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw toColumnError(error)
    })
  async function* stream(
    query: string,
    parameters: Parameters = {},
    { settings = {}, signal }: ReadOptions = {},
  ): AsyncGenerator<Row, void> {
    try {
      const format = 'JSONCompactEachRow'
      const asked = addressed(query, parameters, settings)
      const ending = signal && { abort_signal: signal }
      const result = await client.query({ ...asked, ...ending, format })
      for await (const rows of result.stream<Row>()) for (const row of rows) yield row.json()
    } catch (error) {
      throw toColumnError(error)
    }
  }
  return {
    database: target.database,
    async command(query, settings = {}) {
      await classified(client.command({ query, clickhouse_settings: settings }))
    },
    async rows(sql, parameters, options) {
      const rows: Row[] = []
      for await (const row of stream(sql, parameters, options)) rows.push(row)
      return rows
    },
    stream,
    async bytes(query, parameters, { settings = {}, signal }) {
      const ending = signal && { abort_signal: signal }
      const asked = addressed(query, parameters, settings)
      const { stream: answer } = await classified(client.exec({ ...asked, ...ending }))
      return Buffer.concat(await classified(answer.toArray()))
    },
    async insert(query, values, settings) {
      const sent = client.exec({ query, values, clickhouse_settings: settings })
      const { stream: answer } = await classified(sent)
      // Empty: reading it gives the connection back.
      await classified(answer.toArray())
    },
    close: () => client.close(),
  }
}
