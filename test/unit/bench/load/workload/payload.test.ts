import { gunzipSync } from 'node:zlib'
import t from 'tap'
import {
  type CaptureShape,
  createCaptureSource,
  createDecideSource,
} from '../../../../../bench/load/workload/payload.ts'
import { createPrng, uniformSampler, zipfSampler } from '../../../../../bench/load/workload/prng.ts'
import {
  isCaptureAnswer,
  isDecideAnswer,
  type RequestSource,
} from '../../../../../bench/load/workload/request-source.ts'
import { SITE_SHARES } from '../../../../../bench/load/workload/site-events.ts'
import { createUuidWriter } from '../../../../../bench/load/workload/uuid-writer.ts'

const SHAPE: CaptureShape = {
  apiKeys: ['phc_one', 'phc_two'],
  eventName: 'bench event',
  batch: 1,
  distinctIds: 1000,
  zipfExponent: undefined,
  properties: 5,
  valueBytes: 8,
  shape: 'plain',
  gzipShare: 0,
  seed: 7,
  uuidVersion: 7,
}
const TARGET = { host: '127.0.0.1:8000', path: '/capture/' }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Sent = { head: string; body: Buffer }

function take(source: RequestSource, count: number): Sent[] {
  const buffer = Buffer.alloc(source.bytesMax)
  return Array.from({ length: count }, () => {
    const length = source.fill(buffer)
    const end = buffer.indexOf('\r\n\r\n') + 4
    return {
      head: buffer.toString('latin1', 0, end),
      body: Buffer.from(buffer.subarray(end, length)),
    }
  })
}

function withoutUuids(sent: readonly Sent[]): string[] {
  return sent.map(({ body }) => body.toString().replace(/"uuid":"[^"]*"/g, ''))
}

t.test('a seed repeats the numbers, another does not', async (t) => {
  const first = createPrng(42)
  const again = createPrng(42)
  const other = createPrng(43)
  const numbers = Array.from({ length: 100 }, () => first.uint32())
  t.strictSame(
    Array.from({ length: 100 }, () => again.uint32()),
    numbers,
  )
  t.not(JSON.stringify(Array.from({ length: 100 }, () => other.uint32())), JSON.stringify(numbers))
  t.ok(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32))
})

t.test('samplers stay within bounds and have their shape', async (t) => {
  t.throws(() => uniformSampler(createPrng(1), 0), { name: 'InvariantError' })
  const uniform = uniformSampler(createPrng(1), 10)
  const zipf = zipfSampler(createPrng(1), 10, 1)
  const counts = { uniform: new Array(10).fill(0), zipf: new Array(10).fill(0) }
  for (let index = 0; index < 10_000; index++) {
    counts.uniform[uniform()]++
    counts.zipf[zipf()]++
  }
  t.ok(
    counts.uniform.every((count) => count > 800 && count < 1200),
    `${counts.uniform}`,
  )
  // Harmonic number of ten is 2.93: the first rank has a third, the tenth a tenth of that.
  t.ok(counts.zipf[0] > 3100 && counts.zipf[0] < 3750, `${counts.zipf}`)
  t.ok(counts.zipf[9] > 240 && counts.zipf[9] < 450, `${counts.zipf}`)
})

t.test('the same seed makes the same requests, with other uuids', async (t) => {
  const first = take(createCaptureSource(SHAPE, TARGET), 50)
  const again = take(createCaptureSource(SHAPE, TARGET), 50)
  t.strictSame(withoutUuids(again), withoutUuids(first))
  t.strictNotSame(again, first)
  const other = take(createCaptureSource({ ...SHAPE, seed: 8 }, TARGET), 50)
  t.strictNotSame(withoutUuids(other), withoutUuids(first))
})

t.test('each request is whole, and each event has a uuid of its own', async (t) => {
  for (const batch of [1, 3]) {
    const sent = take(createCaptureSource({ ...SHAPE, batch }, TARGET), 500)
    const uuids = new Set<string>()
    const keys = new Set<string>()
    for (const { head, body } of sent) {
      t.match(head, `Content-Length: ${body.length}\r\n`, { diagnostic: false })
      const envelope = JSON.parse(body.toString())
      keys.add(envelope.api_key)
      const events = batch === 1 ? [envelope] : envelope.batch
      for (const event of events) {
        if (!UUID.test(event.uuid) || !/^user-0{7}\d{3}$/.test(event.distinct_id))
          t.fail(event.uuid)
        uuids.add(event.uuid)
      }
      if (events.length !== batch || events[0].event !== 'bench event') t.fail(body.toString())
    }
    t.equal(uuids.size, 500 * batch)
    t.strictSame([...keys].sort(), ['phc_one', 'phc_two'])
  }
})

