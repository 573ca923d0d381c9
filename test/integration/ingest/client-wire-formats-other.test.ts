/** Requests of Mixpanel's, Segment's and RudderStack's libraries, byte by byte. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { base64, basicOf, FORM_TYPE, formOf, startWire } from '../../support/ingest/wire.ts'
import { request } from '../../support/servers/product.ts'

const FORM = { 'content-type': FORM_TYPE }
const TEXT = { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://app.example.com' }
const JSON_BODY = { 'content-type': 'application/json' }
const STORED = { status: 200, text: '{"status":1}' }
/** Its base64 has `+` and `/`, which forms and queries may spoil. */
const SPOILT = 'ûûûý~~~>>>???ÿÿÿ'

/** One product for the whole file: each test has distinct ids of its own. */
const shared = startWire(t)

t.test("Mixpanel's libraries", async (t) => {
  const wire = await shared
  const { send, stored, personsOf, projectKey, product } = wire
  const track = (id: string, more: object = {}) => {
    const time = 1_714_557_600
    return {
      event: 'Paid',
      properties: { token: projectKey, distinct_id: id, time, mp_lib: 'node', s: SPOILT, ...more },
    }
  }

  t.test('node: one event as the query of a GET', async (t) => {
    const data = base64(track('mp get'))
    t.match(data, /[+]/, 'else the row shows nothing')
    const query = (text: string) => `/track?ip=0&verbose=0&data=${text}`
    t.match(await send(query(encodeURIComponent(data))), STORED)
    t.match(await send(query(data)), STORED, 'nor is it always escaped')
    const found = await stored('mp get')
    t.equal(found.length, 2)
    for (const { event, timestamp, properties } of found) {
      t.match({ event, s: properties['s'] }, { event: 'Paid', s: SPOILT })
      t.equal(timestamp, '2024-05-01T10:00:00+00:00')
    }
    t.match(await send('/track?ip=0&verbose=0'), { status: 405 })
  })

  t.test('node: a batch whose base64 is not escaped', async (t) => {
    const data = base64([track('mp batch'), track('mp batch', { time: 1_714_557_601_500 })])
    t.match(data, /[+]/)
    t.match(await send('/track?ip=0&verbose=0', `data=${data}`, FORM), STORED)
    const found = await stored('mp batch')
    t.strictSame(
      found.map(({ timestamp }) => timestamp),
      ['2024-05-01T10:00:00+00:00', '2024-05-01T10:00:01.500000+00:00'],
    )
    t.ok(found.every(({ properties }) => properties['s'] === SPOILT))
  })

  t.test('node: people as the query of a GET', async (t) => {
    const change = {
      $token: projectKey,
      $distinct_id: 'mp people',
      $set: { email: 'people@example.com' },
      $set_once: { name: 'first' },
    }
    const send2 = (value: unknown) =>
      send(`/engage?ip=0&verbose=0&data=${encodeURIComponent(base64(value))}`)
    t.match(await send2(change), STORED)
    t.match(await send2({ ...change, $set: undefined, $set_once: { name: 'second' } }), STORED)
    const found = await stored('mp people')
    t.ok(found.every(({ event }) => event === '$identify'))
    const properties = { email: 'people@example.com', name: 'first' }
    t.match(found.at(-1)?.person, { properties })
  })

  t.test('people: what is not understood changes nothing, what is unset goes', async (t) => {
    const of = (change: object) => ({ $token: projectKey, $distinct_id: 'mp ops', ...change })
    const changes = [
      of({ $set: { email: 'ops@example.com', name: 'n' } }),
      of({ $add: { email: 5 }, $append: { name: 'x' }, $union: { name: ['y'] } }),
      of({ $remove: { name: 'n' }, $delete: '', $ignore_alias: false }),
      of({ $unset: ['name'] }),
    ]
    t.match(await send('/engage/?verbose=1', formOf({ data: base64(changes) }), FORM), STORED)
    const found = await stored('mp ops')
    t.equal(found.length, 4)
    t.strictSame(found.at(-1)?.person.properties, { email: 'ops@example.com' })
    for (const { properties } of found) t.notOk('$add' in properties || '$append' in properties)
  })

  t.test('browser: a form of base64, or of JSON, in an array', async (t) => {
    for (const data of [base64([track('mp web')]), JSON.stringify([track('mp web')])]) {
      const reply = await send('/track/?verbose=1&ip=1&_=1714557600000', formOf({ data }), FORM)
      t.match(reply, { ...STORED, body: { status: 1 } })
    }
    const found = await stored('mp web')
    t.ok(found.length === 2 && found.every(({ properties }) => properties['s'] === SPOILT))
  })

  t.test('browser: a beacon as plain text that is a form', async (t) => {
    const body = formOf({ data: base64([track('mp beacon')]) })
    t.match(await send('/track/?verbose=1&ip=1&_=1', body, TEXT), STORED)
    const people = [{ $token: projectKey, $distinct_id: 'mp beacon', $set: { email: 'b@e.com' } }]
    t.match(
      await send('/engage/?verbose=1', formOf({ data: JSON.stringify(people) }), TEXT),
      STORED,
    )
    const found = await stored('mp beacon')
    t.strictSame(found.map(({ event }) => event).sort(), ['$identify', 'Paid'])
  })

  t.test('browser: groups become groups', async (t) => {
    const of = (change: object) => ({
      $token: projectKey,
      $group_key: 'company',
      $group_id: 'acme',
      ...change,
    })
    const changes = [
      of({ $set: { tier: 'gold' } }),
      of({ $set_once: { tier: 'first' } }),
      of({ $union: { tier: ['x'] } }),
      of({ $remove: { tier: 'x' } }),
      of({ $delete: '' }),
      of({ $unset: ['nothing'] }),
      { ...of({ $set: { tier: 'lead' } }), $group_id: null },
      { ...of({ $set: { seats: 5 } }), $group_id: 7 },
    ]
    const body = formOf({ data: base64(changes) })
    t.match(await send('/groups/?verbose=1&ip=1&_=1', body, FORM), STORED)
    const acme = await stored('$company_acme')
    t.ok(acme.every(({ event }) => event === '$groupidentify'))
    t.strictSame(
      acme.map(({ properties }) => properties['$group_set']),
      [{ tier: 'gold' }],
      'updates that need what is there are left out',
    )
    t.equal((await stored('$company_7')).length, 1)
    const isGold = await flagOn(product, { key: 'tier', value: 'gold', type: 'group' })
    t.equal(await isGold('acme'), true)
    t.equal(await isGold('7'), false)
  })

  t.test('alias of old libraries is an ordinary event', async (t) => {
    const alias = { event: '$create_alias', properties: { token: projectKey, alias: 'mp new' } }
    const properties = { ...alias.properties, distinct_id: 'mp old' }
    const body = formOf({ data: base64({ ...alias, properties }) })
    t.match(await send('/track/', body, FORM), STORED)
    const [one, other] = await personsOf(['mp old', 'mp new'])
    t.match(one, { is_identified: true })
    t.strictSame(one, other)
  })

  t.test('a key that nobody has is refused', async (t) => {
    const properties = { token: 'nobody', distinct_id: 'u' }
    const body = formOf({ data: base64([{ event: 'e', properties }]) })
    for (const path of ['/track/', '/import/', '/engage/', '/groups/']) {
      t.match(
        await send(path, body, FORM),
        { status: 401, body: { code: 'invalid_api_key' } },
        path,
      )
    }
  })
})

