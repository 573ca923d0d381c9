/** Reads a statement from a request, as ClickHouse's HTTP interface takes it. */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'

export type Statement = {
  readonly sql: string
  /** Data of an insert whose statement is in the address: bytes of any format. */
  readonly data: Buffer | undefined
  /** Settings and `param_*`, as the address has them. */
  readonly settings: ReadonlyMap<string, string>
  readonly database: string | undefined
  readonly queryId: string
  /** The format of the answer. */
  readonly format: string
  /** Whether rows may leave before the statement has ended. */
  readonly isStreamed: boolean
  readonly isGzipWanted: boolean
  /** Whether the statement ends when its client goes. */
  readonly endsWithClient: boolean
}

/** Members of the address that are no settings. */
const OWN = [
  'query',
  'database',
  'query_id',
  'session_id',
  'default_format',
  'role',
  'enable_http_compression',
  'wait_end_of_query',
  'buffer_size',
  'log_comment',
  'cancel_http_readonly_queries_on_client_close',
]
/** Statements that change data or schema; they answer once they are done. */
const CHANGES =
  /^(?:insert|create|drop|alter|truncate|optimize|system|kill|use|set|rename|attach|detach|delete)\b/i
const FORMAT = /\bformat\s+(\w+)\s*;?\s*$/i
const COMMENTS = /^(?:\s+|--[^\n]*\n|\/\*.*?\*\/)*/s

/**
 * A statement in the address takes the body as its data; without one the body is the statement.
 * @throws {Error} when the body ends early or is not the gzip that it says it is.
 */
export async function readStatement(request: IncomingMessage, url: URL): Promise<Statement> {
  const isGzip = request.headers['content-encoding'] === 'gzip'
  const bytes = await buffer(isGzip ? request.pipe(createGunzip()) : request)
  const given = url.searchParams
  const head = given.get('query') ?? ''
  const sql = head === '' ? bytes.toString('utf8') : head
  const own = sql.replace(COMMENTS, '')
  const changes = CHANGES.test(own)
  const settings = [...given].filter(([name]) => !OWN.includes(name))
  return {
    sql,
    data: head === '' || bytes.length === 0 ? undefined : bytes,
    settings: new Map(settings),
    database: given.get('database') ?? undefined,
    queryId: given.get('query_id') ?? crypto.randomUUID(),
    format: changes ? 'TabSeparated' : formatOf(own, given),
    isStreamed: !changes && given.get('wait_end_of_query') !== '1',
    isGzipWanted:
      given.get('enable_http_compression') === '1' &&
      /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
    endsWithClient: given.get('cancel_http_readonly_queries_on_client_close') === '1',
  }
}

function formatOf(sql: string, given: URLSearchParams): string {
  return FORMAT.exec(sql)?.[1] ?? given.get('default_format') ?? 'TabSeparated'
}

/** `set …` for all settings of a statement; empty without any. */
export function settingsSql(settings: ReadonlyMap<string, string>): string {
  const all = [...settings].map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`Code: 115. DB::Exception: ${name} (UNKNOWN_SETTING)`)
    return `${name} = ${literal(value)}`
  })
  return all.length === 0 ? '' : `set ${all.join(', ')}`
}

export function literal(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  // The engine ends a statement at a NUL.
  return `'${escaped.replaceAll('\0', '\\0')}'`
}
