/** Requests of the libraries of browsers, byte by byte, by the specification's table of clients. */
import { gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import t from 'tap'
import { base64, FORM_TYPE, formOf, startWire, type Wire } from '../../support/ingest/wire.ts'

const ORIGIN = 'https://app.example.com'
const FORM = { 'content-type': FORM_TYPE, origin: ORIGIN }
const TEXT = { 'content-type': 'text/plain', origin: ORIGIN }
const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

/** A client's clock that is a year late: the stored times tell whether it was corrected. */
const lateNow = () => Date.now() - YEAR_MS

function isNear(timestamp: string | undefined, ms: number): boolean {
  return Math.abs(Date.parse(timestamp ?? '') - ms) < HOUR_MS
}

/** An event of posthog-js, whose token and id are among the properties. */
function pageview(wire: Wire, id: string, more: object = {}) {
  const properties = { token: wire.projectKey, distinct_id: id, $lib: 'web', $browser: 'Zoë 🎉?>' }
  return { event: '$pageview', properties, ...more }
}

const lz = (value: unknown) => lzString.compressToBase64(JSON.stringify(value))
const gzip = (value: unknown) => gzipSync(JSON.stringify(value))

t.test('libraries of browsers', async (t) => {
  const wire = await startWire(t)
  const { send, stored, storedNamed, projectKey } = wire

  t.test('posthog-js 1.0.0: one event a request, as a form of base64', async (t) => {
    const sentAt = lateNow()
    const event = pageview(wire, 'js 1.0', { timestamp: new Date(sentAt - 5_000).toISOString() })
    const body = formOf({ data: base64(event) })
    const reply = await send(`/e/?ip=1&_=${sentAt}`, body, FORM)
    t.match(reply, {
      status: 200,
      text: '{"status":1}',
      headers: {
        'content-type': 'application/json',
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
      },
    })
    const [found] = await stored('js 1.0')
    t.match(found, { event: '$pageview', properties: { $browser: 'Zoë 🎉?>', $lib: 'web' } })
    t.ok(isNear(found?.timestamp, Date.now()))
  })

  t.test('posthog-js 1.0.0: people.set as a form of base64 on engage', async (t) => {
    const change = {
      $token: projectKey,
      $distinct_id: 'js people',
      $set: { email: 'p@example.com' },
    }
    const reply = await send('/engage/?ip=1&_=1', formOf({ data: base64(change) }), FORM)
    t.match(reply, { status: 200, body: { status: 1 } })
    const person = { properties: { email: 'p@example.com' } }
    t.match(await stored('js people'), [{ event: '$identify', person }])
  })

  t.test('posthog-js 1.0.0: decide as a form of base64', async (t) => {
    const body = formOf({ data: base64({ token: projectKey, distinct_id: 'js 1.0' }) })
    const reply = await send('/decide/?ip=1&_=1', body, FORM)
    t.match(reply, { status: 200, body: { featureFlags: [], isAuthenticated: false } })
  })

  t.test('posthog-js 1.12.2: batches of offsets as a form of lz-string', async (t) => {
    const sentAt = lateNow()
    const events = ['a', 'b'].map((name) => ({ ...pageview(wire, 'js 1.12'), event: name }))
    const offsets = events.map((event, at) => ({ ...event, offset: 4_000 - at * 1_000 }))
    const body = formOf({ data: lz(offsets), compression: 'lz64' })
    t.equal((await send(`/e/?compression=lz64&ip=1&_=${sentAt}`, body, FORM)).status, 200)
    const found = await stored('js 1.12')
    t.strictSame(
      found.map(({ event }) => event),
      ['a', 'b'],
    )
    t.ok(found.every(({ timestamp }) => isNear(timestamp, Date.now())))
    t.equal(found[0]?.properties['$browser'], 'Zoë 🎉?>')
  })

  t.test('posthog-js 1.12.2: gzip as plain text, named by the query', async (t) => {
    const body = gzip([pageview(wire, 'js 1.12 gzip', { offset: 10 })])
    t.equal((await send('/e/?compression=gzip-js&ip=1&_=1', body, TEXT)).status, 200)
    t.match(await stored('js 1.12 gzip'), [{ properties: { $browser: 'Zoë 🎉?>' } }])
  })

  t.test('posthog-js 1.12.2 and 1.13.12: what their decide needs', async (t) => {
    const body = formOf({ data: base64({ token: projectKey, distinct_id: 'js' }) })
    const first = await send('/decide/?ip=1&_=1', body, FORM)
    const second = await send('/decide/?v=2&ip=1&_=1', body, FORM)
    t.match(first.body, { config: { enable_collect_everything: true }, featureFlags: [] })
    t.match(first.body, { supportedCompression: ['gzip', 'lz64'] })
    t.match(second.body, { featureFlags: {}, editorParams: {}, isAuthenticated: false })
    t.notOk(Array.isArray((second.body as { featureFlags: unknown }).featureFlags))
  })

  t.test('posthog-js 1.13.12: a beacon of the same bodies, which sends cookies', async (t) => {
    const body = formOf({ data: base64([pageview(wire, 'js beacon', { offset: 3 })]) })
    const headers = { ...FORM, cookie: 'a=b', referer: `${ORIGIN}/x` }
    t.equal((await send('/e/?ip=1&_=1', body, headers)).status, 200)
    t.equal((await stored('js beacon')).length, 1)
  })

  t.test('posthog-js 1.50.0: single events as an object, with its version', async (t) => {
    const at = new Date().toISOString()
    const body = formOf({ data: base64(pageview(wire, 'js 1.50', { timestamp: at })) })
    t.equal((await send('/e/?ip=1&_=1&ver=1.50.0', body, FORM)).status, 200)
    t.equal((await stored('js 1.50')).length, 1)
  })

  t.test('posthog-js 1.50.0: decide with groups and the anonymous id', async (t) => {
    const question = {
      token: projectKey,
      distinct_id: 'js 1.50',
      groups: { company: 'acme' },
      $anon_distinct_id: 'anon',
    }
    const body = formOf({ data: base64(question) })
    const reply = await send('/decide/?v=3&ip=1&_=1&ver=1.50.0', body, FORM)
    t.match(reply.body, {
      featureFlags: {},
      featureFlagPayloads: {},
      errorsWhileComputingFlags: false,
      toolbarParams: {},
      siteApps: [],
    })
  })

  t.test('posthog-js 1.100.0: a retried request says how often', async (t) => {
    const body = gzip([pageview(wire, 'js 1.100')])
    const query = 'compression=gzip-js&ip=1&_=1&ver=1.100.0&retry_count=2'
    t.equal((await send(`/e/?${query}`, body, TEXT)).status, 200)
    t.equal((await stored('js 1.100')).length, 1)
    const form = formOf({ data: base64(pageview(wire, 'js 1.100 form')) })
    t.equal((await send('/e/?ip=1&_=1&ver=1.100.0', form, FORM)).status, 200)
    t.equal((await stored('js 1.100 form')).length, 1)
  })

  t.test('posthog-js 1.200.0: JSON before it knows a compression, and beacons', async (t) => {
    const json = { ...TEXT, 'content-type': 'application/json' }
    const at = Date.now()
    const plain = JSON.stringify([pageview(wire, 'js 1.200', { uuid: uuid(1), offset: 1 })])
    t.equal((await send(`/e/?_=${at}&ver=1.200.0`, plain, json)).status, 200)
    const beacon = gzip([pageview(wire, 'js 1.200', { uuid: uuid(2), offset: 0 })])
    const query = `_=${at}&ver=1.200.0&compression=gzip-js&beacon=1`
    t.equal((await send(`/e/?${query}`, beacon, TEXT)).status, 200)
    const ids = (await stored('js 1.200')).map(({ id }) => id)
    t.strictSame(ids.sort(), [uuid(1), uuid(2)])
  })

  t.test('posthog-js 1.200.0 and 1.257.2: flags as a form of base64', async (t) => {
    const body = formOf({ data: base64({ token: projectKey, distinct_id: 'js' }) })
    const decide = await send('/decide/?v=3&ip=1&_=1&ver=1.200.0&compression=base64', body, FORM)
    t.match(decide.body, { featureFlags: {}, autocapture_opt_out: false, surveys: false })
    const query = 'v=2&config=true&ip=1&_=1&ver=1.257.2&compression=base64'
    const flags = await send(`/flags/?${query}`, body, FORM)
    t.match(flags.body, { flags: {}, requestId: String, supportedCompression: Array })
  })

  t.test('posthog-js 1.449.2: an envelope as gzip without any hint', async (t) => {
    const sentAt = new Date(lateNow())
    const timestamp = new Date(sentAt.getTime() - 1_000).toISOString()
    const batch = [pageview(wire, 'js 1.449', { uuid: uuid(3), timestamp })]
    const body = gzip({ api_key: projectKey, batch, sent_at: sentAt.toISOString() })
    t.equal((await send('/e/?ver=1.449.2&ip=0', body, TEXT)).status, 200)
    const [found] = await stored('js 1.449')
    t.match(found, { id: uuid(3), properties: { $sent_at: sentAt.toISOString() } })
    t.ok(isNear(found?.timestamp, Date.now()))
  })

  t.test('posthog-js 1.449.2: a beacon without gzip', async (t) => {
    const envelope = { api_key: projectKey, batch: [pageview(wire, 'js 1.449 beacon')] }
    const body = formOf({ data: base64(envelope) })
    const reply = await send('/e/?compression=base64&ver=1.449.2&beacon=1', body, FORM)
    t.match(reply, { status: 200, body: { status: 1 } })
    t.equal((await stored('js 1.449 beacon')).length, 1)
  })

  t.test('posthog-js 1.449.2: sent_at in each item, and in the query of a POST', async (t) => {
    const sent_at = new Date(lateNow()).toISOString()
    const timestamp = sent_at
    const item = pageview(wire, 'js items', { timestamp, sent_at })
    t.equal((await send('/e/', JSON.stringify([item]), TEXT)).status, 200)
    const plain = JSON.stringify([pageview(wire, 'js items', { timestamp })])
    const query = `sent_at=${encodeURIComponent(sent_at)}`
    t.equal((await send(`/e/?${query}`, plain, TEXT)).status, 200)
    const found = await stored('js items')
    t.equal(found.length, 2)
    t.ok(found.every((event) => isNear(event.timestamp, Date.now())))
  })

  t.test('posthog-js 1.449.2: flags as JSON', async (t) => {
    const question = { token: projectKey, distinct_id: 'js', sent_at: new Date().toISOString() }
    const reply = await send('/flags/?v=2&ip=0', JSON.stringify(question), TEXT)
    t.match(reply, { status: 200, body: { flags: {}, errorsWhileComputingFlags: false } })
    t.notOk('config' in (reply.body as object))
  })

  t.test('posthog-js-lite 2.5: an envelope as a form of lz-string', async (t) => {
    const timestamp = '2024-05-01T11:00:00.000Z'
    const item = {
      distinct_id: 'lite',
      event: 'opened',
      library: 'posthog-js-lite',
      library_version: '2.5.0',
      properties: { $lib: 'posthog-js-lite', text: 'Zoë 🎉' },
      timestamp,
      type: 'capture',
    }
    const envelope = { api_key: projectKey, batch: [item] }
    const body = formOf({ data: lz(envelope), compression: 'lz64' })
    const reply = await send(`/e/?ip=1&_=${Date.now()}&v=2.5.0`, body, FORM)
    t.equal(reply.status, 200)
    const [found] = await stored('lite')
    t.match(found, { event: 'opened', properties: { text: 'Zoë 🎉' } })
    t.notOk('library' in (found?.properties ?? {}))
    const question = JSON.stringify({ token: projectKey, distinct_id: 'lite' })
    t.match((await send('/decide/?v=3', question, TEXT)).body, { featureFlags: {} })
  })

  t.test('keys of queries that mean nothing to us', async (t) => {
    const query = 'ip=0&_=x&ver=1.2.3&v=2&retry_count=3&beacon=1&compression=zstd&lib=web&verbose=1'
    for (const path of ['/e/', '/capture', '/batch/', '/i/v0/e/', '/track/', '/s/']) {
      const body = JSON.stringify({ ...pageview(wire, 'query'), event: `at ${path}` })
      t.equal((await send(`${path}?${query}`, body, TEXT)).status, 200, path)
      t.equal((await storedNamed(`at ${path}`)).length, 1, path)
    }
  })

  t.test('an undefined body of a broken beacon is refused', async (t) => {
    for (const query of ['', '?compression=gzip-js']) {
      const reply = await send(`/e/${query}`, 'undefined', TEXT)
      t.match(reply, { status: 400, body: { code: 'invalid_payload' } })
      t.equal(reply.headers['access-control-allow-origin'], ORIGIN, 'or the status stays hidden')
    }
  })
})

function uuid(at: number): string {
  return `0190a5f2-0000-7000-8000-${String(at).padStart(12, '0')}`
}
