import { deflateRawSync, gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import t from 'tap'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'

type Stored = { event: string; distinct_id: string; properties: string; elements_chain: string }

async function stored(product: Product, event: string): Promise<Stored[]> {
  const url = `${product.url}/api/projects/1/events/?event=${encodeURIComponent(event)}`
  const { body } = await request(url, { key: product.personalKey })
  return (body as { results: Stored[] }).results
}

function post(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', body, headers })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

for (const httpServer of ['uws', 'node']) {
  t.test(`public routes over ${httpServer}`, async (t) => {
    const product = await startStandalone(t, { HTTP_SERVER: httpServer })
    const { url, projectKey } = product
    const flags = `${url}/api/projects/1/feature_flags/`
    const everybody = { groups: [{ properties: [], rollout_percentage: 100 }] }
    const make = (body: object) => request(flags, { key: product.personalKey, body })

    t.test('every capture route takes events, with and without its last slash', async (t) => {
      const routes = ['/capture', '/batch', '/e', '/i/v0/e', '/track', '/engage', '/s']
      for (const [index, route] of routes.flatMap((each) => [each, `${each}/`]).entries()) {
        const body = { token: projectKey, event: 'routed', distinct_id: `r${index}` }
        const answer = await answered(`${url}${route}?ip=1&_=1700000000000&ver=1.2.3`, { body })
        t.equal(answer.status, 200, route)
        t.strictSame(answer.body, { status: 1 }, route)
      }
      t.equal((await stored(product, 'routed')).length, 12)
      t.equal((await stored(product, '$identify')).length, 2, '/engage/ is always $identify')
    })

    t.test('people get a page, and balancers whether it serves', async (t) => {
      for (const path of ['/_health', '/_readyz/', '/_livez']) {
        t.match(await request(`${url}${path}`), { status: 200, body: { status: 'ok' } }, path)
      }
      const page = await fetch(`${url}/`)
      t.equal(page.status, 200)
      t.match(await page.text(), /src="\/assets\/main-\w+\.js"/, 'the console')
    })

    t.test('every encoding of clients', async (t) => {
      const json = (id: string) =>
        JSON.stringify({
          api_key: projectKey,
          event: 'encoded',
          distinct_id: id,
          properties: { s: 'é😀' },
        })
      const base64 = (id: string) => Buffer.from(json(id)).toString('base64')
      const sent = [
        post(`${url}/e/`, json('json'), { 'content-type': 'application/json' }),
        post(`${url}/e/`, json('text'), { 'content-type': 'text/plain' }),
        post(`${url}/e/`, `data=${encodeURIComponent(json('form'))}`, FORM),
        post(`${url}/e/`, `data=${encodeURIComponent(base64('form base64'))}`, FORM),
        post(`${url}/e/?compression=base64`, base64('base64'), { 'content-type': 'text/plain' }),
        post(`${url}/e/`, gzipSync(json('gzip magic')), { 'content-type': 'text/plain' }),
        post(`${url}/e/?compression=gzip-js`, gzipSync(json('gzip-js'))),
        post(`${url}/batch/`, gzipSync(json('gzip header')), { 'content-encoding': 'gzip' }),
        post(`${url}/e/?compression=lz64`, lzString.compressToBase64(json('lz64'))),
        fetch(`${url}/track?ip=0&verbose=0&data=${encodeURIComponent(base64('get'))}`),
      ]
      for (const response of await Promise.all(sent)) t.equal(response.status, 200, response.url)
      const found = await stored(product, 'encoded')
      t.equal(found.length, sent.length)
      for (const { distinct_id: id, properties } of found) {
        t.equal(JSON.parse(properties).s, 'é😀', id)
      }
      const raw = await post(`${url}/e/`, deflateRawSync(json('deflate')))
      t.equal(raw.status, 400, 'nobody sends this')
    })

    t.test('preflights answer without key or body, and echo the origin', async (t) => {
      for (const path of ['/capture/', '/decide/', '/flags/', '/e/']) {
        const response = await fetch(`${url}${path}`, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://app.example.com:8443',
            'access-control-request-headers': 'x-posthog-session, content-type',
          },
        })
        t.equal(response.status, 200, path)
        t.strictSame(await response.json(), { status: 1 })
        const { headers } = response
        t.equal(headers.get('access-control-allow-origin'), 'https://app.example.com:8443')
        t.equal(headers.get('access-control-allow-credentials'), 'true')
        t.equal(headers.get('access-control-allow-methods'), 'GET, POST, OPTIONS')
        t.equal(headers.get('access-control-max-age'), '600')
        t.match(headers.get('access-control-allow-headers'), /x-posthog-session/i)
        t.equal(headers.get('vary'), 'Origin')
      }
      const plain = await request(`${url}/capture/`, { body: { api_key: projectKey, event: '' } })
      t.equal(plain.headers.get('access-control-allow-origin'), null, 'only with an Origin')
    })

    t.test('the shape of decide follows route and version', async (t) => {
      await make({ key: 'on', filters: { ...everybody, payloads: { true: '{"a":1}' } } })
      await make({ key: 'off', filters: { groups: [{ properties: [], rollout_percentage: 0 }] } })
      const ask = async (path: string) => {
        const body = { token: projectKey, distinct_id: 'ann' }
        return (await request(`${url}${path}`, { body })).body as Record<string, unknown>
      }
      t.strictSame((await ask('/decide/'))['featureFlags'], ['on'])
      t.strictSame((await ask('/decide/?v=2'))['featureFlags'], { on: true })
      t.strictSame((await ask('/decide/?v=x'))['featureFlags'], { on: true })
      t.match(await ask('/decide/?v=3'), {
        featureFlags: { on: true, off: false },
        featureFlagPayloads: { on: '{"a":1}' },
        errorsWhileComputingFlags: false,
      })
      const four = await ask('/flags/?v=2')
      t.match(four, {
        flags: {
          on: {
            enabled: true,
            variant: null,
            reason: { code: 'condition_match', condition_index: 0 },
            metadata: { version: 1, payload: '{"a":1}' },
          },
          off: { enabled: false, reason: { code: 'out_of_rollout_bound' } },
        },
        requestId: /^[0-9a-f-]{36}$/,
      })
      t.notOk('config' in four, 'config only when asked for')
      t.ok('config' in (await ask('/flags/?v=2&config=true')))
      const get = await fetch(`${url}/decide/?v=2`)
      t.match(await get.json(), { featureFlags: {}, config: { enable_collect_everything: true } })
      const disabled = await request(`${url}/decide/`, {
        body: { token: projectKey, disable_flags: true },
      })
      t.match(disabled.body, { featureFlags: [] })
    })

    t.test('a person who becomes known keeps the bucket of the anonymous id', async (t) => {
      const filters = { groups: [{ properties: [], rollout_percentage: 50 }] }
      await make({ key: 'kept', filters, ensure_experience_continuity: true })
      const isOn = async (body: object) => {
        const answer = await request(`${url}/decide/?v=2`, { body: { token: projectKey, ...body } })
        return 'kept' in (answer.body as { featureFlags: object }).featureFlags
      }
      let different = 0
      for (let index = 0; index < 12; index++) {
        const [anon, known] = [`anon ${index}`, `known ${index}`]
        const before = await isOn({ distinct_id: anon })
        if ((await isOn({ distinct_id: known })) !== before) different++
        await answered(`${url}/e/`, {
          body: {
            token: projectKey,
            event: '$identify',
            distinct_id: known,
            properties: { $anon_distinct_id: anon },
          },
        })
        t.equal(await isOn({ distinct_id: known, $anon_distinct_id: anon }), before)
        t.equal(await isOn({ distinct_id: known }), before, 'also when the anonymous id is gone')
      }
      t.ok(different > 0, 'without it some would have changed')
    })

    t.test('a personal key with a project id stands in for the project key', async (t) => {
      const body = {
        api_key: product.personalKey,
        project_id: 1,
        event: 'personal',
        distinct_id: 'a',
      }
      t.equal((await answered(`${url}/capture/`, { body })).status, 200)
      t.equal((await stored(product, 'personal')).length, 1)
    })

    t.test('elements become a chain and leave the properties', async (t) => {
      const elements = [
        { tag_name: 'a', $el_text: 'Go', classes: ['b', 'a'], attr__href: '/x', nth_child: 2 },
        { tag_name: 'body' },
      ]
      const properties = { distinct_id: 'a', $elements: elements }
      await answered(`${url}/e/`, {
        body: { token: projectKey, event: '$autocapture', properties },
      })
      const [event] = await stored(product, '$autocapture')
      t.match(event?.elements_chain, /^a\.a\.b:.*href="\/x".*text="Go".*;body:/)
      t.notOk('$elements' in JSON.parse(event?.properties ?? '{}'))
    })
  })
}
