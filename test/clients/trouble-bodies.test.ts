/** Bodies that break off and bodies that were encoded once too often, as they come from the wild. */
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { chunked, RawClient } from '../support/http/raw-http.ts'
import { answered, type Product, request, startStandalone } from '../support/servers/product.ts'

const EVENTS = 50

type Stored = { readonly count: number; readonly results: readonly { readonly event: string }[] }

async function stored(product: Product): Promise<readonly string[]> {
  const url = `${product.url}/api/projects/1/events/?limit=1000`
  const { body } = await request(url, { key: product.personalKey })
  return (body as Stored).results.map(({ event }) => event)
}

/** The server takes the next event, and has none but those of such markers. */
async function checkGoesOn(t: Test, product: Product, markers: string[]): Promise<void> {
  const event = `marker ${markers.length}`
  const body = { api_key: product.projectKey, event, distinct_id: 'ann' }
  t.equal((await answered(`${product.url}/capture/`, { body })).status, 200, 'it goes on')
  markers.push(event)
  t.strictSame([...(await stored(product))].sort(), [...markers].sort(), 'and has stored no more')
}

t.test('bodies as they come from the wild', async (t) => {
  const product = await startStandalone(t)
  // First: nothing may be stored yet.
  await t.test('bodies that were encoded once too often are refused whole', (t) =>
    encodeTwice(t, product),
  )
  await t.test('requests that break off', (t) => breakOff(t, product))
})

