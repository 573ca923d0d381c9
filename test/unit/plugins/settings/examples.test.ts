import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as currency from '../../../../examples/plugins/currency-normalizer/index.ts'
import * as webhook from '../../../../examples/plugins/webhook-exporter/index.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { parseManifest } from '../../../../src/plugins/settings/manifest.ts'

class RetryError extends Error {
  override readonly name = 'RetryError'
}

type Fetched = { readonly url: string; readonly init: RequestInit | undefined }

/** Globals of the sandbox: `RetryError`, `console`, and a `fetch` that a test answers. */
function pluginWorld(t: Test, answer: () => Response) {
  const fetched: Fetched[] = []
  const fake = async (url: string, init?: RequestInit) => {
    fetched.push({ url, init })
    return answer()
  }
  t.intercept(globalThis, 'fetch', { value: fake, configurable: true })
  Object.defineProperty(globalThis, 'RetryError', { value: RetryError, configurable: true })
  t.teardown(() => Reflect.deleteProperty(globalThis, 'RetryError'))
  const said = t.capture(console, 'log')
  const complained = t.capture(console, 'error')
  const linesOf = (calls: typeof said) => calls().map(({ args }) => args.join(' '))
  return { fetched, said: () => linesOf(said), complained: () => linesOf(complained) }
}

const RATES = { base: 'EUR', rates: { USD: 1.2, gbp: 0.8, BAD: -1, WORSE: 'x' } }
const NOW = '2026-05-01T12:00:00.000Z'

function currencyMeta(config: Record<string, string> = {}) {
  const stored = new Map<string, unknown>()
  const enqueued: object[] = []
  let reads = 0
  const meta: currency.Meta = {
    config: { ratesUrl: 'https://rates.example.com/latest', ...config },
    global: {},
    storage: {
      async get(key, otherwise) {
        reads += 1
        return stored.has(key) ? stored.get(key) : otherwise
      },
      async set(key, value) {
        stored.set(key, value)
      },
    },
    jobs: {
      refreshRates: (payload) => ({
        async runNow() {
          enqueued.push(payload)
        },
      }),
    },
  }
  const process = (properties: Record<string, unknown>, now = NOW) =>
    currency.processEvent({ event: 'paid', properties, now }, meta)
  return { meta, stored, enqueued, reads: () => reads, process }
}

t.test('the currency normalizer', async (t) => {
  t.test('fetches rates by a job: at the start when it has none, and every hour', async (t) => {
    const { fetched, said } = pluginWorld(t, () => Response.json(RATES))
    const { meta, stored, enqueued } = currencyMeta()
    await currency.setupPlugin(meta)
    t.same(enqueued, [{}])
    await currency.jobs.refreshRates({}, meta)
    t.match(fetched, [{ url: 'https://rates.example.com/latest' }])
    t.same(stored.get('rates'), { base: 'EUR', rates: { USD: 1.2, GBP: 0.8 } })
    t.same(said(), ['2 rates of EUR fetched'])
    await currency.setupPlugin(meta)
    t.equal(enqueued.length, 1, 'it has some')
    await currency.runEveryHour(meta)
    t.equal(enqueued.length, 2)
  })

  t.test('a busy source is asked again, a wrong answer is an error; old rates stay', async (t) => {
    let answer = () => new Response(null, { status: 503 })
    pluginWorld(t, () => answer())
    const { meta, stored } = currencyMeta()
    stored.set('rates', RATES)
    await t.rejects(currency.jobs.refreshRates({}, meta), RetryError)
    answer = () => {
      throw new TypeError('fetch failed')
    }
    await t.rejects(currency.jobs.refreshRates({}, meta), RetryError)
    for (const response of [
      () => new Response(null, { status: 404 }),
      () => Response.json({ base: 'EUR', rates: {} }),
      () => Response.json([]),
      () => new Response('<html>'),
    ]) {
      answer = response
      const failed = currency.jobs.refreshRates({}, meta)
      const error: unknown = await failed.then(() => undefined).catch((each: unknown) => each)
      t.ok(error instanceof Error && !(error instanceof RetryError))
    }
    t.equal(stored.get('rates'), RATES)
  })

  t.test('amounts are added in the target currency, and what was sent stays', async (t) => {
    const { stored, process } = currencyMeta()
    stored.set('rates', RATES)
    const paid = await process({ $revenue: 10, $currency: 'eur', amount: '2.5', x: 1 })
    t.same(paid.properties, {
      ...{ $revenue: 10, $currency: 'eur', amount: '2.5', x: 1 },
      ...{ normalized_revenue: 12, normalized_amount: 3, normalized_currency: 'USD' },
    })
    t.match((await process({ revenue: 8, currency: 'GBP' })).properties, { normalized_revenue: 12 })
    t.match((await process({ revenue: 7 })).properties, { normalized_revenue: 7 }, 'the default')
    const other = currencyMeta({ targetCurrency: 'gbp', amountProperties: 'price' })
    other.stored.set('rates', RATES)
    const priced = await other.process({ price: 12, revenue: 1 })
    t.same(priced.properties, {
      ...{ price: 12, revenue: 1, normalized_price: 8, normalized_currency: 'GBP' },
    })
  })

  t.test('events without an amount are not touched, nor is storage', async (t) => {
    const { process, reads } = currencyMeta()
    const properties = { $revenue: 'free', revenue: null, amount: Number.NaN, x: 1 }
    t.same((await process({ ...properties })).properties, properties)
    t.equal(reads(), 0)
  })

  t.test('an event before the first rates, or in an unknown currency, is flagged', async (t) => {
    const { stored, process } = currencyMeta()
    t.same((await process({ revenue: 1 })).properties, {
      ...{ revenue: 1, currency_not_normalized: 'no rates yet' },
    })
    stored.set('rates', RATES)
    for (const $currency of ['ZZZ', 'constructor', 'BAD']) {
      const { properties } = await process({ revenue: 1, $currency })
      t.same(properties, { revenue: 1, $currency, currency_not_normalized: 'unknown currency' })
    }
  })

  t.test('rates are read from storage once a minute, and after a refresh', async (t) => {
    pluginWorld(t, () => Response.json({ base: 'EUR', rates: { USD: 2 } }))
    const { meta, stored, reads, process } = currencyMeta()
    stored.set('rates', RATES)
    await process({ revenue: 1 })
    await process({ revenue: 1 }, '2026-05-01T12:00:59.000Z')
    t.equal(reads(), 1)
    await process({ revenue: 1 }, '2026-05-01T12:01:00.000Z')
    t.equal(reads(), 2)
    await currency.jobs.refreshRates({}, meta)
    const { properties } = await process({ revenue: 1, currency: 'EUR' })
    t.match(properties, { normalized_revenue: 2 })
  })

  t.test('settings that cannot work stop it at the start', async (t) => {
    const without = { ...currencyMeta().meta, config: {} }
    await t.rejects(currency.setupPlugin(without), { message: /ratesUrl/ })
    await t.rejects(currency.setupPlugin(currencyMeta({ targetCurrency: ' ' }).meta), {
      message: /targetCurrency/,
    })
  })
})

