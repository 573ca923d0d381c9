/** Requests of the libraries of servers, byte by byte, by the specification's table of clients. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { formOf, startWire } from '../../support/ingest/wire.ts'
import { answered } from '../../support/servers/product.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const HOUR_MS = 3_600_000
const AT = '2024-05-01T11:00:00.000Z'
const UUID = '0190a5f2-0000-7000-8000-000000000001'

t.test('libraries of servers', async (t) => {
  const wire = await startWire(t)
  const { send, stored, personsOf, projectKey, product } = wire
  const asJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, JSON.stringify(body), { ...JSON_BODY, ...headers })
  const nodeEvent = (version: string, id: string, more: object = {}) => ({
    distinct_id: id,
    event: 'paid',
    properties: { total: 12.5, $lib: 'posthog-node', $lib_version: version },
    type: 'capture',
    library: 'posthog-node',
    library_version: version,
    timestamp: AT,
    ...more,
  })

  t.test('posthog-node 1.0.7: an envelope without sent_at', async (t) => {
    const headers = {
      'user-agent': 'posthog-node/1.0.7',
      accept: 'application/json, text/plain, */*',
    }
    const envelope = { api_key: projectKey, batch: [nodeEvent('1.0.7', 'node 1.0')] }
    t.match(await asJson('/batch/', envelope, headers), { status: 200, body: { status: 1 } })
    const [found] = await stored('node 1.0')
    t.match(found, { event: 'paid', properties: { total: 12.5, $lib_version: '1.0.7' } })
    t.equal(Date.parse(found?.timestamp ?? ''), Date.parse(AT), 'without sent_at as it was sent')
    for (const name of ['type', 'library', 'library_version']) {
      t.notOk(name in (found?.properties ?? {}), name)
    }
  })

  t.test('posthog-node 1.0.7: an alias has its id among the properties', async (t) => {
    const alias = nodeEvent('1.0.7', '', {
      event: '$create_alias',
      distinct_id: null,
      properties: { distinct_id: 'node 1.0', alias: 'node 1.0 alias' },
    })
    t.equal((await asJson('/batch/', { api_key: projectKey, batch: [alias] })).status, 200)
    const [one, other] = await personsOf(['node 1.0', 'node 1.0 alias'])
    t.match(one, { is_identified: true })
    t.strictSame(one, other)
  })

  t.test(
    'posthog-node 1.3.0: decide of the first version, on whose list it searches',
    async (t) => {
      const question = { groups: {}, distinct_id: 'node 1.3', token: projectKey }
      const { body } = await asJson('/decide/', question)
      t.strictSame((body as { featureFlags: unknown }).featureFlags, [])
    },
  )

  t.test('posthog-node 2.2.3: as before, and decide of the second version', async (t) => {
    const envelope = { api_key: projectKey, batch: [nodeEvent('2.2.3', 'node 2.2')] }
    t.equal((await asJson('/batch/', envelope)).status, 200)
    t.equal((await stored('node 2.2')).length, 1)
    const question = { token: projectKey, distinct_id: 'node 2.2', groups: {} }
    t.match((await asJson('/decide/?v=2', question)).body, { featureFlags: {} })
  })

  t.test(
    'posthog-node 2.6 to 4.0: a batch sent again after a time-out is not doubled',
    async (t) => {
      const properties = { $lib: 'posthog-node', $lib_version: '3.6.3', $geoip_disable: true }
      const item = nodeEvent('3.6.3', 'node 3.6', { uuid: UUID, properties })
      const sent_at = new Date().toISOString()
      const envelope = { api_key: projectKey, batch: [item], sent_at }
      for (let attempt = 0; attempt < 2; attempt++) {
        t.equal((await asJson('/batch/', envelope)).status, 200)
      }
      t.match(await stored('node 3.6'), [{ id: UUID, properties: { $geoip_disable: true } }])
      t.equal((await stored('node 3.6')).length, 1)
      const question = { token: projectKey, distinct_id: 'node 3.6', geoip_disable: true }
      t.match((await asJson('/decide/?v=3', question)).body, { featureFlagPayloads: {} })
    },
  )

  t.test('posthog-node 4.18: flags of both routes', async (t) => {
    const question = {
      token: projectKey,
      distinct_id: 'node 4.18',
      groups: {},
      person_properties: { distinct_id: 'node 4.18' },
      group_properties: {},
      geoip_disable: true,
      flag_keys_to_evaluate: ['one'],
    }
    for (const path of ['/flags/?v=2', '/decide/?v=4', '/flags/?v=2&config=true']) {
      const reply = await asJson(path, question)
      t.match(reply, { status: 200, body: { flags: {}, errorsWhileComputingFlags: false } }, path)
    }
  })

  t.test('posthog-node 5: gzip named by Content-Encoding', async (t) => {
    const sent_at = new Date(Date.now() + HOUR_MS).toISOString()
    const batch = [nodeEvent('5.8.0', 'node 5', { timestamp: sent_at })]
    const body = gzipSync(JSON.stringify({ api_key: projectKey, batch, sent_at }))
    const headers = { ...JSON_BODY, 'content-encoding': 'gzip' }
    t.match(await send('/batch/', body, headers), { status: 200, body: { status: 1 } })
    const [found] = await stored('node 5')
    t.equal(found?.properties['$sent_at'], sent_at)
    const ahead = Date.parse(found?.timestamp ?? '') - Date.now()
    t.ok(ahead < HOUR_MS / 2, `${ahead} ms ahead: the clock is corrected`)
  })

  t.test('posthog-node 5.70: flags for a server', async (t) => {
    const question = { token: projectKey, distinct_id: 'n', evaluation_runtime: 'server' }
    t.match((await asJson('/flags/?v=2', question)).body, { flags: {}, requestId: String })
  })

  t.test('posthog-python 1: sentAt and messageId mean nothing', async (t) => {
    const item =
      '{"timestamp": "2024-05-01T11:00:00.123456+00:00", "context": {"x": 1}, ' +
      '"distinct_id": "python 1", "event": "paid", "messageId": "m-1", ' +
      '"properties": {"$lib": "posthog-python", "$lib_version": "1.4.9", "ratio": NaN}}'
    const text =
      `{"batch": [${item}], "sentAt": "2020-01-01T00:00:00.5+00:00", ` +
      `"api_key": "${projectKey}"}`
    const reply = await send('/batch/', text, {
      ...JSON_BODY,
      'user-agent': 'posthog-python/1.4.9',
    })
    t.equal(reply.status, 200)
    const gzip = { ...JSON_BODY, 'content-encoding': 'gzip' }
    t.equal((await send('/batch/', gzipSync(text), gzip)).status, 200)
    const found = await stored('python 1')
    t.equal(found.length, 2, 'a message id is no uuid')
    for (const each of found) {
      t.equal(each.timestamp, '2024-05-01T11:00:00.123456+00:00')
      t.equal(each.properties['ratio'], null)
      for (const name of ['context', 'messageId', 'sentAt', '$sent_at']) {
        t.notOk(name in each.properties, name)
      }
    }
  })

  t.test('posthog-python 1.4 to 7: flags of every version', async (t) => {
    const question = {
      distinct_id: 'python',
      groups: {},
      person_properties: {},
      group_properties: {},
      geoip_disable: true,
      token: projectKey,
      sentAt: '2024-05-01T11:00:00+00:00',
    }
    const rows: [string, object][] = [
      ['/decide/', { featureFlags: [] }],
      ['/decide/?v=2', { featureFlags: {} }],
      ['/decide/?v=3', { featureFlags: {}, featureFlagPayloads: {} }],
      ['/decide/?v=4', { flags: {} }],
      ['/flags/?v=2', { flags: {} }],
    ]
    for (const [path, expected] of rows) {
      t.match(await asJson(path, question), { status: 200, body: expected }, path)
    }
  })

  t.test('posthog-python 7.42: sent_at corrects a clock that is late', async (t) => {
    const sentAt = new Date(Date.now() - 48 * HOUR_MS).toISOString().replace('Z', '+00:00')
    const item = {
      properties: { $lib: 'posthog-python', $geoip_disable: true },
      timestamp: sentAt,
      event: 'paid',
      distinct_id: 'python 7',
      uuid: '0190A5F2-0000-7000-8000-000000000002',
    }
    const envelope = { batch: [item], sent_at: sentAt, api_key: projectKey }
    t.equal((await asJson('/batch/', envelope)).status, 200)
    const [found] = await stored('python 7')
    t.equal(found?.id, '0190a5f2-0000-7000-8000-000000000002')
    t.ok(Math.abs(Date.parse(found?.timestamp ?? '') - Date.now()) < HOUR_MS)
  })

  t.test('the samples of the documentation: single events, on batch too', async (t) => {
    for (const path of ['/capture/', '/batch/']) {
      const event = {
        api_key: projectKey,
        event: '[event name]',
        properties: { distinct_id: `docs ${path}`, key1: 'value1' },
        timestamp: '2020-08-16 09:03:11.913767',
      }
      t.match(await asJson(path, event), { status: 200, body: { status: 1 } })
      t.match(await stored(`docs ${path}`), [{ timestamp: '2020-08-16T09:03:11.913767+00:00' }])
    }
  })

  t.test('an import: historical_migration changes nothing that is stored', async (t) => {
    const envelope = {
      api_key: projectKey,
      historical_migration: true,
      batch: [nodeEvent('5', 'import'), { ...nodeEvent('5', 'import'), timestamp: '2015-01-01' }],
    }
    t.equal((await asJson('/batch/', envelope)).status, 200)
    const found = await stored('import')
    t.match(found, [{ timestamp: '2015-01-01T00:00:00+00:00' }, { event: 'paid' }])
    for (const each of found) t.notOk('historical_migration' in each.properties)
  })

  t.test('a personal key stands for a project wherever its id is', async (t) => {
    const { personalKey } = product
    const event = { event: 'personal', distinct_id: 'personal' }
    const inPayload = { ...event, api_key: personalKey, project_id: 1 }
    t.equal((await asJson('/capture/', inPayload)).status, 200)
    t.equal(
      (await asJson('/batch/', { ...inPayload, project_id: '1', batch: [event] })).status,
      200,
    )
    t.equal((await asJson('/e/?project_id=1', { ...event, api_key: personalKey })).status, 200)
    const fields = { data: JSON.stringify(event), api_key: personalKey, project_id: '1' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    t.equal((await send('/e/', formOf(fields), form)).status, 200)
    t.equal((await stored('personal')).length, 4)
    const flags = { distinct_id: 'personal', token: personalKey, project_id: 1 }
    t.equal((await asJson('/decide/', flags)).status, 200)
    const refusals: [object, number, string][] = [
      [{ api_key: personalKey, project_id: 'one' }, 400, 'invalid_project'],
      [{ api_key: personalKey, project_id: 1.5 }, 400, 'invalid_project'],
      [{ api_key: personalKey, project_id: 999 }, 401, 'invalid_personal_api_key'],
      [{ api_key: 'phx_unknown', project_id: 1 }, 401, 'invalid_personal_api_key'],
      [{ api_key: 'unknown', project_id: 1 }, 401, 'invalid_personal_api_key'],
      [{ api_key: 'unknown', project_id: 'one' }, 400, 'invalid_project'],
      [{ api_key: 'phx_unknown' }, 401, 'invalid_personal_api_key'],
    ]
    for (const [fields, status, code] of refusals) {
      const reply = await asJson('/capture/', { ...event, ...fields })
      t.match(reply, { status, body: { code } }, JSON.stringify(fields))
    }
    t.equal((await stored('personal')).length, 4)
  })

  t.test('a project key needs no id beside it, and none disturbs it', async (t) => {
    for (const project_id of [999, 'x', null]) {
      const event = { api_key: projectKey, project_id, event: 'e', distinct_id: 'own key' }
      t.equal((await answered(`${product.url}/capture/`, { body: event })).status, 200)
    }
    t.equal((await stored('own key')).length, 3)
  })
})
