import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { deletePerson } from '../../../../gateway/client/calls.ts'
import {
  ApiError,
  call,
  callEvents,
  callStream,
  createClient,
  formOf,
  pages,
  segment,
} from '../../../../gateway/client/runtime.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, seen: Seen) => void

/** A server that answers by `answer` and keeps what it was asked. */
async function serve(t: Test, answer: Answer) {
  const asked: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() }
      asked.push(seen)
      answer(response, seen)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { asked, baseUrl: `http://127.0.0.1:${port}/below/` }
}

const json = (value: unknown): Answer => {
  return (response) => response.end(JSON.stringify(value))
}

t.test('a call sends its key, its query and its body, and gives the answer', async (t) => {
  const { asked, baseUrl } = await serve(t, json({ id: 1 }))
  const client = createClient({ baseUrl, key: 'phx_key' })
  const query = { limit: 5, empty: undefined, groups: { a: [1] }, type: ['x', 'y&z'] }
  t.same(await call(client, { verb: 'PATCH', path: '/api/x/', query, body: { a: null } }), {
    id: 1,
  })
  const [seen] = asked
  t.equal(seen?.method, 'PATCH')
  t.equal(seen?.url, '/below/api/x/?limit=5&groups=%7B%22a%22%3A%5B1%5D%7D&type=x&type=y%26z')
  t.equal(seen?.body, '{"a":null}')
  t.match(seen?.headers, {
    authorization: 'Bearer phx_key',
    'content-type': 'application/json',
    accept: 'application/json',
  })
})

t.test('a signal of many calls is let go of by each that is answered', async (t) => {
  const { baseUrl } = await serve(t, (response, { url }) => {
    response.writeHead(url.endsWith('/no/') ? 500 : 200).end('{}')
  })
  const client = createClient({ baseUrl })
  const { signal } = new AbortController()
  for (const path of ['/api/yes/', '/api/no/', '/api/yes/']) {
    await call(client, { verb: 'GET', path }, { signal }).catch(() => {})
    t.equal(getEventListeners(signal, 'abort').length, 0, path)
  }
})

t.test('the query of a DELETE is sent', async (t) => {
  const { asked, baseUrl } = await serve(t, json({ id: 'd', kind: 'person' }))
  const client = createClient({ baseUrl, key: 'phx_key' })
  const person = { project_id: 1, id: 'a@b.c', by: 'distinct_id' } as const
  await deletePerson(client, { ...person, delete_events: true, dry_run: true })
  const [seen] = asked
  t.equal(seen?.method, 'DELETE')
  const url = new URL(seen?.url ?? '', baseUrl)
  t.equal(decodeURIComponent(url.pathname), '/below/api/projects/1/persons/a@b.c/')
  const sent = { by: 'distinct_id', delete_events: 'true', dry_run: 'true' }
  t.same(Object.fromEntries(url.searchParams), sent)
})

t.test('an error has every member of its body and the time to wait', async (t) => {
  const body = { type: 'throttled_error', code: 'throttled', detail: 'Wait.', attr: null }
  const { baseUrl } = await serve(t, (response) => {
    response.writeHead(429, { 'retry-after': '17' }).end(JSON.stringify(body))
  })
  const error = await call(createClient({ baseUrl }), { verb: 'GET', path: '/' }).catch((e) => e)
  t.ok(error instanceof ApiError)
  t.match(error, { ...body, detail: undefined, message: 'Wait.', status: 429, retryAfterS: 17 })
})

t.test('the time to wait may be a date, and is never negative', async (t) => {
  const date = 'Sat, 28 Nov 2026 08:00:00 GMT'
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['Sat, 28 Nov 2026 08:00:30 GMT', 30],
    ['Sat, 28 Nov 2026 07:00:00 GMT', 0],
    ['0', 0],
    ['soon', undefined],
    ['', undefined],
  ]
  for (const [text, seconds] of cases) {
    const { baseUrl } = await serve(t, (response) => {
      response.writeHead(503, { 'retry-after': text, date }).end('{}')
    })
    const error = await call(createClient({ baseUrl }), { verb: 'GET', path: '/' }).catch((e) => e)
    t.equal(error instanceof ApiError ? error.retryAfterS : -1, seconds, text)
  }
})

