/**
 * A process that speaks ClickHouse's HTTP interface over the engine itself: `… PACKAGES DATA PORT`,
 * where `PACKAGES` is the folder of what `npm run test:columns` installs. Writes its port once it
 * answers, and ends when its standard input does. Each statement has a session of its own, which is
 * made in a millisecond: no setting, parameter or broken stream outlives its statement.
 *
 * It is one server without replicas. It knows one user, whose password is `ENGINE_PASSWORD`; the
 * engine has none.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createJoiner, isJoinable } from './engine-frames.ts'
import { literal, readStatement, type Statement, settingsSql } from './engine-statement.ts'

/** Methods of the engine's sessions that are used here. */
type Session = {
  query(sql: string): string
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}
type Engine = { readonly Session: new (folder: string) => Session }

const [packages = '', data = '', port = '0'] = process.argv.slice(2)
const { Session } = createRequire(join(packages, 'package.json'))('chdb') as Engine
/** Keeps the engine loaded. */
const lasting = new Session(data)
const password = process.env['ENGINE_PASSWORD'] ?? ''
/** Longest address with parameters, as a server refuses longer ones by default. */
const ADDRESS_CHARS_MAX = 1 << 20
const VALUE_CHARS_MAX = 128 << 10
const HEAD_BYTES_MAX = 2 * ADDRESS_CHARS_MAX
const INSERT_FORMAT = /\bformat\s+(\w+)\s*$/i

const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX }, (request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, error))
})
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  checkPassword(request)
  checkAddress(request.url ?? '/')
  const statement = await readStatement(request, url)
  response.setHeader('x-clickhouse-query-id', statement.queryId)
  response.setHeader('x-clickhouse-format', statement.format)
  const session = new Session(data)
  response.once('close', () => {
    if (!response.writableFinished && statement.endsWithClient) end(statement.queryId)
  })
  try {
    prepare(session, statement)
    if (statement.data !== undefined) {
      await insert(session, statement.sql, statement.data)
      response.end()
    } else if (statement.isStreamed && isJoinable(statement.format)) {
      await stream(session, statement, response)
    } else {
      const result = await session.queryAsync(statement.sql, { format: statement.format })
      await send(Readable.from([Buffer.from(result.bytes())]), statement, response)
    }
  } finally {
    session.close()
  }
}

/** Measures values in their escaped form, as the server does. */
function checkAddress(address: string): void {
  const values = address.split(/[?&]/).map((member) => member.slice(member.indexOf('=') + 1))
  const isLong = values.some((value) => value.length > VALUE_CHARS_MAX)
  if (!isLong && address.length <= ADDRESS_CHARS_MAX) return
  const words = isLong ? 'Field value too long' : 'URI too long'
  throw new Error(`Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: ${words}`)
}

function checkPassword({ headers }: IncomingMessage): void {
  const [, encoded = ''] = (headers.authorization ?? '').split(' ')
  const [user, given = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s)
  if (given === password) return
  const words = `${user}: Authentication failed: password is incorrect`
  throw new Error(`Code: 516. DB::Exception: ${words}. (AUTHENTICATION_FAILED)`)
}

function prepare(session: Session, { database, settings, queryId }: Statement): void {
  if (database !== undefined) session.query(`use \`${database.replaceAll('`', '\\`')}\``)
  session.query(`set log_comment = ${literal(queryId)}`)
  const sql = settingsSql(settings)
  if (sql !== '') session.query(sql)
}

/** Inserts from a file: in a statement the engine takes two line breaks for the end of data. */
async function insert(session: Session, sql: string, rows: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-insert-'))
  try {
    const file = join(folder, 'rows')
    await writeFile(file, rows)
    const from = `from infile ${literal(file)} compression 'none' format $1`
    await session.queryAsync(sql.replace(INSERT_FORMAT, from), { format: 'TabSeparated' })
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function stream(
  session: Session,
  statement: Statement,
  response: ServerResponse,
): Promise<void> {
  const { format } = statement
  const join = createJoiner(format)
  const pieces = session.queryStream(statement.sql, { format })[Symbol.asyncIterator]()
  try {
    // Before the head of the answer, because most statements that fail do so at once.
    const first = await pieces.next()
    const rest = async function* (): AsyncGenerator<Buffer> {
      for (let next = first; next.done !== true; next = await pieces.next()) {
        yield join(Buffer.from(next.value.raw()))
      }
    }
    await send(Readable.from(rest()), statement, response)
  } finally {
    await pieces.return?.()
  }
}

/** Requests the end of a statement, without waiting for it. */
function end(queryId: string): void {
  const sql = `kill query where Settings['log_comment'] = ${literal(queryId)} async`
  lasting.queryAsync(sql, { format: 'TabSeparated' }).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
  })
}

async function send(body: Readable, statement: Statement, response: ServerResponse): Promise<void> {
  if (statement.isGzipWanted) response.setHeader('content-encoding', 'gzip')
  await (statement.isGzipWanted
    ? pipeline(body, createGzip({ level: 1 }), response)
    : pipeline(body, response))
}

/** Reports an error; an answer that has begun is cut off, so that its client sees it incomplete. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const text = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(text)?.[1] ?? '1002'
  const status = code === '516' ? 403 : ['60', '81'].includes(code) ? 404 : 500
  response.removeHeader('content-encoding')
  response.setHeader('x-clickhouse-exception-code', code)
  response.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8' })
  response.end(
    `${code === '1002' ? `Code: 1002. DB::Exception: ${text} (UNKNOWN_EXCEPTION)` : text}`,
  )
}
