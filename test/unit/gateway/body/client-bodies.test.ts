/**
 * Bodies as the client libraries send them, from bytes to events: one row a family of versions, by
 * the table of real clients in the specification.
 */
import { gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import t from 'tap'
import { openInline, openQueryData } from '../../../../gateway/body/body-open.ts'
import { thirdPartyKeyOf } from '../../../../gateway/keys/token.ts'
import { type Dialect, parseEvents } from '../../../../src/events/parse-event.ts'

const NOW = Date.UTC(2024, 4, 1, 12)
const FORM_TYPE = 'application/x-www-form-urlencoded'
const POSTHOG: Dialect = { kind: 'posthog' }
const MIXPANEL: Dialect = { kind: 'mixpanel' }
const ENGAGE: Dialect = { kind: 'engage' }
const SEGMENT_BATCH: Dialect = { kind: 'segment', type: undefined }
const BASIC = `Basic ${Buffer.from('phc_1:').toString('base64')}`

type Sample = {
  dialect?: Dialect
  body?: string | Buffer
  method?: string
  type?: string
  encoding?: string
  query?: string
  authorization?: string
}

/** Token, and what is left of each event once it may be stored. */
function receive(sample: Sample) {
  const { dialect = POSTHOG, body = '', method = 'POST', type = '', encoding = '' } = sample
  const meta = {
    method,
    contentType: type,
    contentEncoding: encoding,
    query: sample.query ?? '',
    authorization: sample.authorization ?? '',
    thirdParty: thirdPartyKeyOf(dialect),
  }
  const opened = method === 'GET' ? openQueryData(meta) : openInline(Buffer.from(body), meta)
  if (opened === undefined || !opened.ok) throw new Error(JSON.stringify(opened))
  const { token, sentAt, payload } = opened.value
  const context = { projectId: 1, dialect, receivedAtMs: NOW, sentAt, ip: '', anonymizeIps: false }
  const parsed = parseEvents(payload, context, () => 'new')
  if (!parsed.ok) throw new Error(parsed.error.code)
  return {
    token: token.kind === 'candidate' ? token.token : token.reason,
    events: parsed.value.events.map((event) => ({
      ...event,
      properties: JSON.parse(event.properties),
    })),
  }
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const base64Form = (value: unknown) => new URLSearchParams({ data: base64(value) }).toString()
const lzForm = (value: unknown) =>
  new URLSearchParams({
    data: lzString.compressToBase64(JSON.stringify(value)),
    compression: 'lz64',
  }).toString()
const gzip = (value: unknown) => gzipSync(JSON.stringify(value))

const browserEvent = (fields: object = {}) => ({
  event: '$pageview',
  properties: { token: 'phc_1', distinct_id: 'u1', $browser: 'Zoë 🎉', $lib: 'web' },
  ...fields,
})
const serverEvent = {
  event: 'paid',
  distinct_id: 'u1',
  properties: { $lib: 'server', distinct_id: 'u1' },
  timestamp: '2024-05-01T11:00:00.000Z',
}
const envelope = (fields: object = {}) => ({ api_key: 'phc_1', batch: [serverEvent], ...fields })

t.test('browser libraries', async (t) => {
  const rows: [string, Sample, object][] = [
    [
      '1.0: one event as a form of base64',
      {
        body: base64Form(browserEvent({ timestamp: '2024-05-01T10:00:00Z' })),
        type: FORM_TYPE,
        query: `ip=1&_=${NOW - 3_600_000}`,
      },
      { event: '$pageview', timestamp: '2024-05-01T11:00:00.000000Z' },
    ],
    [
      '1.0: people.set on engage',
      {
        dialect: ENGAGE,
        body: base64Form({ $token: 'phc_1', $distinct_id: 'u1', $set: { email: 'a@b.c' } }),
        type: FORM_TYPE,
      },
      { event: '$identify', person: { set: '{"email":"a@b.c"}' } },
    ],
    [
      '1.12: an array with offsets as lz64',
      {
        body: lzForm([browserEvent({ offset: 1_500 })]),
        type: FORM_TYPE,
        query: `compression=lz64&ip=1&_=${NOW}`,
      },
      { timestamp: '2024-05-01T11:59:58.500000Z' },
    ],
    [
      '1.13 to 1.200: gzip with a hint',
      {
        body: gzip([browserEvent({ offset: 500 })]),
        type: 'text/plain',
        query: `compression=gzip-js&ip=1&_=${NOW}&ver=1.57.2`,
      },
      { timestamp: '2024-05-01T11:59:59.500000Z' },
    ],
    [
      '1.449: an envelope as gzip without any hint',
      {
        body: gzip({ api_key: 'phc_1', batch: [browserEvent()], sent_at: '2024-05-01T12:00:00Z' }),
        type: 'text/plain',
      },
      { properties: { $sent_at: '2024-05-01T12:00:00.000Z' } },
    ],
    [
      '1.449: a beacon of base64',
      { body: base64Form([browserEvent()]), type: FORM_TYPE, query: 'compression=base64&beacon=1' },
      { event: '$pageview' },
    ],
    [
      'lite: an envelope as lz64',
      { body: lzForm(envelope()), type: FORM_TYPE, query: 'ip=1&_=1714564800000&v=2.5.0' },
      { event: 'paid' },
    ],
  ]
  for (const [name, sample, expected] of rows) {
    const { token, events } = receive(sample)
    t.equal(token, 'phc_1', name)
    t.match(events, [{ distinctId: 'u1', ...expected }], name)
  }
})

t.test('text of every script survives the way through a form', async (t) => {
  const [event] = receive({ body: base64Form(browserEvent()), type: FORM_TYPE }).events
  t.equal(event?.properties.$browser, 'Zoë 🎉')
  t.equal(JSON.parse(event?.person.setOnce ?? '').$initial_browser, 'Zoë 🎉')
})

t.test('server libraries', async (t) => {
  const json = { type: 'application/json' }
  const rows: [string, Sample, object][] = [
    ['node 1: envelope', { body: JSON.stringify(envelope()), ...json }, { event: 'paid' }],
    [
      'node 1: alias with a null id at the top',
      {
        body: JSON.stringify({
          api_key: 'phc_1',
          batch: [
            {
              event: '$create_alias',
              distinct_id: null,
              properties: { distinct_id: 'u1', alias: 'other' },
            },
          ],
        }),
        ...json,
      },
      { event: '$create_alias', person: { merge: { kind: 'alias', otherDistinctId: 'other' } } },
    ],
    [
      'node 5: gzip as Content-Encoding',
      { body: gzip(envelope({ sent_at: '2024-05-01T11:59:00.000Z' })), ...json, encoding: 'gzip' },
      { timestamp: '2024-05-01T11:01:00.000000Z' },
    ],
    [
      'python 1: sentAt is not read',
      { body: JSON.stringify(envelope({ sentAt: '2024-05-01T10:00:00+00:00' })), ...json },
      { timestamp: '2024-05-01T11:00:00.000000Z' },
    ],
    [
      'python: microseconds, NaN',
      {
        body:
          '{"api_key":"phc_1","batch":[{"event":"e","distinct_id":"u1","messageId":"m",' +
          '"timestamp":"2024-05-01T11:00:00.123456+00:00","properties":{"a":NaN},"context":{}}]}',
        ...json,
      },
      { timestamp: '2024-05-01T11:00:00.123456Z', properties: { a: null } },
    ],
    [
      'docs: one event',
      {
        body: JSON.stringify({
          api_key: 'phc_1',
          event: '$event',
          properties: { distinct_id: 'u1' },
          timestamp: '2020-08-16 09:03:11.913767',
        }),
        ...json,
      },
      { timestamp: '2020-08-16T09:03:11.913767Z' },
    ],
  ]
  for (const [name, sample, expected] of rows) {
    const { token, events } = receive(sample)
    t.equal(token, 'phc_1', name)
    t.match(events, [{ distinctId: 'u1', ...expected }], name)
  }
})

t.test('Mixpanel libraries', async (t) => {
  const properties = { token: 'phc_1', distinct_id: 'u1', time: 1_714_557_600, mp_lib: 'node' }
  const track = { event: 'paid', properties }
  const expected = { event: 'paid', timestamp: '2024-05-01T10:00:00.000000Z' }
  const rows: [string, Sample, object][] = [
    [
      'node: one event as GET',
      { dialect: MIXPANEL, method: 'GET', query: `ip=0&verbose=0&data=${base64(track)}` },
      expected,
    ],
    [
      'node: a batch, not url-encoded',
      {
        dialect: MIXPANEL,
        body: `data=${base64([track])}`,
        type: FORM_TYPE,
        query: 'ip=0&verbose=0',
      },
      expected,
    ],
    [
      'browser: a form of JSON',
      {
        dialect: MIXPANEL,
        body: new URLSearchParams({ data: JSON.stringify([track]) }).toString(),
        type: FORM_TYPE,
        query: 'verbose=1&ip=1',
      },
      expected,
    ],
    [
      'browser: a form as a beacon of plain text',
      { dialect: MIXPANEL, body: base64Form([track]), type: 'text/plain;charset=UTF-8' },
      expected,
    ],
    [
      'people: engage',
      {
        dialect: ENGAGE,
        body: base64Form([{ $token: 'phc_1', $distinct_id: 'u1', $unset: ['a'], $add: { n: 1 } }]),
        type: FORM_TYPE,
      },
      { event: '$identify', person: { unset: ['a'] } },
    ],
  ]
  for (const [name, sample, expected] of rows) {
    const { token, events } = receive(sample)
    t.equal(token, 'phc_1', name)
    t.match(events, [{ distinctId: 'u1', ...expected }], name)
  }
})

t.test('Segment and RudderStack libraries', async (t) => {
  const track = {
    type: 'track',
    event: 'Paid',
    userId: 'u1',
    anonymousId: 'a1',
    messageId: '0190a5f2-0000-7000-8000-00000000000a',
    timestamp: '2024-05-01T10:00:00.000Z',
    properties: { total: 5 },
    context: { library: { name: 'analytics-node' } },
  }
  const sentAt = '2024-05-01T12:00:00.000Z'
  const rows: [string, Sample][] = [
    ['Basic user name', { body: JSON.stringify({ batch: [track], sentAt }), authorization: BASIC }],
    ['gzip', { body: gzip({ batch: [track], sentAt }), encoding: 'gzip', authorization: BASIC }],
    [
      'gzip, called a form',
      {
        type: FORM_TYPE,
        body: gzip({ batch: [track], sentAt }),
        encoding: 'gzip',
        authorization: BASIC,
      },
    ],
    ['writeKey', { body: JSON.stringify({ batch: [track], writeKey: 'phc_1', sentAt }) }],
    [
      'one event of a typed route',
      {
        dialect: { kind: 'segment', type: 'track' },
        body: JSON.stringify({ ...track, type: undefined }),
        authorization: BASIC,
      },
    ],
  ]
  for (const [name, sample] of rows) {
    const { token, events } = receive({
      dialect: SEGMENT_BATCH,
      type: 'application/json',
      ...sample,
    })
    t.equal(token, 'phc_1', name)
    t.match(
      events,
      [
        {
          uuid: track.messageId,
          event: 'Paid',
          distinctId: 'u1',
          timestamp: '2024-05-01T10:00:00.000000Z',
          properties: { total: 5 },
        },
      ],
      name,
    )
  }
})
