import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { type Product, request, startStandalone } from '../../support/servers/product.ts'

type Case = {
  readonly name: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `KEY` stands for the project key. */
  readonly body?: string | Buffer
  readonly status: number
  readonly code?: string
  readonly type?: string
  /** Absent: the body must have no such key. */
  readonly attr?: string | null
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const VALIDATION = 'validation_error'
const AUTHENTICATION = 'authentication_error'
const DEEP = 65

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`
}

const REFUSED: readonly Case[] = [
  { name: 'empty body', body: '', status: 400, type: VALIDATION, code: 'no_data' },
  { name: 'empty object', body: '{}', status: 400, code: 'no_data' },
  { name: 'a number', body: '12', status: 400, code: 'no_data' },
  {
    name: 'broken JSON',
    body: '{"event":',
    status: 400,
    type: VALIDATION,
    code: 'invalid_payload',
  },
  {
    name: 'not gzip',
    headers: { ...JSON_HEADERS, 'content-encoding': 'gzip' },
    body: '{"a":1}',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'gzip cut short',
    body: gzipSync('{"api_key":"KEY","event":"x"}').subarray(0, 20),
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'not lz64',
    path: '/e/?compression=lz64',
    body: 'foo',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'not base64',
    headers: FORM,
    body: 'data=%%%',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'a form without data',
    headers: FORM,
    body: 'a=b',
    status: 400,
    code: 'no_data',
  },
  {
    name: 'undefined with a gzip hint',
    path: '/e/?compression=gzip-js',
    body: 'undefined',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'nested too deep',
    body: `{"api_key":"KEY","event":"x","properties":{"a":${nested(DEEP)}}}`,
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'batch as text',
    path: '/batch/',
    body: '{"api_key":"KEY","batch":"[]"}',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'a batch of nothing that is an object',
    path: '/batch/',
    body: '{"api_key":"KEY","batch":[null,7,"x",[]]}',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'a batch whose only object has broken properties',
    path: '/batch/',
    body: '{"api_key":"KEY","batch":[null,{"event":"x","distinct_id":"a","properties":7}]}',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'properties that are a list',
    body: '{"api_key":"KEY","event":"x","distinct_id":"a","properties":[1]}',
    status: 400,
    code: 'invalid_payload',
  },
  {
    name: 'no key',
    body: '{"event":"x","distinct_id":"a"}',
    status: 401,
    type: AUTHENTICATION,
    code: 'invalid_api_key',
  },
  {
    name: 'unknown key',
    body: '{"api_key":"phc_unknown","event":"x"}',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'a key that is a number',
    body: '{"api_key":7,"event":"x"}',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'a key of 201 characters',
    body: `{"api_key":"${'a'.repeat(201)}","event":"x"}`,
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'a key that is not ASCII',
    body: '{"api_key":"phc_ü","event":"x"}',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'a personal key with a project that is no number',
    body: '{"api_key":"PERSONAL","project_id":"x","event":"x"}',
    status: 400,
    type: VALIDATION,
    code: 'invalid_project',
    attr: 'project_id',
  },
  {
    name: 'a personal key with a project of nobody',
    body: '{"api_key":"PERSONAL","project_id":999,"event":"x"}',
    status: 401,
    code: 'invalid_personal_api_key',
  },
  {
    name: 'a wrong personal key',
    body: '{"api_key":"phx_wrong","project_id":1,"event":"x"}',
    status: 401,
    code: 'invalid_personal_api_key',
  },
  {
    name: 'a wrong personal key without a project',
    body: '{"api_key":"phx_wrong","event":"x"}',
    status: 401,
    code: 'invalid_personal_api_key',
  },
  {
    name: 'a wrong personal key with a project that is no number',
    body: '{"api_key":"phx_wrong","project_id":"x","event":"x"}',
    status: 401,
    code: 'invalid_personal_api_key',
  },
  {
    name: 'a personal key that is too long',
    body: `{"api_key":"phx_${'a'.repeat(200)}","event":"x"}`,
    status: 401,
    code: 'invalid_personal_api_key',
  },
  {
    name: 'two keys in one array',
    path: '/e/',
    body: '[{"event":"x","properties":{"token":"KEY","distinct_id":"a"}},{"event":"x","properties":{"token":"phc_other","distinct_id":"a"}}]',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'decide without a distinct id',
    path: '/decide/?v=2',
    body: '{"api_key":"KEY"}',
    status: 400,
    code: 'missing_distinct_id',
    attr: 'distinct_id',
  },
  {
    name: 'decide that cannot be decoded',
    path: '/decide/',
    body: '{"api_key"',
    status: 400,
    code: 'malformed_data',
  },
  {
    name: 'decide with an unknown key',
    path: '/decide/',
    body: '{"api_key":"phc_unknown","distinct_id":"a"}',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    name: 'GET on capture without data',
    method: 'GET',
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
  },
  {
    name: 'PUT on capture',
    method: 'PUT',
    body: '{}',
    status: 405,
    code: 'method_not_allowed',
  },
  {
    name: 'an unknown route',
    path: '/nowhere/',
    body: '{}',
    status: 404,
    code: 'not_found',
  },
]

function fill(product: Product, body: string | Buffer | undefined): string | Buffer | undefined {
  if (typeof body !== 'string') return body
  return body.replaceAll('KEY', product.projectKey).replaceAll('PERSONAL', product.personalKey)
}

async function send(product: Product, each: Case): Promise<Response> {
  const body = fill(product, each.body)
  return fetch(`${product.url}${each.path ?? '/capture/'}`, {
    method: each.method ?? 'POST',
    headers: { ...(each.headers ?? JSON_HEADERS), origin: 'https://example.com' },
    ...(body === undefined ? {} : { body }),
  })
}

async function storedCount(product: Product): Promise<number> {
  const url = `${product.url}/api/projects/1/events/?limit=1`
  const { body } = await request(url, { key: product.personalKey })
  return (body as { count: number }).count
}

type Listed = { readonly event: string; readonly properties: string }

async function newestEvents(product: Product, count: number): Promise<readonly Listed[]> {
  const url = `${product.url}/api/projects/1/events/?limit=${count}`
  const { body } = await request(url, { key: product.personalKey })
  return (body as { results: readonly Listed[] }).results
}

/** The embedded Postgres of the product, past the product. */
async function databaseOf(t: Test, product: Product): Promise<Sql> {
  const running = await findRunningPostgres(product.settings['DATA_DIR'] ?? '')
  if (running === undefined) throw new Error('no Postgres runs')
  const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(async () => {
    await sql.end()
    await running.release()
  })
  return sql
}

/** Bytes of an answer to raw bytes; ends with the connection or after the first answer. */
function raw(product: Product, bytes: Buffer, cutAfter?: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      answer += text
      if (answer.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => socket.destroy())
    socket.write(cutAfter === undefined ? bytes : bytes.subarray(0, cutAfter), () => {
      if (cutAfter !== undefined) socket.destroy()
    })
  })
}

t.test('bad input', async (t) => {
  const product = await startStandalone(t)

  t.test('every refused request has the documented error, with CORS headers', async (t) => {
    for (const each of REFUSED) {
      const response = await send(product, each)
      t.equal(response.status, each.status, each.name)
      if (each.path !== '/nowhere/') {
        t.equal(
          response.headers.get('access-control-allow-origin'),
          'https://example.com',
          each.name,
        )
      }
      const body: unknown = await response.json()
      t.match(
        body,
        { ...(each.code && { code: each.code }), ...(each.type && { type: each.type }) },
        each.name,
      )
      // A management call has null for it where nothing is named.
      if (each.path !== '/nowhere/') t.same((body as { attr?: unknown }).attr, each.attr, each.name)
      t.equal('attr' in (body as object), each.attr !== undefined || each.path === '/nowhere/')
      t.type((body as { detail: unknown }).detail, 'string')
    }
    t.equal(await storedCount(product), 0, 'nothing of them is stored')
  })

  t.test(
    '20,971,519 bytes are accepted, one more is 413, before and after decompression',
    async (t) => {
      const start = `{"api_key":"${product.projectKey}","event":"","distinct_id":"a","properties":{"x":"`
      const fitting = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 3)}"}}`
      for (const [bytes, status] of [
        [20_971_519, 200],
        [20_971_520, 413],
      ] as const) {
        const body = fitting(bytes)
        for (const packed of [Buffer.from(body), gzipSync(body)]) {
          const response = await send(product, { name: '', path: '/batch/', body: packed, status })
          t.equal(response.status, status, `${bytes} bytes, ${packed.length} sent`)
          t.ok(response.headers.get('access-control-allow-origin'))
          if (status === 413) {
            t.match(await response.json(), { type: 'client_error', code: 'request_too_large' })
          }
        }
      }
    },
  )

  t.test('a gzip bomb is 413 and others are answered meanwhile', async (t) => {
    const bomb = gzipSync(Buffer.alloc(512 * 1024 * 1024))
    const answer = send(product, { name: 'bomb', path: '/batch/', body: bomb, status: 413 })
    const others = await Promise.all(
      Array.from({ length: 5 }, () => request(`${product.url}/decide/`, { body: { a: 1 } })),
    )
    t.strictSame(
      others.map(({ status }) => status),
      Array(5).fill(401),
    )
    t.equal((await answer).status, 413)
  })

  t.test('NUL and lone surrogates are stored as U+FFFD, in keys as in values', async (t) => {
    const body = `{"api_key":"${product.projectKey}","event":"bad\\u0000name","distinct_id":"a\\ud800b",
      "properties":{"k\\u0000":"v\\udc00","__proto__":{"x":1},"ok":"\\ud83d\\ude00"}}`
    const response = await send(product, { name: 'text', body, status: 200 })
    t.equal(response.status, 200)
    const url = `${product.url}/api/projects/1/events/?limit=1`
    const { body: list } = await request(url, { key: product.personalKey })
    const [event] = (list as { results: Record<string, string>[] }).results
    t.match(event, { event: 'bad\ufffdname', distinct_id: 'a\ufffdb' })
    const properties: object = JSON.parse(event?.['properties'] ?? '{}')
    t.strictSame(new Set(Object.keys(properties)), new Set(['$ip', 'ok', 'k\ufffd', '__proto__']))
    t.match(properties, { 'k\ufffd': 'v\ufffd', ok: '😀' })
  })

  t.test('a client that leaves at any point of its upload stops nobody', async (t) => {
    const payload = `{"api_key":"${product.projectKey}","event":"cut","distinct_id":"a"}`
    const bytes = Buffer.from(
      `POST /capture/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}\r\n\r\n${payload}`,
    )
    for (let at = 0; at < bytes.length; at += 7) await raw(product, bytes, at)
    t.match(await raw(product, bytes), /^HTTP\/1\.1 200 /)
  })

  t.test('a smuggled second request is never run', async (t) => {
    const before = await storedCount(product)
    const inner = `{"api_key":"${product.projectKey}","event":"smuggled","distinct_id":"a"}`
    const second = `POST /capture/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`
    const answer = await raw(
      product,
      Buffer.from(
        `POST /capture/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
      ),
    )
    t.match(answer, /^(?:HTTP\/1\.1 400 |$)/)
    // Events of one project are stored in their order: what ran before this one would be there.
    const body = '{"api_key":"KEY","event":"after it","distinct_id":"a"}'
    t.equal((await send(product, { name: 'after it', body, status: 200 })).status, 200)
    t.equal(await storedCount(product), before + 1)
  })

  t.test('a number beyond what jsonb can hold is stored as null', async (t) => {
    const numbers = ['1', '2e999999', '3']
    const batch = numbers.map(
      (number) => `{"event":"large ${number}","properties":{"distinct_id":"a","n":${number}}}`,
    )
    const body = `{"api_key":"KEY","batch":[${batch.join(',')}]}`
    const response = await send(product, { name: 'large', path: '/batch/', body, status: 200 })
    t.equal(response.status, 200)
    const events = await newestEvents(product, 3)
    t.strictSame(
      new Map(events.map(({ event, properties }) => [event, JSON.parse(properties).n])),
      new Map([
        ['large 1', 1],
        ['large 2e999999', null],
        ['large 3', 3],
      ]),
    )
  })

  t.test('an event that the database refuses is a dead letter, others are stored', async (t) => {
    const sql = await databaseOf(t, product)
    await sql`alter table events add constraint odd check (event <> 'odd') not valid`
    const batch = ['before', 'odd', 'behind'].map(
      (event) => `{"event":"${event}","properties":{"distinct_id":"a"}}`,
    )
    const body = `{"api_key":"KEY","batch":[${batch.join(',')}]}`
    const response = await send(product, { name: 'odd', path: '/batch/', body, status: 200 })
    t.equal(response.status, 200)
    const stored = await newestEvents(product, 2)
    t.strictSame(new Set(stored.map(({ event }) => event)), new Set(['before', 'behind']))
    const letters = await sql<{ event: string }[]>`select event from dead_letters`
    t.strictSame(
      letters.map(({ event }) => event),
      ['odd'],
    )
  })

  t.test('after all of it the process is ready', async (t) => {
    const { status } = await request(`http://127.0.0.1:${product.process.ports.admin}/readyz`)
    t.equal(status, 200)
  })
})