const CONFIG = { url: 'https://hook.example.com/in', secret: 's3cret-of-the-test' }
const EVENT = {
  ...{ uuid: 'u1', event: 'signed up', distinct_id: 'ann', properties: { a: 1 } },
  ...{ timestamp: NOW, ip: '192.0.2.1', elements: [] },
}

t.test('the webhook exporter', async (t) => {
  t.test('posts a batch with the token in its header, without what is private', async (t) => {
    const { fetched, complained } = pluginWorld(t, () => new Response(null, { status: 204 }))
    await webhook.exportEvents([EVENT, { ...EVENT, uuid: 'u2' }], { config: CONFIG })
    await webhook.exportEvents([EVENT], { config: { ...CONFIG, header: 'X-Key' } })
    const [first, second] = fetched
    t.match(first, { url: CONFIG.url, init: { method: 'POST' } })
    t.same(first?.init?.headers, {
      'content-type': 'application/json',
      'X-Webhook-Token': CONFIG.secret,
    })
    const { ip: _ip, elements: _elements, ...shown } = EVENT
    const body = JSON.parse(String(first?.init?.body))
    t.same(body, { events: [shown, { ...shown, uuid: 'u2' }] })
    t.match(second?.init?.headers, { 'X-Key': CONFIG.secret })
    t.same(complained(), [])
  })

  t.test('asks to be called again while the receiver is busy or away', async (t) => {
    let answer = () => new Response(null, { status: 429 })
    const { complained } = pluginWorld(t, () => answer())
    await t.rejects(webhook.exportEvents([EVENT], { config: CONFIG }), RetryError)
    for (const status of [500, 503]) {
      answer = () => new Response(null, { status })
      await t.rejects(webhook.exportEvents([EVENT], { config: CONFIG }), RetryError)
    }
    answer = () => {
      throw new TypeError('fetch failed')
    }
    await t.rejects(webhook.exportEvents([EVENT], { config: CONFIG }), RetryError)
    t.same(complained(), [])
  })

  t.test('drops what is refused, and says so without the token', async (t) => {
    const { complained } = pluginWorld(t, () => new Response(null, { status: 403 }))
    await webhook.exportEvents([EVENT, EVENT], { config: CONFIG })
    t.same(complained(), ['2 events dropped: the receiver answered 403'])
  })

  t.test('settings that cannot work stop it at the start', (t) => {
    t.doesNotThrow(() => webhook.setupPlugin({ config: CONFIG }))
    for (const wrong of [
      { url: '' },
      { url: 'ftp://x' },
      { url: 'http:// ' },
      { secret: '' },
      { header: 'a b' },
    ]) {
      const start = () => webhook.setupPlugin({ config: { ...CONFIG, ...wrong } })
      t.throws(start, JSON.stringify(wrong))
    }
    t.end()
  })
})

t.test('every example can be installed and tried', (t) => {
  for (const name of ['currency-normalizer', 'webhook-exporter']) {
    const read = (file: string) =>
      readFileSync(join(packageRoot, 'examples/plugins', name, file), 'utf8')
    const manifest = parseManifest(read('plugin.json'))
    t.ok(manifest.ok && manifest.value.name !== undefined, `${name}: plugin.json`)
    const events: unknown = JSON.parse(read('events.json'))
    t.ok(Array.isArray(events) && events.length > 0, `${name}: events.json`)
    t.match(read('README.md'), /sluice plugin test[\s\S]*sluice plugin install/)
  }
  t.end()
})