t.test('an answer that is no JSON is an error too, without its text', async (t) => {
  const { baseUrl } = await serve(t, (response) => response.writeHead(502).end('<html>'))
  const error = await call(createClient({ baseUrl }), { verb: 'GET', path: '/' }).catch((e) => e)
  t.ok(error instanceof ApiError)
  t.match(error, { status: 502, type: 'server_error', code: 'error', attr: null })
  t.notMatch(String(error), /html/)
})

t.test('an empty answer is undefined', async (t) => {
  const { baseUrl } = await serve(t, (response) => response.writeHead(204).end())
  t.equal(await call(createClient({ baseUrl }), { verb: 'DELETE', path: '/' }), undefined)
})

t.test(
  'a call that nobody answers ends with its time-out, or when its caller leaves',
  async (t) => {
    const { baseUrl } = await serve(t, () => {})
    const client = createClient({ baseUrl, timeoutMs: 20 })
    const get = { verb: 'GET', path: '/' }
    await t.rejects(call(client, get), { name: 'TimeoutError' })
    const abort = new AbortController()
    const left = call(client, get, { signal: abort.signal, timeoutMs: 60_000 })
    abort.abort(new Error('left'))
    await t.rejects(left, { message: 'left' })
    const gone = call(client, get, { signal: AbortSignal.abort(new Error('before')) })
    await t.rejects(gone, { message: 'before' })
  },
)

t.test('pages follow the address of the next one on the same instance', async (t) => {
  const { asked, baseUrl } = await serve(t, (response, { url }) => {
    const at = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0)
    const next = at < 2 ? `https://elsewhere.example/api/x/?offset=${at + 1}` : null
    response.end(JSON.stringify({ count: 3, next, previous: null, results: [at] }))
  })
  const client = createClient({ baseUrl })
  const seen: unknown[] = []
  const first = call<{ count: number; next: string | null; previous: null; results: number[] }>(
    client,
    { verb: 'GET', path: '/api/x/' },
  )
  for await (const page of pages(client, first)) seen.push(...page.results)
  t.same(seen, [0, 1, 2])
  t.equal(asked.at(-1)?.url, '/below/api/x/?offset=2')
})

t.test('a stream is handed over unread, its errors are as others', async (t) => {
  const { asked, baseUrl } = await serve(t, (response, { url }) => {
    if (url.endsWith('/no')) response.writeHead(403).end('{"code":"permission_denied"}')
    else response.end('a\r\n')
  })
  const client = createClient({ baseUrl })
  const response = await callStream(client, { verb: 'GET', path: '/csv', accept: 'text/csv' })
  t.equal(await response.text(), 'a\r\n')
  t.equal(asked[0]?.headers.accept, 'text/csv')
  await t.rejects(callStream(client, { verb: 'GET', path: '/no' }), { code: 'permission_denied' })
})

t.test('a stream of events that is left as soon as it is open ends its connection', async (t) => {
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const { baseUrl } = await serve(t, (response) => {
    response.on('close', () => onClose())
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n')
  })
  for await (const { event } of callEvents(createClient({ baseUrl }), { verb: 'GET', path: '/' })) {
    t.equal(event, 'open')
    break
  }
  await closed
})

t.test('forms hold texts, JSON, files and keys', async (t) => {
  const form = formOf(
    { name: 'x', config: { a: 1 }, on: true, gone: undefined },
    { add: { logo: new Blob(['file']) }, remove: ['old'], none: undefined },
  )
  const parts = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : 'file'])
  t.same(parts, [
    ['name', 'x'],
    ['config', '{"a":1}'],
    ['on', 'true'],
    ['add[logo]', 'file'],
    ['remove[old]', ''],
  ])
  const { asked, baseUrl } = await serve(t, json({}))
  await call(createClient({ baseUrl }), { verb: 'POST', path: '/', body: { not: 'sent' }, form })
  t.match(asked[0]?.headers['content-type'], /^multipart\/form-data; boundary=/)
  t.notMatch(asked[0]?.body, /not/)
})

t.test('ids cannot leave their segment, and addresses must be absolute', (t) => {
  t.equal(segment('a/../b?c'), 'a%2F..%2Fb%3Fc')
  t.equal(segment('@current'), '@current')
  t.equal(segment(7), '7')
  for (const text of ['', '.', '..']) t.throws(() => segment(text), TypeError)
  t.equal(segment('...'), '...')
  t.throws(() => createClient({ baseUrl: '/api' }), TypeError)
  t.throws(() => createClient({ baseUrl: 'file:///etc' }), /http/)
  t.end()
})
