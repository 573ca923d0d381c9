/** Streams of live events of one process, as their readers see them, over either HTTP server. */
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { createPersonalApiKey, deletePersonalApiKey } from '../../../gateway/client/calls.ts'
import { createClient } from '../../../gateway/client/runtime.ts'
import { LIVE_EVENT_BYTES_MAX } from '../../../src/events/live/live-event.ts'
import { LIVE_USER_STREAMS_MAX } from '../../../src/manage/live/live-handlers.ts'
import { readLive } from '../../support/live/live-reader.ts'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

const PATH = '/api/projects/1/live/'

const named = (event: string, more: object = {}) => ({ event, distinct_id: 'ada', ...more })

for (const server of ['uws', 'node'] as const) {
  t.test(`live events over the server ${server}`, async (t) => {
    const product = await startStandalone(t, { HTTP_SERVER: server })
    await readsAll(t, product)
    await readsSome(t, product)
    await isBounded(t, product)
    await isToldMore(t, product)
  })
}

async function capture({ url, projectKey }: Product, events: readonly object[], key = projectKey) {
  const sent = await answered(`${url}/batch/`, { body: { api_key: key, batch: events } })
  if (sent.status !== 200) throw new Error(`captured with ${sent.status}`)
}

function placeOf({ url, personalKey: key }: Product) {
  return { url, key }
}

async function readsAll(t: Test, product: Product): Promise<void> {
  await t.test('every event of the project comes, in order', async (t) => {
    const reader = await readLive(t, placeOf(product))
    const names = Array.from({ length: 60 }, (_, index) => `step ${index}`)
    for (const name of names.slice(0, 10)) await capture(product, [named(name)])
    await capture(
      product,
      names.slice(10).map((name) => named(name)),
    )
    await until('all came', () => reader.names().length >= names.length)
    t.strictSame(reader.names(), names)
    reader.leave()
  })

  await t.test('an event comes as it was sent, and its time from the server', async (t) => {
    const reader = await readLive(t, placeOf(product), { event: 'exact' })
    const raw = `{"api_key":"${product.projectKey}","event":"exact","distinct_id":"é",
      "timestamp":"2020-02-03T04:05:06.123456Z","properties":{"n":
      1e2,"text":"a\\nb"}}`
    const headers = { 'content-type': 'application/json' }
    await fetch(`${product.url}/capture/`, { method: 'POST', headers, body: raw })
    const data = await reader.heard('event')
    t.match(data, {
      ...{ event: 'exact', distinct_id: 'é', timestamp: '2020-02-03T04:05:06.123456Z' },
      ...{ elements_chain: '', truncated: false },
      properties: { n: 100, text: 'a\nb' },
      stored_at: /^\d{4}-.*Z$/,
    })
    t.equal(reader.events[0]?.id, data['id'])
    reader.leave()
  })
}

async function readsSome(t: Test, product: Product): Promise<void> {
  const place = placeOf(product)

  await t.test('filters hold for what comes', async (t) => {
    const byName = await readLive(t, place, { event: 'paid' })
    const byPerson = await readLive(t, place, { distinct_id: 'bob' })
    const where = ["properties.plan = 'team'", "person.properties.tier = 'gold'"]
    const byWhere = await readLive(t, place, { where })
    await capture(product, [
      named('viewed', { distinct_id: 'bob' }),
      named('paid', { properties: { plan: 'team' } }),
      named('paid', { distinct_id: 'bob', properties: { plan: 'solo' } }),
      named('won', { properties: { plan: 'team', $set: { tier: 'gold' } } }),
      named('last', { distinct_id: 'bob' }),
      named('paid', { properties: { plan: 'team', end: true } }),
    ])
    const readers = [byName, byPerson, byWhere]
    await until('all came', () => readers.every((reader) => reader.names().length >= 3))
    t.strictSame(byName.names(), ['paid', 'paid', 'paid'])
    t.strictSame(byPerson.names(), ['viewed', 'paid', 'last'])
    t.strictSame(byWhere.names(), ['paid', 'won', 'paid'])
    for (const reader of readers) reader.leave()
  })

  await t.test('filters are those of a list, cohorts too', async (t) => {
    const tier = { type: 'person', key: 'tier', operator: 'exact', value: 'silver' }
    const { body } = await request(`${product.url}/api/projects/1/cohorts/`, {
      ...{ key: product.personalKey, body: { name: 'Silver', filters: { properties: [tier] } } },
    })
    const inIt = { type: 'cohort', key: 'id', value: (body as { readonly id: number }).id }
    const within = (...filters: readonly object[]) => JSON.stringify(filters)
    const large = { type: 'event', key: 'plan', operator: 'regex', value: '^te' }
    const inside = await readLive(t, place, { properties: within(inIt) })
    const outside = await readLive(t, place, {
      properties: within({ ...inIt, operator: 'not_in' }),
    })
    const both = await readLive(t, place, {
      ...{ properties: within(inIt, large), where: ["event != 'gone'"] },
    })
    await capture(product, [
      named('in', { distinct_id: 'sil', properties: { plan: 'team', $set: { tier: 'silver' } } }),
      named('out', { distinct_id: 'bro' }),
      named('gone', { distinct_id: 'sil', properties: { plan: 'team' } }),
      named('small', { distinct_id: 'sil', properties: { plan: 'solo' } }),
      named('in', { distinct_id: 'sil', properties: { plan: 'team' } }),
      named('out', { distinct_id: 'bro' }),
    ])
    await until('all came', () => inside.names().length >= 4 && both.names().length >= 2)
    await until('all others came', () => outside.names().length >= 2)
    t.strictSame(inside.names(), ['in', 'gone', 'small', 'in'])
    t.strictSame(outside.names(), ['out', 'out'])
    t.strictSame(both.names(), ['in', 'in'])
    for (const reader of [inside, outside, both]) reader.leave()
  })

  await t.test('a condition that cannot be read is refused by its name', async (t) => {
    for (const where of ['properties.', 'count() > 1', "'text'"]) {
      const wrong = `${product.url}${PATH}?where=${encodeURIComponent(where)}`
      const { status, body } = await request(wrong, { key: product.personalKey })
      t.equal(status, 400, where)
      t.match(body, { type: 'validation_error', code: 'invalid_input', attr: 'where' })
    }
  })

  await t.test('events of other projects do not come', async (t) => {
    const made = await request(`${product.url}/api/projects/`, {
      ...{ key: product.personalKey, body: { name: 'Other' } },
    })
    t.equal(made.status, 201)
    const reader = await readLive(t, place)
    await capture(product, [named('theirs')], String(Object(made.body).api_token))
    await capture(product, [named('ours')])
    await reader.heard('event')
    t.strictSame(reader.names(), ['ours'])
    reader.leave()
  })
}

