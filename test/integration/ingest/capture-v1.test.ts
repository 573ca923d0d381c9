import { randomUUID } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { PostHog } from 'posthog-node'
import t from 'tap'
import { RawClient } from '../../support/http/raw-http.ts'
import { startWire } from '../../support/ingest/wire.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { request } from '../../support/servers/product.ts'
import { startSplit } from '../../support/servers/split.ts'

const PATH = '/i/v1/analytics/events'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Results = Record<string, { result: string; details?: string }>

/** Headers as the libraries send them, with the time of this attempt. */
function headersOf(key: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    'posthog-sdk-info': 'posthog-node/5.70.0',
    'posthog-attempt': '1',
    'posthog-request-id': randomUUID(),
    'posthog-request-timestamp': new Date().toISOString(),
    ...more,
  }
}

function item(distinct_id: string, more: object = {}) {
  return {
    event: 'paid',
    uuid: randomUUID() as string,
    distinct_id,
    timestamp: new Date().toISOString(),
    options: {},
    properties: { total: 5 },
    ...more,
  }
}

const envelope = (batch: readonly object[], more: object = {}) =>
  JSON.stringify({ created_at: new Date().toISOString(), batch, ...more })

/** One product for the tests that leave it running: each has distinct ids of its own. */
const shared = startWire(t)

