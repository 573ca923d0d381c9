import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runTrial, type TrialCommandOptions } from '../../../../src/cli/plugin/plugin-test.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { startFakeHttpServer } from '../../../support/http/fake-http-server.ts'

/** The examples, in the sandbox. */

type Call = {
  readonly call: string
  readonly outcome: string
  readonly error: string | null
  readonly logs: readonly { readonly type: string; readonly message: string }[]
  readonly after?: { readonly properties: Readonly<Record<string, unknown>> } | null
}
type Trial = { readonly calls: readonly Call[]; readonly failed: number }

async function tryOut(t: Test, name: string, settings: object, options: TrialCommandOptions = {}) {
  const config = join(t.testdir({}), 'config.json')
  writeFileSync(config, JSON.stringify(settings))
  const path = join(packageRoot, 'examples/plugins', name)
  const { text, failed } = await runTrial(path, { config, json: true, ...options })
  const trial: Trial = JSON.parse(text)
  t.equal(trial.failed, failed)
  return trial
}

async function startServer(t: Test, status: number, body = '{}') {
  const server = await startFakeHttpServer(() => ({ status, body }))
  t.teardown(() => server.close())
  return server
}

const RATES = JSON.stringify({ base: 'EUR', rates: { USD: 1.2, GBP: 0.8 } })

t.test('the currency normalizer fetches rates by its job, and converts by them', async (t) => {
  const { url, seen } = await startServer(t, 200, RATES)
  const settings = { ratesUrl: `${url}/latest` }
  const run = { fetch: true, run: ['runEveryHour'] }
  const { calls, failed } = await tryOut(t, 'currency-normalizer', settings, run)
  t.equal(failed, 0)
  t.same(
    calls.slice(0, 4).map(({ call }) => call),
    ['setupPlugin', 'job refreshRates', 'runEveryHour', 'job refreshRates'],
  )
  t.same(
    seen.map(({ method, path }) => `${method} ${path}`),
    ['GET /latest', 'GET /latest'],
  )
  const after = calls.slice(4).map((call) => call.after?.properties)
  t.match(after[0], { $revenue: 120, normalized_revenue: 144, normalized_currency: 'USD' })
  t.match(after[1], { revenue: '19.90', normalized_revenue: 29.85 })
  t.match(after[2], { amount: 8, normalized_amount: 8 })
  t.match(after[3], { $revenue: 5, currency_not_normalized: 'unknown currency' })
  t.notOk('currency_not_normalized' in (after[4] ?? {}))
})

t.test('without rates it asks for another call of its job, and flags the events', async (t) => {
  const settings = { ratesUrl: 'https://rates.example.com/' }
  const { calls, failed } = await tryOut(t, 'currency-normalizer', settings)
  t.equal(failed, 1)
  t.match(calls[1], {
    call: 'job refreshRates',
    outcome: 'failed',
    error: /^RetryError: .*--fetch/,
  })
  t.match(calls[2]?.after?.properties, { currency_not_normalized: 'no rates yet' })
})

t.test('the webhook exporter sends one batch with its token', async (t) => {
  const { url, seen } = await startServer(t, 200)
  const settings = { url, secret: 's3cret', exportEventsToIgnore: '$pageview' }
  const { calls, failed } = await tryOut(t, 'webhook-exporter', settings, { fetch: true })
  t.equal(failed, 0)
  t.match(calls[1], { call: 'exportEvents of 2', outcome: 'ok', logs: [] })
  t.match(seen, [{ method: 'POST', headers: { 'x-webhook-token': 's3cret' } }])
  t.match(JSON.parse(String(seen[0]?.body)), {
    events: [{ event: 'signed up', properties: { plan: 'free' } }, { event: 'order completed' }],
  })
})

t.test('it drops what is refused, and asks again while the receiver is busy', async (t) => {
  const refusing = await startServer(t, 403)
  const options = { fetch: true }
  const refused = await tryOut(t, 'webhook-exporter', { url: refusing.url, secret: 'x' }, options)
  t.match(refused.calls[1], {
    outcome: 'ok',
    logs: [{ type: 'ERROR', message: '3 events dropped: the receiver answered 403' }],
  })
  const busy = await startServer(t, 503)
  const { calls } = await tryOut(t, 'webhook-exporter', { url: busy.url, secret: 'x' }, options)
  t.match(calls[1], { outcome: 'failed', error: /^RetryError: the receiver answered 503/ })
})

t.test('a set-up that fails is all there is', async (t) => {
  const { calls } = await tryOut(t, 'webhook-exporter', { url: 'http://127.0.0.1:1/' })
  t.match(calls, [{ call: 'setupPlugin', outcome: 'failed', error: /secret is missing/ }])
  t.equal(calls.length, 1)
})