async function isBounded(t: Test, product: Product): Promise<void> {
  const place = placeOf(product)

  await t.test('a large event is cut and marked', async (t) => {
    const reader = await readLive(t, place)
    const properties = { first: 'x', long: 'y'.repeat(2 * LIVE_EVENT_BYTES_MAX), last: 1 }
    await capture(product, [named('large', { properties })])
    const data = await reader.heard('event')
    t.equal(data['truncated'], true)
    t.match(data['properties'], { first: 'x' })
    t.notOk(Object.keys(Object(data['properties'])).includes('long'))
    reader.leave()
  })

  await t.test('events beyond the bound of a second are counted', async (t) => {
    const reader = await readLive(t, place)
    const all = Array.from({ length: 1_000 }, (_, index) => named(`busy ${index}`))
    await capture(product, all)
    const sum = () =>
      reader.events.reduce((total, { data }) => total + Number(data['dropped'] ?? 1), 0)
    await until('every event came or was counted', () => sum() >= all.length)
    t.equal(sum(), all.length)
    const names = reader.names()
    t.ok(names.length < 400, `${names.length} came`)
    t.equal(names.at(-1), 'busy 999', 'the newest stay')
    reader.leave()
  })

  await t.test('a client that does not read holds up nobody', async (t) => {
    const { hostname, port } = new URL(product.url)
    const idle = connect(Number(port), hostname)
    t.teardown(() => idle.destroy())
    const head = `GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${product.personalKey}`
    idle.write(`${head}\r\n\r\n`)
    await new Promise((resolve) => idle.once('data', resolve))
    idle.pause()
    const reader = await readLive(t, place, { event: 'after' })
    const long = { text: 'z'.repeat(LIVE_EVENT_BYTES_MAX - 1_000) }
    for (let round = 0; round < 10; round++) {
      const flood = Array.from({ length: 100 }, () => named('flood', { properties: long }))
      await capture(product, [...flood, named('after')])
    }
    await until('the other has all', () => reader.names().length === 10)
    idle.destroy()
    reader.leave()
  })

  await t.test('a user has few streams at a time', async (t) => {
    const places = Array.from({ length: LIVE_USER_STREAMS_MAX }, () => readOnceFree())
    const readers = await Promise.all(places)
    const refused = await request(`${product.url}${PATH}`, { key: product.personalKey })
    t.equal(refused.status, 429)
    t.match(refused.body, { type: 'throttled_error', code: 'throttled' })
    t.ok(Number(refused.headers.get('retry-after')) > 0)
    readers[0]?.leave()
    readers.push(await readOnceFree())
    for (const reader of readers) reader.leave()

    /** Places are given back when the server hears that their readers have left. */
    async function readOnceFree() {
      let found: Awaited<ReturnType<typeof readLive>> | undefined
      await until('there is a place', async () => {
        found = await readLive(t, place)
        return true
      })
      if (found === undefined) throw new Error('no place')
      return found
    }
  })
}

async function isToldMore(t: Test, product: Product): Promise<void> {
  const place = placeOf(product)
  await until('the places of other readers are free', async () => {
    const head = await request(`${product.url}${PATH}`, { method: 'HEAD', key: place.key })
    return head.status === 200
  })

  await t.test('settings and flags that change are told', async (t) => {
    const reader = await readLive(t, place)
    const changed = await request(`${product.url}/api/projects/1/feature_flags/`, {
      ...{ key: place.key, body: { key: `told-${Date.now()}` } },
    })
    t.equal(changed.status, 201)
    t.ok(Number((await reader.heard('revision'))['revision']) > 0)
    reader.leave()
  })

  await t.test('the stream of a key that is removed ends', async (t) => {
    const client = createClient({ baseUrl: product.url, key: place.key })
    const key = await createPersonalApiKey(client, { label: 'short', scopes: ['query:read'] })
    const reader = await readLive(t, { url: product.url, key: String(key.value) })
    const other = await readLive(t, place)
    await deletePersonalApiKey(client, { id: key.id })
    t.strictSame(await reader.heard('bye'), { reason: 'revoked' })
    t.equal(await reader.ended, undefined, 'the answer is whole')
    await capture(product, [named('later')])
    await other.heard('event')
    t.strictSame(reader.names(), [])
    other.leave()
  })

  await t.test('a process that ends says bye, and the next one continues', async (t) => {
    const reader = await readLive(t, place)
    await product.restart()
    t.strictSame(await reader.heard('bye'), { reason: 'drain' })
    t.equal(await reader.ended, undefined)
    const next = await readLive(t, placeOf(product))
    await capture(product, [named('again')])
    await next.heard('event')
    t.strictSame(next.names(), ['again'])
    next.leave()
  })
}
