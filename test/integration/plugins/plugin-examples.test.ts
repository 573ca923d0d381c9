/** The plugins of `examples/`, installed by the command line and run by a server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { startFakeHttpServer } from '../../support/http/fake-http-server.ts'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'
import { until } from '../../support/until.ts'

const FETCH = { PLUGIN_FETCH: 'on', PLUGIN_FETCH_PRIVATE: '127.0.0.0/8' }

async function install(t: Test, product: Product, name: string, settings: object): Promise<number> {
  const config = join(t.testdir({}), 'settings.json')
  writeFileSync(config, JSON.stringify(settings))
  const folder = join(packageRoot, 'examples', 'plugins', name)
  const at = ['--url', product.url, '--organization', '@current', '--project', '1', '--enable']
  const { status, stdout, stderr } = await runCommand(
    ['plugin', 'install', folder, ...at, '--config', config, '--json'],
    { SLUICE_API_KEY: product.personalKey },
  )
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return JSON.parse(stdout.toString()).config
}

function users({ url, personalKey: key, projectKey }: Product) {
  const get = async (path: string) => {
    const { status, body } = await request(`${url}/api/projects/1/${path}`, { key })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body as { results: Record<string, string>[] }
  }
  const capture = async (event: string, properties: object) => {
    const body = { api_key: projectKey, event, distinct_id: 'ann', properties }
    const { status } = await answered(`${url}/capture/`, { body })
    if (status !== 200) throw new Error(`${event}: ${status}`)
  }
  const stored = async (event: string): Promise<Record<string, unknown>> => {
    const { results } = await get(`events/?event=${encodeURIComponent(event)}`)
    return JSON.parse(results[0]?.['properties'] ?? '{}')
  }
  const logged = async (config: number) => {
    const { results } = await get(`plugin_configs/${config}/logs/`)
    return results.map(({ source, type, message }) => `${source}/${type} ${message}`)
  }
  return { capture, stored, logged }
}

const world = startStandalone(t, FETCH)

t.test('amounts of events are in one currency, by rates that a job has fetched', async (t) => {
  const known = {
    status: 200,
    body: JSON.stringify({ base: 'EUR', rates: { USD: 1.25, GBP: 0.5 } }),
  }
  let isOpen = false
  const rates = await startFakeHttpServer(() => (isOpen ? known : { status: 503, body: '' }))
  t.teardown(() => rates.close())
  const product = await world
  const { capture, stored, logged } = users(product)
  const settings = { ratesUrl: `${rates.url}/latest` }
  const config = await install(t, product, 'currency-normalizer', settings)
  let count = 0
  await until('events have been seen by it', async () => {
    count += 1
    await capture(`early ${count}`, { $revenue: 8, $currency: 'GBP' })
    const { currency_not_normalized: flag } = await stored(`early ${count}`)
    return flag === 'no rates yet'
  })
  await until('the job has been refused', () => rates.seen.length > 0)
  isOpen = true
  await until('the job has been called again, and has the rates', async () => {
    return (await logged(config)).some((entry) => entry.endsWith('2 rates of EUR fetched'))
  })
  t.ok(rates.seen.length >= 2)
  await capture('paid', { $revenue: 8, $currency: 'GBP' })
  t.match(await stored('paid'), { $revenue: 8, normalized_revenue: 20, normalized_currency: 'USD' })
})

t.test('stored events come to a webhook, once it takes them', async (t) => {
  const webhook = await startFakeHttpServer((_request, at) => {
    return at === 0 ? { status: 503, body: 'busy' } : { status: 204, body: '' }
  })
  t.teardown(() => webhook.close())
  const product = await world
  const { capture, stored } = users(product)
  const settings = { url: `${webhook.url}/in`, secret: 'sesame', exportEventsBufferSeconds: '1' }
  const config = await install(t, product, 'webhook-exporter', settings)
  let count = 0
  await until('it has the events', async () => {
    count += 1
    await capture(`event ${count}`, { count })
    const { $plugins_deferred: deferred } = await stored(`event ${count}`)
    return Array.isArray(deferred) && deferred[0] === `Webhook exporter (${config})`
  })
  await until('a batch has been taken', () => webhook.seen.length >= 2)
  const [refused, taken] = webhook.seen
  t.same(refused?.body, taken?.body, 'the same batch came again')
  t.equal(taken?.headers['x-webhook-token'], 'sesame')
  const { events } = JSON.parse(taken?.body.toString() ?? '{}')
  t.match(events, [{ event: /^event \d+$/, distinct_id: 'ann', properties: { count: Number } }])
})