t.test('the capture protocol v1', async (t) => {
  const wire = await shared
  const { send, stored, projectKey, product } = wire
  const post = (body: string | Buffer, more: Record<string, string> = {}) =>
    send(PATH, body, headersOf(projectKey, more))
  const resultsOf = (reply: { body: unknown }) => (reply.body as { results: Results }).results

  t.test('each event has its result once it is stored, a dropped one its reason', async (t) => {
    const paid = item('mixed')
    const nameless = item('mixed', { event: '' })
    const nobody = item('', {})
    const replay = item('mixed', { event: '$snapshot' })
    const odd = item('mixed', { properties: 'text' })
    const reply = await post(envelope([paid, nameless, nobody, replay, odd]))
    t.match(reply, { status: 200, headers: { 'content-type': 'application/json' } })
    t.strictSame(resultsOf(reply), {
      [paid.uuid]: { result: 'ok' },
      [nameless.uuid]: { result: 'drop', details: 'missing_event_name' },
      [nobody.uuid]: { result: 'drop', details: 'missing_distinct_id' },
      [replay.uuid]: { result: 'drop', details: 'not_an_analytics_event' },
      [odd.uuid]: { result: 'drop', details: 'malformed_event_properties' },
    })
    t.strictSame(
      (await stored('mixed')).map(({ id }) => id),
      [paid.uuid],
    )
  })

  t.test('fields that the protocol moves are where older ones have them', async (t) => {
    const event = item('moved', {
      session_id: 's1',
      window_id: 'w1',
      options: { process_person_profile: true, cookieless_mode: false, product_tour_id: 'p1' },
      properties: { $set: { email: 'moved@example.com' }, $groups: { company: 'acme' } },
    })
    t.equal((await post(envelope([event], { historical_migration: true }))).status, 200)
    const [found] = await stored('moved')
    t.match(found?.properties, {
      $session_id: 's1',
      $window_id: 'w1',
      $process_person_profile: true,
      $cookieless_mode: false,
      $product_tour_id: 'p1',
      $lib: 'posthog-node',
      $lib_version: '5.70.0',
      $group_0: 'acme',
    })
    t.match(found?.person, { properties: { email: 'moved@example.com' } })
    const anonymous = item('no profile', { options: { process_person_profile: false } })
    t.equal((await post(envelope([anonymous]))).status, 200)
    t.match((await stored('no profile'))[0]?.properties, { $process_person_profile: false })
  })

  t.test('a batch that is sent again is stored once, at one time', async (t) => {
    // Half an hour after a midnight by our clock, and by the client's two days earlier.
    const clientNow = Date.now() - 48 * HOUR_MS
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
    const paidAt = midnight + HOUR_MS / 2
    const timestamp = new Date(clientNow - (Date.now() - paidAt)).toISOString()
    const event = item('again', { timestamp })
    const body = envelope([event], { created_at: new Date(clientNow).toISOString() })
    for (const [attempt, waitedMs] of [0, HOUR_MS].entries()) {
      const headers = {
        'posthog-attempt': String(attempt + 1),
        // No time has passed at our side: it is as if the client's clock had gone an hour ahead.
        'posthog-request-timestamp': new Date(clientNow + waitedMs).toISOString(),
      }
      t.strictSame(resultsOf(await post(body, headers)), { [event.uuid]: { result: 'ok' } })
    }
    const found = await stored('again')
    t.equal(found.length, 1, 'also though the second would be of another day')
    const offMs = Math.abs(Date.parse(found[0]?.timestamp ?? '') - paidAt)
    t.ok(offMs < HOUR_MS / 2, 'the late clock is corrected by the time of sending')
  })

  t.test('the header counts before created_at, which counts without it', async (t) => {
    const at = Date.now() - 48 * HOUR_MS
    const timestamp = new Date(at).toISOString()
    const created_at = new Date(at - 5 * HOUR_MS).toISOString()
    const sent = { 'posthog-request-timestamp': timestamp }
    const exact = { options: { disable_skew_correction: true } }
    await post(envelope([item('by header', { timestamp })], { created_at }), sent)
    const none = { 'posthog-request-timestamp': 'no time' }
    await post(envelope([item('by body', { timestamp })], { created_at: timestamp }), none)
    await post(envelope([item('as sent', { timestamp, ...exact })], { created_at }), sent)
    const timeOf = async (id: string) => Date.parse((await stored(id))[0]?.timestamp ?? '')
    t.ok(Math.abs((await timeOf('by header')) - Date.now()) < HOUR_MS)
    t.ok(Math.abs((await timeOf('by body')) - Date.now()) < HOUR_MS)
    t.equal(await timeOf('as sent'), at)
  })

  t.test('an event without a usable uuid is stored, and said to be', async (t) => {
    const reply = await post(envelope([item('odd', { uuid: 'x' }), item('odd', { uuid: '' })]))
    t.strictSame(resultsOf(reply), { x: { result: 'warning', details: 'invalid_uuid' } })
    t.equal((await stored('odd')).length, 2)
  })

  t.test('bodies are compressed as their header says', async (t) => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync] as const,
      ['deflate', deflateSync] as const,
    ]) {
      const event = item(`by ${encoding}`)
      const reply = await post(compress(envelope([event])), { 'content-encoding': encoding })
      t.strictSame(resultsOf(reply), { [event.uuid]: { result: 'ok' } })
      t.equal((await stored(`by ${encoding}`)).length, 1)
    }
  })

  t.test('a batch of megabytes is answered whole', async (t) => {
    const text = 'x'.repeat(1_000)
    const batch = Array.from({ length: 3_000 }, (_, at) =>
      item(`large ${at % 7}`, { event: at % 1_000 === 0 ? '' : 'large', properties: { text } }),
    )
    const results = Object.values(resultsOf(await post(envelope(batch))))
    const count = (wanted: string) => results.filter(({ result }) => result === wanted).length
    t.strictSame([count('ok'), count('drop'), results.length], [2_997, 3, 3_000])
    const url = `${product.url}/api/projects/1/events/?event=large`
    t.match((await request(url, { key: product.personalKey })).body, { count: 2_997 })
  })

  t.test('the key is in the header alone', async (t) => {
    const refused = { status: 401, body: { code: 'invalid_api_key' } }
    const body = envelope([item('refused')], { api_key: projectKey, project_id: 1 })
    const rows = ['', `Bearer nobody`, `Basic ${projectKey}`]
    for (const authorization of rows) {
      t.match(await send(PATH, body, { ...headersOf(''), authorization }), refused, authorization)
    }
    t.match(await send(`${PATH}/`, body, { ...headersOf(projectKey) }), { status: 200 })
    t.match(await send(PATH, body, headersOf('phx_nobody')), {
      status: 401,
      body: { code: 'invalid_personal_api_key' },
    })
    t.match(await send(PATH, body, headersOf(product.personalKey)), { status: 200 })
    const lower = { ...headersOf(''), authorization: `bearer  ${projectKey} ` }
    t.match(await send(PATH, body, lower), { status: 200 })
  })

  t.test('an unknown key is refused before a body is read, whatever it holds', async (t) => {
    for (const path of [PATH, '/ofrep/v1/evaluate/flags']) {
      const small = await send(path, 'no JSON', headersOf('phc_nobody'))
      t.equal(small.status, 401, path)
    }
    const bearer = 'Authorization: Bearer phx_nobody'
    const rows = [
      [PATH, bearer],
      ['/ofrep/v1/evaluate/flags', bearer],
      ['/v1/batch', `Authorization: Basic ${Buffer.from('phc_nobody:').toString('base64')}`],
      ['/v1/batch?writeKey=phc_nobody', 'X: y'],
      ['/api/projects/1/plugin_configs/', bearer],
      ['/api/projects/1/plugin_configs/?personal_api_key=phx_nobody', 'X: y'],
    ]
    for (const [path, header] of rows) {
      for (const framing of ['Content-Length: 20000000', 'Transfer-Encoding: chunked']) {
        const client = await RawClient.connect(Number(new URL(product.url).port))
        client.send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n${framing}\r\n\r\n`)
        t.match(await client.next(), { status: 401 }, `${path}, ${framing}: no body was sent`)
        client.socket.destroy()
      }
    }
  })

  t.test('a body that cannot be read is refused whole', async (t) => {
    const rows: [string, string | Buffer, number, string][] = [
      ['no body', '', 400, 'no_data'],
      ['cut JSON', '{"batch":[', 400, 'invalid_payload'],
      ['no batch', '{"created_at":"2024-05-01T11:00:00Z"}', 400, 'invalid_payload'],
      ['an array', JSON.stringify([item('bad')]), 400, 'invalid_payload'],
      ['no item that is an object', envelope([[] as object]), 400, 'invalid_payload'],
      ['no gzip', Buffer.from([0x1f, 0x8b, 0]), 400, 'invalid_payload'],
      ['too large', gzipSync(Buffer.alloc(21_000_000, 32)), 413, 'request_too_large'],
    ]
    for (const [name, body, status, code] of rows) {
      const reply = await post(body)
      t.match(reply, { status, body: { type: String, code, detail: String } }, name)
    }
    t.strictSame(await stored('bad'), [])
  })

  t.test('only POST and a preflight are allowed, from any origin', async (t) => {
    const url = `${product.url}${PATH}`
    const get = await fetch(`${url}?data=%7B%7D`)
    t.equal(get.status, 405)
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-headers': 'authorization,posthog-sdk-info',
    }
    const preflight = await fetch(url, { method: 'OPTIONS', headers })
    t.equal(preflight.status, 200)
    t.match(preflight.headers.get('access-control-allow-headers'), /posthog-sdk-info/)
    const cross = await post(envelope([item('cross')]), { origin: headers.origin })
    t.equal(cross.headers['access-control-allow-origin'], headers.origin)
  })
})

t.test('posthog-node in its mode v1', async (t) => {
  const { product } = await shared
  process.env['POSTHOG_CAPTURE_MODE'] = 'v1'
  t.teardown(() => delete process.env['POSTHOG_CAPTURE_MODE'])
  const errors: unknown[] = []
  const client = new PostHog(product.projectKey, { host: product.url, flushInterval: 50 })
  client.on('error', (error: unknown) => errors.push(error))
  t.teardown(() => client.shutdown())
  const timestamp = new Date('2024-02-03T04:05:06.789Z')
  client.capture({ distinctId: 'node', event: 'one', properties: { $session_id: 's' }, timestamp })
  client.identify({ distinctId: 'node', properties: { email: 'node@example.com' } })
  await client.flush()
  client.alias({ distinctId: 'node', alias: 'node anonymous' })
  client.capture({ distinctId: 'node', event: '$snapshot' })
  await client.flush()
  const url = `${product.url}/api/projects/1/events/?distinct_id=node`
  const { body } = await request(url, { key: product.personalKey })
  const { results } = body as { results: { event: string; properties: string; person: string }[] }
  const names = results.map(({ event }) => event).sort()
  t.strictSame(names, ['$create_alias', '$identify', 'one'])
  const one = results.find(({ event }) => event === 'one')
  t.match(JSON.parse(one?.properties ?? '{}'), {
    $session_id: 's',
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
    $sent_at: String,
  })
  t.match(JSON.parse(one?.person ?? '{}'), { properties: { email: 'node@example.com' } })
  t.match(errors, [{ drops: [{ details: 'not_an_analytics_event' }] }], 'drops are reported')
})

t.test('without a worker the whole batch is refused for now', async (t) => {
  const database = await testDatabase(t)
  const split = await startSplit(t, database.url)
  const post = async (batch: readonly object[]) => {
    const headers = headersOf(split.projectKey)
    const response = await fetch(`${split.url}${PATH}`, {
      method: 'POST',
      headers,
      body: envelope(batch),
    })
    return { response, body: (await response.json()) as { results?: Results; code?: string } }
  }
  const event = item('split')
  t.match((await post([event])).body, { results: { [event.uuid]: { result: 'ok' } } })
  split.worker.kill('SIGKILL')
  await split.worker.ended
  const { response, body } = await post([item('split'), item('', {})])
  t.equal(response.status, 503)
  t.match(response.headers.get('retry-after'), /^\d+$/)
  t.notOk('results' in body, 'nothing is said of single events')
  const [row] = await database.sql`select count(*)::int as count from events`
  t.equal(row?.['count'], 1)
})