t.test(
  'page views come from known persons but for 5 %, each with one kind of browser',
  async (t) => {
    const shape: CaptureShape = {
      ...SHAPE,
      shape: 'pages',
      distinctIds: 1_600,
      newFrom: 1_000_000_000,
      batch: 10,
    }
    const browsers = new Map<string, Set<string>>()
    const views = new Map<string, number>()
    for (const { body } of take(createCaptureSource(shape, TARGET), 2_000)) {
      for (const { distinct_id: id, properties } of JSON.parse(body.toString()).batch) {
        const seen = browsers.get(id) ?? new Set()
        browsers.set(id, seen.add(`${properties.$browser} ${properties.$os_version}`))
        views.set(id, (views.get(id) ?? 0) + 1)
        if (!properties.$current_url.includes(properties.$pathname)) t.fail(properties.$current_url)
      }
    }
    t.ok([...browsers.values()].every(({ size }) => size === 1))
    const fresh = [...views].filter(([id]) => Number(id.slice('user-'.length)) >= 1_000_000_000)
    const share = fresh.reduce((sum, [, count]) => sum + count, 0) / 20_000
    t.ok(share > 0.03 && share < 0.07, `${share} of the page views are of new persons`)
    t.ok(
      fresh.every(([, count]) => count <= 3),
      'three pages a visit',
    )
    const known = [...views.keys()].filter((id) => Number(id.slice('user-'.length)) < 1_600)
    t.equal(known.length + fresh.length, views.size)
    const all = take(createCaptureSource({ ...shape, prime: true, batch: 160 }, TARGET), 10)
    const primed = all.flatMap(({ body }) => JSON.parse(body.toString()).batch)
    t.equal(new Set(primed.map(({ distinct_id: id }) => id)).size, 1_600, 'each of them once')
  },
)

t.test('half of the page views of a hot workload are of one person that is primed', async (t) => {
  const shape: CaptureShape = { ...SHAPE, shape: 'hot', distinctIds: 1_600, batch: 20 }
  const ids = take(createCaptureSource({ ...shape, newFrom: 1_000_000_000 }, TARGET), 200)
    .flatMap(({ body }) => JSON.parse(body.toString()).batch)
    .map(({ distinct_id: id }) => id)
  const hot = ids.filter((id) => id === 'user-0000000000').length
  t.ok(hot > 0.45 * ids.length && hot < 0.55 * ids.length, `${hot} of ${ids.length}`)
  const primed = take(createCaptureSource({ ...shape, prime: true }, TARGET), 80)
  t.ok(primed.some(({ body }) => body.includes('user-0000000000')))
})

t.test('a site sends each kind of event in its share, with the ids that it needs', async (t) => {
  for (const gzipShare of [0, 1]) {
    const newFrom = 1_000_000_000
    const shape: CaptureShape = { ...SHAPE, shape: 'site', newFrom, batch: 20, gzipShare }
    const counts = new Map<string, number>()
    const add = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const strangers = new Set<string>()
    for (const { head, body } of take(createCaptureSource(shape, TARGET), 2_000)) {
      const text = (head.includes('gzip') ? gunzipSync(body) : body).toString()
      for (const { event, distinct_id: id, properties } of JSON.parse(text).batch) {
        if (event === '$identify') {
          add('identify')
          strangers.add(properties.$anon_distinct_id)
          if (Number(properties.$anon_distinct_id.slice('user-'.length)) < newFrom) t.fail(text)
        } else if (event === '$groupidentify') {
          add('company')
          if (id !== `company_${properties.$group_key}`) t.fail(id)
        } else if (event !== 'bench event') {
          t.fail(event)
        } else if ('$elements_chain' in properties) {
          add('click')
          if (!/^button.*;div.*;body/.test(properties.$elements_chain)) t.fail(text)
        } else {
          add('$groups' in properties ? 'server' : 'view')
        }
        if (event !== '$groupidentify' && !/^user-\d{10}$/.test(id)) t.fail(id)
      }
    }
    for (const [kind, share] of SITE_SHARES) {
      const found = (counts.get(kind) ?? 0) / 40_000
      t.ok(Math.abs(found - share) < 0.03, `${found} of the events are ${kind}`)
    }
    // Compressed bodies are sent again and again.
    if (gzipShare === 0) t.equal(strangers.size, counts.get('identify'), 'each signs in once')
  }
})

