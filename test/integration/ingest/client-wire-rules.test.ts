/** The rules of bodies, batches and fields, each by a request and what is stored of it. */
import { gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import t, { type Test } from 'tap'
import { FORM_TYPE, formOf, type Stored, startWire, type Wire } from '../../support/ingest/wire.ts'

const FORM = { 'content-type': FORM_TYPE }
const TEXT = { 'content-type': 'text/plain' }
const JSON_BODY = { 'content-type': 'application/json' }
const HOUR_MS = 3_600_000
const UUID = '0190a5f2-0000-7000-8000-0000000000'

type Sent = {
  readonly path?: string
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
}
/** Request of a row, given a distinct id that is its own, and its required outcome. */
type Row = {
  readonly name: string
  readonly send: (id: string, key: string) => Sent
  readonly refused?: readonly [status: number, code: string]
  /** Properties of the stored events; none when missing. */
  readonly stored?: readonly Partial<Stored>[]
}

/** Base64 that holds `+` and `/`, of text with an emoji. */
const NOTE = 'û~>?🎉ûû>>>???'
const NOTED = [{ event: 'e', properties: { note: NOTE } }]
const oneEvent = (id: string, key: string, more: object = {}) =>
  JSON.stringify({ api_key: key, event: 'e', properties: { distinct_id: id, note: NOTE }, ...more })
const encoded = (text: string) => Buffer.from(text).toString('base64')
const multipart = (fields: Record<string, string>) =>
  `${Object.entries(fields)
    .map(
      ([name, value]) =>
        `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('')}--X--\r\n`

function check(t: Test, wire: Wire, rows: readonly Row[]): void {
  for (const [at, { name, send, refused, stored = [] }] of rows.entries()) {
    t.test(name, async (t) => {
      const id = `${t.parent?.name} ${at}`
      const { path = '/e/', body, headers = JSON_BODY } = send(id, wire.projectKey)
      const reply = await wire.send(path, body, headers)
      if (refused === undefined) t.match(reply, { status: 200, text: '{"status":1}' })
      else t.match(reply, { status: refused[0], body: { code: refused[1] } })
      const found = await wire.stored(id)
      t.equal(found.length, stored.length)
      t.match(found, stored)
    })
  }
}

/** One product for the whole file: each test has distinct ids of its own. */
const shared = startWire(t)

t.test('bodies', async (t) => {
  const wire = await shared
  check(t, wire, [
    {
      name: 'JSON whose type has parameters',
      send: (id, key) => ({
        body: oneEvent(id, key),
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
      stored: NOTED,
    },
    {
      name: 'JSON without a type',
      send: (id, key) => ({ body: oneEvent(id, key), headers: {} }),
      stored: NOTED,
    },
    {
      name: 'JSON of a type that nobody knows',
      send: (id, key) => ({
        body: oneEvent(id, key),
        headers: { 'content-type': 'application/x-unknown' },
      }),
      stored: NOTED,
    },
    {
      name: 'a form whose key and time are fields',
      send: (id, key) => ({
        body: formOf({
          data: JSON.stringify({
            event: 'e',
            distinct_id: id,
            timestamp: '2020-01-01T00:00:00Z',
          }),
          api_key: key,
          sent_at: '2020-01-01T00:00:00Z',
        }),
        headers: FORM,
      }),
      stored: [{ properties: { $sent_at: '2020-01-01T00:00:00.000Z' } }],
    },
    {
      name: 'a form whose key is the field token',
      send: (id, key) => ({
        body: formOf({ data: JSON.stringify({ event: 'e', distinct_id: id }), token: key }),
        headers: FORM,
      }),
      stored: [{}],
    },
    {
      name: 'a form without data',
      send: (_id, key) => ({ body: formOf({ api_key: key }), headers: FORM }),
      refused: [400, 'no_data'],
    },
    {
      name: 'a multipart form',
      send: (id, key) => ({
        body: multipart({ api_key: key, data: oneEvent(id, '') }),
        headers: { 'content-type': 'multipart/form-data; boundary=X' },
      }),
      stored: NOTED,
    },
    {
      name: 'a hint of the query in capitals, before that of a header',
      send: (id, key) => ({
        path: '/e/?compression=LZ64',
        body: lzString.compressToBase64(oneEvent(id, key)),
        headers: { ...TEXT, 'content-encoding': 'gzip' },
      }),
      stored: NOTED,
    },
    {
      name: 'a hint that is a field',
      send: (id, key) => ({
        body: formOf({
          data: lzString.compressToBase64(oneEvent(id, key)),
          compression: 'lz-string',
        }),
        headers: FORM,
      }),
      stored: NOTED,
    },
    {
      name: 'a hint that nobody knows',
      send: (id, key) => ({ path: '/e/?compression=zstd', body: oneEvent(id, key) }),
      stored: NOTED,
    },
    {
      name: 'gzip that two hints name is inflated once',
      send: (id, key) => ({
        path: '/e/?compression=gzip',
        body: gzipSync(oneEvent(id, key)),
        headers: { ...JSON_BODY, 'content-encoding': 'gzip' },
      }),
      stored: NOTED,
    },
    {
      name: 'JSON that a hint calls gzip',
      send: (id, key) => ({ path: '/e/?compression=gzip-js', body: oneEvent(id, key) }),
      refused: [400, 'invalid_payload'],
    },
    {
      name: 'lz-string whose + became spaces',
      send: (id, key) => ({
        path: '/e/?compression=lz64',
        body: lzString.compressToBase64(oneEvent(id, key)).replaceAll('+', ' '),
        headers: TEXT,
      }),
      stored: NOTED,
    },
    {
      name: 'lz-string of nothing',
      send: () => ({ path: '/e/?compression=lz64', body: 'foo', headers: TEXT }),
      refused: [400, 'invalid_payload'],
    },
    {
      name: 'base64 without padding or hint, whose + became spaces',
      send: (id, key) => ({
        body: encoded(oneEvent(id, key)).replace(/=+$/, '').replaceAll('+', ' '),
        headers: TEXT,
      }),
      stored: NOTED,
    },
    {
      name: 'base64 of an emoji in six bytes',
      send: (id, key) => {
        const [before = '', after = ''] = oneEvent(id, key).split('🎉')
        const emoji = Buffer.from([0xed, 0xa0, 0xbc, 0xed, 0xbe, 0x89])
        const bytes = Buffer.concat([Buffer.from(before), emoji, Buffer.from(after)])
        return { body: formOf({ data: bytes.toString('base64') }), headers: FORM }
      },
      stored: NOTED,
    },
    {
      name: 'NaN and infinities',
      send: (id, key) => ({
        body: `{"api_key":"${key}","event":"e","distinct_id":"${id}","properties":{"a":NaN,"b":-Infinity}}`,
      }),
      stored: [{ properties: { a: null, b: null } }],
    },
    ...['5', '"text"', 'null', '{}', '[]', ''].map((body) => ({
      name: `no data: ${body === '' ? 'no body' : body}`,
      send: () => ({ body }),
      refused: [400, 'no_data'] as const,
    })),
    {
      name: 'NUL and lone surrogates',
      send: (id, key) => ({
        body: `{"api_key":"${key}","event":"a\\u0000b","distinct_id":"${id}","properties":{"\\ud800":"x\\udfffy"}}`,
      }),
      stored: [{ event: 'a\ufffdb', properties: { '\ufffd': 'x\ufffdy' } }],
    },
  ])
})

t.test('batches', async (t) => {
  const wire = await shared
  const item = (id: string, more: object = {}) => ({ event: 'e', distinct_id: id, ...more })
  const batch = (value: unknown, key: string, more: object = {}): Sent => ({
    path: '/batch/',
    body: JSON.stringify({ api_key: key, batch: value, ...more }),
  })
  check(t, wire, [
    {
      name: 'an envelope keeps its order',
      send: (id, key) =>
        batch(
          ['1', '2', '3'].map((digit) => item(id, { event: digit, uuid: `${UUID}0${digit}` })),
          key,
          { api_key: undefined, token: key },
        ),
      stored: [{}, {}, {}],
    },
    {
      name: 'a message id is no uuid: events that share one are all stored',
      send: (id, key) =>
        batch(
          ['$page', '$screen', '$screen'].map((event) => item(id, { event, messageId: '123' })),
          key,
        ),
      stored: [{}, {}, {}],
    },
    {
      name: 'an array',
      send: (id, key) => ({ body: JSON.stringify([item(id, { token: key }), item(id)]) }),
      stored: [{}, {}],
    },
    {
      name: 'one event on batch',
      send: (id, key) => ({ path: '/batch/', body: oneEvent(id, key) }),
      stored: NOTED,
    },
    { name: 'an empty batch', send: (id, key) => batch([], key, item(id)) },
    {
      name: 'a batch of null is one event',
      send: (id, key) => batch(null, key, item(id)),
      stored: [{}],
    },
    {
      name: 'a batch that is encoded twice',
      send: (id, key) => batch(JSON.stringify([item(id)]), key),
      refused: [400, 'invalid_payload'],
    },
    ...[null, 5, 'text', []].map((odd) => ({
      name: `an item that is ${JSON.stringify(odd)} is dropped alone, on either side`,
      send: (id: string, key: string) => batch([odd, item(id), odd, item(id)], key),
      stored: [{}, {}],
    })),
    {
      name: 'an item whose properties are a text is dropped alone',
      send: (id, key) => batch([item(id), item(id, { properties: 'x' })], key),
      stored: [{}],
    },
    {
      name: 'an array that begins with null has the key of its first object',
      send: (id, key) => ({ body: JSON.stringify([null, item(id, { token: key }), item(id)]) }),
      stored: [{}, {}],
    },
    {
      name: 'an array with two keys',
      send: (id, key) => ({
        body: JSON.stringify([item(id, { token: key }), item(id, { token: 'other' })]),
      }),
      refused: [401, 'invalid_api_key'],
    },
    {
      name: 'a key of the envelope is above those of items',
      send: (id, key) => batch([item(id, { token: 'other' })], key),
      stored: [{}],
    },
    {
      name: 'a key with white space around it',
      send: (id, key) => batch([item(id)], ` ${key}\n`),
      stored: [{}],
    },
  ])
})

t.test('fields', async (t) => {
  const wire = await shared
  const event = (fields: object, properties: unknown = {}) => ({
    send: (id: string, key: string): Sent => ({
      body: JSON.stringify({ api_key: key, event: 'e', distinct_id: id, properties, ...fields }),
    }),
  })
  const old = new Date(Date.now() - 30 * 24 * HOUR_MS).toISOString()
  check(t, wire, [
    { name: 'no name', ...event({ event: undefined }) },
    { name: 'a name of null', ...event({ event: null }) },
    { name: 'an empty name', ...event({ event: '' }) },
    {
      name: 'a name that is no text',
      ...event({ event: { a: 1 } }),
      stored: [{ event: '{"a":1}' }],
    },
    {
      name: 'a long name',
      ...event({ event: 'x'.repeat(300) }),
      stored: [{ event: 'x'.repeat(200) }],
    },
    {
      name: 'engage names its events',
      send: (id, key) => ({
        path: '/engage/',
        body: JSON.stringify({ $token: key, $distinct_id: id, event: 'other', $set: {} }),
      }),
      stored: [{ event: '$identify' }],
    },
    ...[undefined, null, '', []].map((properties) => ({
      name: `properties of ${JSON.stringify(properties)}`,
      send: (id: string, key: string): Sent => ({
        body: JSON.stringify({ api_key: key, event: 'e', distinct_id: id, properties }),
      }),
      stored: [{}],
    })),
    ...['text', 5, [1]].map((properties) => ({
      name: `properties of ${JSON.stringify(properties)}`,
      ...event({}, properties),
      refused: [400, 'invalid_payload'] as const,
    })),
    ...['$performance_event', '$snapshot', '$snapshot_items', '$$heatmap'].map((name) => ({
      name: `${name} is no analytics event`,
      ...event({ event: name }),
    })),
    { name: '$exception is one', ...event({ event: '$exception' }), stored: [{}] },
    {
      name: 'the id of the properties is above that of the event',
      send: (id, key) => ({
        body: JSON.stringify({
          api_key: key,
          event: 'e',
          distinct_id: 'other',
          properties: { distinct_id: id },
        }),
      }),
      stored: [{}],
    },
    {
      name: '$distinct_id is above both',
      ...event({ distinct_id: undefined }, { distinct_id: 'other' }),
      send: (id, key) => ({
        body: JSON.stringify({
          api_key: key,
          event: 'e',
          $distinct_id: id,
          properties: { distinct_id: 'other' },
        }),
      }),
      stored: [{}],
    },
    { name: 'no id', ...event({ distinct_id: null }) },
    { name: 'a uuid in capitals', ...event({ uuid: `${UUID}AB` }), stored: [{ id: `${UUID}ab` }] },
    { name: 'a uuid that is none', ...event({ uuid: 'x' }), stored: [{}] },
    { name: 'an empty uuid', ...event({ uuid: '' }), stored: [{}] },
    {
      name: 'fields of clients that mean nothing are not stored',
      ...event({ type: 'capture', context: { a: 1 }, library: 'x', name: 'n', userId: 'u' }),
      stored: [{ properties: { type: undefined, name: undefined, userId: undefined } }],
    },
    {
      name: 'a page keeps its name and category, and the ip and group of its context',
      ...event({
        event: '$page',
        type: 'page',
        name: 'Home',
        category: 'Docs',
        context: { ip: '5.6.7.8', groupId: 'acme' },
      }),
      stored: [
        {
          event: '$page',
          properties: {
            name: 'Home',
            category: 'Docs',
            $ip: '5.6.7.8',
            $groups: { group: 'acme' },
            context: undefined,
          },
        },
      ],
    },
    {
      name: 'elements become a chain',
      ...event({}, { $elements: [{ tag_name: 'a', classes: ['b'] }] }),
      stored: [{ elementsChain: 'a.b:nth-child="0"nth-of-type="0"' }],
    },
    {
      name: 'a chain is taken as it is',
      ...event({}, { $elements_chain: 'a:text="x"' }),
      stored: [{ elementsChain: 'a:text="x"' }],
    },
    {
      name: 'a time that is old is kept',
      ...event({ timestamp: old }),
      stored: [{ timestamp: old.replace(/(\.\d{3})Z$/, '$1000+00:00') }],
    },
  ])

  t.test('ids that are no text are their text', async (t) => {
    for (const [distinct_id, text] of [
      [90_210, '90210'],
      [false, 'false'],
      [{ a: 1 }, '{"a":1}'],
      ['x'.repeat(250), 'x'.repeat(200)],
    ] as const) {
      const body = JSON.stringify({ api_key: wire.projectKey, event: 'e', distinct_id })
      t.equal((await wire.send('/e/', body, JSON_BODY)).status, 200)
      t.equal((await wire.stored(text)).length, 1, text)
    }
  })
})
