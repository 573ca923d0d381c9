/** Limits of one project, over HTTP. */
import t from 'tap'
import { createContractClient } from '../../support/api/contract-client.ts'
import { startWire } from '../../support/ingest/wire.ts'
import { request } from '../../support/servers/product.ts'
import { clearOfMidnight } from '../../support/until.ts'

t.test('a project over its limits is refused, and counted', async (t) => {
  const wire = await startWire(t, {
    // A second is too short for the test to see one of these come back.
    ...{ CAPTURE_EVENTS_PER_S: '1', CAPTURE_EVENTS_BURST: '500' },
    ...{ DECIDE_REQUESTS_PER_S: '1', DECIDE_REQUESTS_BURST: '3' },
  })
  const { product, projectKey: api_key } = wire
  const batch = (count: number, text = '') =>
    JSON.stringify({
      api_key,
      batch: Array.from({ length: count }, () => ({
        event: 'limited',
        distinct_id: 'd',
        properties: { text },
      })),
    })
  t.match(await wire.send('/batch/', batch(450)), { status: 200 })
  t.match(await wire.send('/batch/', batch(700, 'x'.repeat(300))), { status: 200 }, 'a large body')
  const throttled = {
    status: 429,
    headers: { 'retry-after': /^\d+$/, 'access-control-allow-origin': 'https://shop.test' },
    body: { type: 'throttled_error', code: 'throttled' },
  }
  const origin = { origin: 'https://shop.test' }
  for (const path of ['/capture/', '/e/', '/track/']) {
    t.match(await wire.send(path, batch(1), origin), throttled, path)
  }
  const large = await wire.send('/batch/', batch(700, 'x'.repeat(300)), origin)
  t.match(large, throttled, 'a large body')
  const wait = large.headers['retry-after']
  const { detail } = large.body as { detail: string }
  t.equal(detail, `Request was throttled. Expected available in ${wait} seconds.`)

  const question = JSON.stringify({ api_key, distinct_id: 'd' })
  for (let at = 0; at < 3; at++) {
    t.match(
      await wire.send('/decide/?v=3', question),
      { status: 200 },
      'questions apart from events',
    )
  }
  // One may come back meanwhile, on a machine that takes a second for a few of them.
  const over = async (path: string, body: string, headers: Record<string, string>) => {
    let reply = await wire.send(path, body, headers)
    while (reply.status === 200) reply = await wire.send(path, body, headers)
    return reply
  }
  t.match(await over('/flags/?v=2', question, origin), throttled)
  const authorization = `Bearer ${api_key}`
  const context = JSON.stringify({ context: { targetingKey: 'd' } })
  const ofrep = await over('/ofrep/v1/evaluate/flags', context, { authorization })
  t.match(ofrep, { status: 429, headers: { 'retry-after': /^\d+$/ } })

  const client = createContractClient(`127.0.0.1:${product.process.ports.grpc}`)
  t.teardown(() => client.close())
  const metadata = { authorization }
  const event = { event: 'limited', distinct_id: 'd' }
  const calls: [string, object][] = [
    ['/sluice.v1.IngestService/Capture', event],
    ['/sluice.v1.IngestService/CaptureBatch', { batch: [event] }],
  ]
  for (const [path, message] of calls) {
    const refused = await client.call(path, message, { metadata })
    t.match(refused, { status: 8, detail: { code: 'throttled', http_status: 429 } }, path)
    t.ok(refused.kind === 'failure' && Number(refused.detail?.retry_after_s) > 0, path)
  }
  const decide = () =>
    client.call('/sluice.v1.DecideService/Decide', { distinct_id: 'd' }, { metadata })
  let decided = await decide()
  while (decided.kind === 'message') decided = await decide()
  t.match(decided, { status: 8, detail: { code: 'throttled' } })
  const stranger = await client.call('/sluice.v1.IngestService/Capture', event, {})
  t.match(stranger, { status: 16 })

  const metrics = await fetch(`http://127.0.0.1:${product.process.ports.admin}/metrics`)
  const text = await metrics.text()
  t.match(text, /^sluice_requests_limited_total\{work="capture",reason="rate"\} 6$/m)
  t.match(text, /^sluice_requests_limited_total\{work="decide",reason="rate"\} 3$/m)
  t.match(text, /^sluice_grpc_refused_total\{reason="caller"\} 1$/m)
  const { body } = await request(`${product.url}/api/projects/1/events/?event=limited&limit=1`, {
    key: product.personalKey,
  })
  t.match(body, { count: 1_150 }, 'nothing of a refused request is stored')
})

t.test('a quota of a day, and a project without limits', async (t) => {
  await clearOfMidnight()
  const wire = await startWire(t, { CAPTURE_EVENTS_PER_DAY: '2' })
  const event = JSON.stringify({ api_key: wire.projectKey, event: 'e', distinct_id: 'd' })
  for (let at = 0; at < 2; at++) t.match(await wire.send('/capture/', event), { status: 200 })
  t.match(await wire.send('/capture/', event), { status: 429, body: { code: 'throttled' } })

  const free = await startWire(t, { CAPTURE_EVENTS_PER_DAY: '1', UNLIMITED_PROJECTS: '7,1' })
  const own = JSON.stringify({ api_key: free.projectKey, event: 'e', distinct_id: 'd' })
  for (let at = 0; at < 3; at++) t.match(await free.send('/capture/', own), { status: 200 })
})