t.test('each of many keys is sent with, about equally often', async (t) => {
  for (const keys of [100, 300]) {
    const apiKeys = Array.from({ length: keys }, (_, index) => `phc_${index}`)
    const counts = new Map(apiKeys.map((key) => [key, 0]))
    for (const { body } of take(createCaptureSource({ ...SHAPE, apiKeys }, TARGET), keys * 100)) {
      const { api_key: key } = JSON.parse(body.toString())
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    t.equal(counts.size, keys)
    const sorted = [...counts.values()].sort((a, b) => a - b)
    // Six deviations from a hundred.
    t.ok((sorted[0] ?? 0) > 40 && (sorted.at(-1) ?? 0) < 160, `${sorted[0]} to ${sorted.at(-1)}`)
  }
})

t.test('compressed requests unpack, and leave the uuid to the server', async (t) => {
  const sent = take(createCaptureSource({ ...SHAPE, gzipShare: 0.5 }, TARGET), 1000)
  const compressed = sent.filter(({ head }) => head.includes('Content-Encoding: gzip'))
  t.ok(compressed.length > 400 && compressed.length < 600, `${compressed.length} of 1000`)
  for (const { head, body } of compressed) {
    if (!head.includes(`Content-Length: ${body.length}\r\n`)) t.fail(head)
    const event = JSON.parse(gunzipSync(body).toString())
    if ('uuid' in event || event.event !== 'bench event') t.fail(JSON.stringify(event))
  }
})

t.test('uuids are valid and never repeat, in time order for version 7', async (t) => {
  const target = Buffer.alloc(40)
  for (const version of [4, 7] as const) {
    const write = createUuidWriter(version, () => 1_700_000_000_000.9)
    const seen = new Set<string>()
    for (let index = 0; index < 10_000; index++) {
      write(target, 2)
      const uuid = target.toString('latin1', 2, 38)
      if (!UUID.test(uuid) || uuid[14] !== String(version)) t.fail(uuid)
      seen.add(uuid)
    }
    t.equal(seen.size, 10_000)
    if (version === 7) {
      const ms = [...seen].map((uuid) => Number.parseInt(uuid.replace('-', '').slice(0, 12), 16))
      t.strictSame(new Set(ms), new Set([1_700_000_000_000]))
    }
  }
})

t.test(
  'decide asks hot ids again, primes each with each key, and never repeats a cold one',
  async (t) => {
    const shape = { apiKeys: ['a', 'b'], distinctIds: 5, zipfExponent: undefined, seed: 1 }
    const asked = (ids: 'hot' | 'prime' | 'cold', count: number) =>
      take(createDecideSource({ ...shape, ids, idPrefix: 'x-' }, TARGET), count).map(({ body }) => {
        const { api_key: key, distinct_id: id } = JSON.parse(body.toString())
        return `${key} ${id}`
      })
    t.equal(new Set(asked('prime', 10)).size, 10)
    t.equal(new Set(asked('hot', 500)).size, 10)
    t.equal(new Set(asked('cold', 500).map((question) => question.slice(2))).size, 500)
  },
)

t.test('answers are checked by what they say', async (t) => {
  const check = (accepts: typeof isCaptureAnswer, body: string) => {
    const bytes = Buffer.from(`junk${body}junk "featureFlags":{`)
    return accepts(bytes, 4, 4 + Buffer.byteLength(body))
  }
  t.ok(check(isCaptureAnswer, '{"status":1}'))
  t.ok(check(isCaptureAnswer, '{"status": 1, "quota_limited": []}'))
  for (const body of [
    '',
    '{}',
    '1',
    'null',
    '[]',
    '{"status":2}',
    '{"status":1',
    '{"status":10}',
  ]) {
    t.notOk(check(isCaptureAnswer, body), body)
  }
  t.ok(check(isDecideAnswer, '{"config":{},"featureFlags":{"a":true}}'))
  t.ok(check(isDecideAnswer, '{"featureFlags" : {}}'))
  for (const body of ['', '{}', '{"featureFlags":[]}', '{"featureFlags":{"a":tru', '[]']) {
    t.notOk(check(isDecideAnswer, body), body)
  }
})