async function breakOff(t: Test, product: Product): Promise<void> {
  const batch = Array.from({ length: EVENTS }, (_, index) => ({
    event: 'cut',
    distinct_id: 'ann',
    properties: { index },
  }))
  const plain = Buffer.from(JSON.stringify({ api_key: product.projectKey, batch }))
  const packed = gzipSync(plain)
  const big = { event: 'cut', distinct_id: 'ann', properties: { x: 'x'.repeat(1e6) } }
  const large = Buffer.from(
    JSON.stringify({ api_key: product.projectKey, batch: [...batch, big, big, big, big] }),
  )
  const head = (path: string, lines: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`
  const json = 'Content-Type: application/json\r\n'
  const beacon = 'Content-Type: text/plain;charset=UTF-8\r\n'
  const length = (body: Buffer) => `Content-Length: ${body.length}\r\n`
  const coded = chunked(plain, 512)
  // Requests begun, and how many bytes of their body arrived.
  const cut: Record<string, { start: string; body: Buffer; bytes: number }> = {
    'before the body': { start: head('/batch/', json + length(plain)), body: plain, bytes: 0 },
    'after some events': {
      start: head('/batch/', json + length(plain)),
      body: plain,
      bytes: plain.length / 2,
    },
    'one byte short': {
      start: head('/batch/', json + length(plain)),
      body: plain,
      bytes: plain.length - 1,
    },
    'a packed beacon': {
      start: head('/e/?compression=gzip-js&beacon=1', beacon + length(packed)),
      body: packed,
      bytes: packed.length - 4,
    },
    'a packed beacon without a hint': {
      start: head('/e/', beacon + length(packed)),
      body: packed,
      bytes: packed.length / 2,
    },
    'in the middle of a chunk': {
      start: head('/batch/', `${json}Transfer-Encoding: chunked\r\n`),
      body: coded,
      bytes: coded.length / 2,
    },
    'before the last chunk': {
      start: head('/batch/', `${json}Transfer-Encoding: chunked\r\n`),
      body: coded,
      bytes: coded.length - '0\r\n\r\n'.length,
    },
    'megabytes, almost whole': {
      start: head('/batch/', json + length(large)),
      body: large,
      bytes: large.length - 1,
    },
  }
  const markers: string[] = []
  for (const [name, { start, body, bytes }] of Object.entries(cut)) {
    t.test(name, async (t) => {
      const client = await RawClient.connect(product.process.ports.http)
      client.send(start)
      client.send(body.subarray(0, Math.floor(bytes)))
      client.socket.end()
      t.notMatch(await client.rest(), /^HTTP\/1\.1 2/, 'what broke off is not acknowledged')
      await checkGoesOn(t, product, markers)
    })
  }

  t.test('many at a time, reset in the middle', async (t) => {
    const clients = await Promise.all(
      Array.from({ length: 50 }, () => RawClient.connect(product.process.ports.http)),
    )
    for (const client of clients) {
      client.send(head('/batch/', json + length(plain)))
      client.send(plain.subarray(0, plain.length - 1))
    }
    for (const { socket } of clients) {
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.resetAndDestroy()
      await closed
    }
    await checkGoesOn(t, product, markers)
    const loud = product.process.lines.filter(({ level }) => level === 'error' || level === 'fatal')
    t.strictSame(loud, [], 'none of it is a fault of the server')
  })
}

async function encodeTwice(t: Test, product: Product): Promise<void> {
  const key = product.projectKey
  const event = { event: 'twice', distinct_id: 'ann', properties: {} }
  const one = JSON.stringify({ api_key: key, ...event })
  const batch = JSON.stringify({ api_key: key, batch: [event] })
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const formType = 'application/x-www-form-urlencoded'
  type Case = { path?: string; type?: string; body: string | Buffer; code: string }
  const cases: Record<string, Case> = {
    'a batch that is a text': {
      body: JSON.stringify({ api_key: key, batch: JSON.stringify([event]) }),
      code: 'invalid_payload',
    },
    'an item of a batch that is a text': {
      body: JSON.stringify({ api_key: key, batch: [JSON.stringify(event)] }),
      code: 'invalid_payload',
    },
    'properties that are a text': {
      body: JSON.stringify({ api_key: key, ...event, properties: '{"a":1}' }),
      code: 'invalid_payload',
    },
    'JSON in a text of JSON': { body: JSON.stringify(one), code: 'no_data' },
    'a batch in a text of JSON': { body: JSON.stringify(batch), code: 'no_data' },
    'an array in a text of JSON': { body: JSON.stringify(`[${one}]`), code: 'no_data' },
    'base64 of base64': { body: base64(base64(one)), code: 'invalid_payload' },
    'base64 of base64 in a form': {
      path: '/e/?compression=base64',
      type: formType,
      body: form({ data: base64(base64(one)) }),
      code: 'invalid_payload',
    },
    'a form in a form': {
      path: '/e/',
      type: formType,
      body: form({ data: form({ data: base64(one) }) }),
      code: 'invalid_payload',
    },
    'gzip of gzip': {
      path: '/e/?compression=gzip-js',
      type: 'text/plain',
      body: gzipSync(gzipSync(one)),
      code: 'invalid_payload',
    },
    'base64 that is said to be gzip': {
      path: '/e/?compression=gzip-js',
      type: 'text/plain',
      body: base64(one),
      code: 'invalid_payload',
    },
    'gzip that was read as text': {
      path: '/e/?compression=gzip-js',
      type: 'text/plain',
      body: Buffer.from(gzipSync(one).toString('utf8')),
      code: 'invalid_payload',
    },
    'gzip that breaks off': {
      path: '/e/',
      type: 'text/plain',
      body: gzipSync(one).subarray(0, -8),
      code: 'invalid_payload',
    },
    'the word undefined': {
      path: '/e/',
      type: 'text/plain',
      body: 'undefined',
      code: 'invalid_payload',
    },
    'the word [object Object]': { body: '[object Object]', code: 'invalid_payload' },
  }
  for (const [name, { path = '/batch/', type = 'application/json', body, code }] of Object.entries(
    cases,
  )) {
    t.test(name, async (t) => {
      const headers = { 'content-type': type }
      const answer = await fetch(`${product.url}${path}`, { method: 'POST', headers, body })
      t.equal(answer.status, 400)
      t.match(await answer.json(), { type: 'validation_error', code })
      t.strictSame(await stored(product), [], 'nothing is stored')
    })
  }
}