t.test("Segment's and RudderStack's libraries", async (t) => {
  const wire = await shared
  const { send, stored, personsOf, projectKey } = wire
  const basic = basicOf(projectKey)
  const track = (id: string, more: object = {}) => ({
    type: 'track',
    event: 'Paid',
    userId: id,
    messageId: `node-${id}`,
    timestamp: '2024-05-01T10:00:00.000Z',
    properties: { total: 5 },
    context: { library: { name: 'analytics-node', version: '6.2.0' } },
    ...more,
  })
  const sentAt = '2024-05-01T12:00:00.000Z'

  t.test('rudder-sdk-node 1.1.4: JSON with Basic alone', async (t) => {
    const batch = [{ ...track('rudder 1'), originalTimestamp: '2024-05-01T10:00:00.000Z' }]
    for (const path of ['/v1/batch', '/v1/batch/']) {
      const reply = await send(path, JSON.stringify({ batch, sentAt }), { ...JSON_BODY, ...basic })
      t.match(reply, STORED, path)
    }
    const found = await stored('rudder 1')
    t.equal(found.length, 1, 'a message that is sent again is one event')
    t.match(found[0], { event: 'Paid', timestamp: '2024-05-01T10:00:00+00:00' })
    t.strictSame(found[0]?.properties, { total: 5, $ip: '127.0.0.1' })
  })

  t.test('rudder-sdk-node 3.0.13: gzip named by Content-Encoding', async (t) => {
    const body = gzipSync(JSON.stringify({ batch: [track('rudder 3')], sentAt }))
    const headers = { ...JSON_BODY, ...basic, 'content-encoding': 'gzip' }
    t.match(await send('/v1/batch', body, headers), STORED)
    t.equal((await stored('rudder 3')).length, 1)
  })

  t.test('analytics-node: a time of the envelope corrects nothing', async (t) => {
    const envelope = { batch: [track('segment 3')], timestamp: sentAt, sentAt }
    t.match(await send('/v1/batch', JSON.stringify(envelope), { ...JSON_BODY, ...basic }), STORED)
    t.match(await stored('segment 3'), [{ timestamp: '2024-05-01T10:00:00+00:00' }])
  })

  t.test('@segment/analytics-node: the key in the body, Basic empty or the same', async (t) => {
    const envelope = (id: string) =>
      JSON.stringify({ batch: [track(id)], writeKey: projectKey, sentAt })
    t.match(await send('/v1/batch', envelope('segment a'), JSON_BODY), STORED)
    t.match(await send('/v1/batch', envelope('segment b'), { ...JSON_BODY, ...basic }), STORED)
    t.equal((await stored('segment a')).length + (await stored('segment b')).length, 2)
  })

  t.test('libraries of browsers: the key in a body of plain text, short routes', async (t) => {
    const both = { anonymousId: 'seg anon', userId: 'seg web' }
    const rows: [string, object][] = [
      ['/v1/t', { event: 'Clicked' }],
      ['/v1/p', { name: 'Home', properties: { url: 'https://e.x/' } }],
      ['/v1/s', { name: 'Start' }],
      ['/v1/i', { traits: { email: 'web@example.com' } }],
      ['/v1/g', { groupId: 'acme', traits: { tier: 'gold' } }],
      ['/v1/a', { previousId: 'seg old' }],
      ['/v1/b', { batch: [track('seg web', { messageId: 'ajs-next-1' })] }],
    ]
    for (const [path, fields] of rows) {
      const body = JSON.stringify({ ...both, ...fields, writeKey: projectKey, sentAt })
      t.match(await send(path, body, TEXT), STORED, path)
      t.match(await send(`${path}/`, '{}', TEXT), { status: 400 }, path)
    }
    const found = await stored('seg web')
    t.strictSame(
      new Set(found.map(({ event }) => event)),
      new Set([
        'Clicked',
        '$pageview',
        '$screen',
        '$identify',
        '$groupidentify',
        '$create_alias',
        'Paid',
      ]),
    )
    const person = { is_identified: true, properties: { email: 'web@example.com' } }
    t.match(await personsOf(['seg web', 'seg anon', 'seg old']), [person, person, person])
  })

  t.test('a beacon: the key in the query', async (t) => {
    const path = `/v1/batch?writeKey=${projectKey}`
    const body = JSON.stringify({ batch: [track('beacon')], sentAt })
    t.match(await send(path, body, TEXT), STORED)
    t.equal((await stored('beacon')).length, 1)
  })

  t.test('each type of a batch becomes its event', async (t) => {
    const user = { userId: 'types', anonymousId: 'types anon', timestamp: sentAt }
    const batch = [
      { ...user, type: 'identify', traits: { email: 't@example.com' } },
      { ...user, type: 'page', name: 'Home', category: 'c', properties: { url: 'https://e.x/' } },
      { ...user, type: 'screen', name: 'Start' },
      { ...user, type: 'group', groupId: 'g1', traits: { tier: 'gold' } },
      { ...user, type: 'alias', previousId: 'types old' },
      { ...user, type: 'track', event: 'Done', context: { ip: '5.6.7.8', groupId: 'g1' } },
      { ...user, type: 'track', event: 'Own', properties: { $groups: { team: 'x' } } },
      { ...user, type: 'delete' },
    ]
    const body = JSON.stringify({ batch, sentAt })
    t.match(await send('/v1/batch', body, { ...JSON_BODY, ...basic }), STORED)
    const found = new Map((await stored('types')).map((each) => [each.event, each]))
    t.equal(found.size, 7)
    t.match(found.get('$pageview')?.properties, { name: 'Home', $current_url: 'https://e.x/' })
    t.match(found.get('$screen')?.properties, { $screen_name: 'Start' })
    t.match(found.get('$groupidentify')?.properties, {
      $group_type: 'group',
      $group_key: 'g1',
      $group_set: { tier: 'gold' },
    })
    t.match(found.get('Done')?.properties, { $ip: '5.6.7.8', $groups: { group: 'g1' } })
    t.strictSame(found.get('Own')?.properties['$groups'], { team: 'x' })
    t.match(found.get('$identify')?.person, { is_identified: true })
  })

  t.test('no key, or another scheme, is refused', async (t) => {
    const body = JSON.stringify({ batch: [track('nobody')], sentAt })
    const rows = [{}, { authorization: `Bearer ${projectKey}` }, basicOf('nobody'), basicOf('')]
    for (const headers of rows) {
      const reply = await send('/v1/batch', body, { ...JSON_BODY, ...headers })
      t.match(reply, { status: 401, body: { code: 'invalid_api_key' } })
    }
    t.strictSame(await stored('nobody'), [])
  })
})

type Condition = { readonly key: string; readonly value: unknown; readonly type: string }

/** Makes a flag of companies; the answer says whether it is on for one. */
async function flagOn(
  product: { url: string; projectKey: string; personalKey: string },
  condition: Condition,
): Promise<(company: string) => Promise<boolean>> {
  const properties = [{ ...condition, group_type_index: 0 }]
  const filters = { aggregation_group_type_index: 0, groups: [{ properties }] }
  const made = await request(`${product.url}/api/projects/1/feature_flags/`, {
    key: product.personalKey,
    body: { key: 'of-companies', filters },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return async (company) => {
    const body = { token: product.projectKey, distinct_id: 'u', groups: { company } }
    const answer = await request(`${product.url}/decide/?v=2`, { body })
    return 'of-companies' in (answer.body as { featureFlags: object }).featureFlags
  }
}
