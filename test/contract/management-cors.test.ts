/** CORS of the management interface, on each HTTP server. */
import t from 'tap'
import { createDispatch } from '../../gateway/dispatch.ts'
import { createRouter } from '../../gateway/http/router.ts'
import { createProbes } from '../../gateway/public/probes.ts'
import { preflight, publicHeaders } from '../../gateway/public/public-errors.ts'
import type { PublicHandler } from '../../gateway/public/routes.ts'
import { createDocuments } from '../../gateway/rest/documents.ts'
import { createManagementCors } from '../../gateway/rest/management-cors.ts'
import { NO_SESSIONS } from '../../gateway/rest/session/session-cookie.ts'
import { createHttpClient, type Reply } from '../support/http/http-call.ts'
import { HTTP_KINDS, startServer } from '../support/http/http-under-test.ts'
import { LIST, ONE, setUp } from '../support/http/rest.ts'

const OURS = 'https://app.example.com'
const OTHERS = 'https://evil.example.com'
const KEY = { authorization: 'Bearer phx_secret' }
const ASKS = { 'access-control-request-method': 'DELETE' }

/** A server with the routes of a gateway; answers how it is asked. */
async function start(
  t: Parameters<typeof startServer>[0],
  kind: (typeof HTTP_KINDS)[number],
  origins: readonly string[],
) {
  const capture: PublicHandler = (request) => ({
    status: 200,
    headers: publicHeaders(request),
    body: '{}',
  })
  const path = '/capture/'
  const { transcoder } = setUp(({ method }) => {
    if (method === 'DeleteThing') throw new Error('a defect')
    return { count: 0, results: [] }
  })
  const dispatch = createDispatch(
    {
      router: createRouter<PublicHandler>([
        { method: 'POST', path, handler: capture },
        { method: 'OPTIONS', path, handler: preflight },
      ]),
      console: () => undefined,
      sharedPages: () => undefined,
      probes: createProbes(() => []),
      documents: createDocuments(),
      referencePage: () => undefined,
      transcoder,
      cors: createManagementCors(origins),
      sessions: NO_SESSIONS,
      headJudge: () => undefined,
      mcp: () => undefined,
      onRefusedCapture: () => undefined,
    },
    false,
  )
  const { port } = await startServer(t, kind, { ...dispatch, bounds: { bodyBytesMax: 100_000 } })
  const client = createHttpClient(`http://127.0.0.1:${port}`)
  t.teardown(() => client.close())
  return (verb: string, path: string, sent: Readonly<Record<string, string>>, body?: string) =>
    client.call({ verb, path, headers: sent, body })
}

/** Values of the access-control headers, by their last words. */
function opened({ headers }: Reply): Record<string, string> {
  const prefix = 'access-control-'
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  )
}
const OPEN = {
  'allow-origin': OURS,
  'expose-headers': 'Allow, ETag, Retry-After, WWW-Authenticate',
}

for (const kind of HTTP_KINDS) {
  t.test(kind, async (t) => {
    t.test('a page of a named origin may ask, and then call', async (t) => {
      const ask = await start(t, kind, ['https://other.example.com', OURS])
      for (const path of [LIST, ONE, '/api/nothing/', `${LIST}?personal_api_key=phx_secret`]) {
        const asked = await ask('OPTIONS', path, { origin: OURS, ...ASKS })
        t.equal(asked.status, 204, path)
        t.strictSame(
          opened(asked),
          {
            'allow-origin': OURS,
            'allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
            'allow-headers': 'Authorization, Content-Type, If-None-Match, MCP-Protocol-Version',
            'max-age': '600',
          },
          path,
        )
        t.equal(asked.headers['vary'], 'Origin', path)
      }
      const listed = await ask('GET', LIST, { origin: OURS, ...KEY })
      t.equal(listed.status, 200)
      t.strictSame(opened(listed), OPEN)
      t.equal(listed.headers['vary'], 'Accept, Origin')
    })

    t.test('it reads errors too, from whichever part they come', async (t) => {
      const ask = await start(t, kind, [OURS])
      const headers = { origin: OURS, ...KEY }
      const json = { ...headers, 'content-type': 'application/json' }
      const long = 'x'.repeat(200_000)
      const errors: [status: number, answer: Promise<Reply>][] = [
        [404, ask('GET', '/api/nothing/', headers)],
        [404, ask('POST', `${LIST}?format=xml`, json, long.slice(0, 90_000))],
        [401, ask('GET', `${LIST}?personal_api_key=phx_secret`, headers)],
        [401, ask('POST', `${LIST}?personal_api_key=phx_secret`, json, long.slice(0, 90_000))],
        [405, ask('PUT', LIST, json, '{}')],
        [413, ask('POST', LIST, json, long)],
        [500, ask('DELETE', ONE, headers)],
      ]
      for (const [status, answer] of errors) {
        const reply = await answer
        t.equal(reply.status, status)
        t.strictSame(opened(reply), OPEN, `${status}`)
      }
    })

    t.test('other origins get nothing, and no cache may mix the two', async (t) => {
      const ask = await start(t, kind, [OURS])
      for (const origin of [OTHERS, 'null', `${OURS}:444`, `${OURS}.evil.com`, '']) {
        const asked = await ask('OPTIONS', LIST, { origin, ...ASKS, ...KEY })
        t.not(asked.status, 204, origin)
        const listed = await ask('GET', LIST, { origin, ...KEY })
        t.equal(listed.status, 200, origin)
        for (const reply of [asked, listed]) {
          t.strictSame(opened(reply), {}, origin)
          t.match(reply.headers['vary'], /Origin/, origin)
          t.equal(reply.headers['cross-origin-resource-policy'], 'same-origin', origin)
          t.equal(reply.headers['x-content-type-options'], 'nosniff', origin)
        }
      }
      const plain = await ask('GET', LIST, KEY)
      t.match(plain.headers['vary'], /Origin/, 'without an origin too')
    })

    t.test('for all origins it is *, and never with credentials', async (t) => {
      const ask = await start(t, kind, ['*'])
      const asked = await ask('OPTIONS', LIST, { origin: OTHERS, ...ASKS })
      t.match(opened(asked), { 'allow-origin': '*', 'allow-credentials': undefined })
      const listed = await ask('GET', LIST, { origin: OTHERS, ...KEY })
      t.strictSame(opened(listed), { ...OPEN, 'allow-origin': '*' })
      t.equal(listed.headers['vary'], 'Accept')
    })

    t.test('unless it is set nothing is opened', async (t) => {
      const ask = await start(t, kind, [])
      const asked = await ask('OPTIONS', LIST, { origin: OURS, ...ASKS, ...KEY })
      t.equal(asked.status, 200, 'what OPTIONS answers to anybody')
      const listed = await ask('GET', LIST, { origin: OURS, ...KEY })
      for (const reply of [asked, listed]) {
        t.strictSame(opened(reply), {})
        t.equal(reply.headers['vary'], 'Accept')
      }
    })

    t.test('public routes and documents keep what they have', async (t) => {
      const ask = await start(t, kind, [OURS])
      const asked = await ask('OPTIONS', '/capture/', { origin: OTHERS, ...ASKS })
      t.match(opened(asked), { 'allow-origin': OTHERS, 'allow-credentials': 'true' })
      const sent = await ask('POST', '/capture/', { origin: OTHERS }, '{}')
      t.match(opened(sent), { 'allow-origin': OTHERS, 'allow-credentials': 'true' })
      const document = await ask('GET', '/api/schema/', { origin: OTHERS })
      t.strictSame(opened(document), { 'allow-origin': '*' })
    })
  })
}
