import fc from 'fast-check'
import t from 'tap'
import { objectOf } from '../../../../src/core/json.ts'
import { parseJson } from '../../../../src/core/json-text/parse-json.ts'
import { v1ResultsText } from '../../../../src/events/dialects/v1-results.ts'
import { type IngestContext, parseEvents } from '../../../../src/events/parse-event.ts'

const NOW = Date.UTC(2024, 4, 1, 12)
const NEW_UUID = '018f0000-0000-7000-8000-000000000000'
const UUID = '0190a5f2-0000-7000-8000-00000000000a'
const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'v1', sdk: { name: 'posthog-node', version: '5.70.0' } },
  receivedAtMs: NOW,
  sentAt: [],
  ip: '',
  anonymizeIps: false,
}

const item = (fields: object = {}) => ({
  event: 'paid',
  uuid: UUID,
  distinct_id: 'u1',
  timestamp: '2024-05-01T11:00:00.123456Z',
  options: {},
  properties: { total: 5 },
  ...fields,
})

function parse(payload: unknown, context: Partial<IngestContext> = {}) {
  const text = JSON.stringify(payload)
  return parseEvents(JSON.parse(text), { ...CONTEXT, ...context }, () => NEW_UUID)
}

function parseBatch(items: readonly unknown[], context: Partial<IngestContext> = {}) {
  const parsed = parse({ created_at: '2024-05-01T11:59:00Z', batch: items }, context)
  if (!parsed.ok) throw new Error(parsed.error.code)
  const { events, losses, results } = parsed.value
  return {
    events: events.map((event) => ({ ...event, properties: JSON.parse(event.properties) })),
    dropped: losses.counts,
    results: JSON.parse(results).results as Record<string, unknown>,
  }
}

function parseOne(fields: object = {}, context: Partial<IngestContext> = {}) {
  const { events, results } = parseBatch([item(fields)], context)
  const [event] = events
  if (event === undefined) throw new Error(`not stored: ${JSON.stringify(results)}`)
  return event
}

t.test('only an envelope of objects is a batch', async (t) => {
  const refused = { ok: false, error: { status: 400, code: 'invalid_payload' } }
  for (const payload of [[item()], item(), { batch: 'x' }, { batch: { 0: item() } }, { a: 1 }]) {
    t.same(parse(payload), refused)
  }
  for (const other of [null, 5, 'text', [item()]]) {
    t.same(parse({ batch: [other] }), refused)
    t.match(parse({ batch: [other, item()] }), {
      value: {
        events: { length: 1 },
        losses: { samples: [{ reason: 'not_an_object', index: 0 }] },
      },
    })
  }
  t.match(parse({ batch: [item({ properties: 5 })] }), { value: { events: [] } })
  t.match(parse({ batch: [] }), { value: { events: [], results: '{"results":{}}' } })
})

t.test('fields with places of their own return to the properties', async (t) => {
  const event = parseOne({
    session_id: 's1',
    window_id: 'w1',
    options: {
      cookieless_mode: false,
      disable_skew_correction: true,
      process_person_profile: false,
      product_tour_id: 'tour',
    },
    properties: { $lib: 'made up', $session_id: 'other', a: 1 },
  })
  t.same(event.properties, {
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
    $session_id: 's1',
    $window_id: 'w1',
    $cookieless_mode: false,
    $ignore_sent_at: true,
    $process_person_profile: false,
    $product_tour_id: 'tour',
    a: 1,
  })
  t.equal(event.person.profile, false)
})

t.test('nothing is added for what is not sent, or is null or empty', async (t) => {
  const nothing = { session_id: null, window_id: '', options: { product_tour_id: null } }
  const dialect = { kind: 'v1', sdk: undefined } as const
  t.same(parseOne(nothing, { dialect }).properties, { total: 5 })
  t.same(parseOne({ options: undefined, properties: undefined }, { dialect }).properties, {})
})

t.test('the time is corrected by that of sending, unless the event refuses', async (t) => {
  const sentAt = [NOW - 60_000]
  t.equal(parseOne({}, { sentAt }).timestamp, '2024-05-01T11:01:00.123456Z')
  const options = { disable_skew_correction: 'true' }
  t.equal(parseOne({ options }, { sentAt }).timestamp, '2024-05-01T11:00:00.123456Z')
})

t.test('the distinct id is that of the event, and changes of the person count', async (t) => {
  const properties = { distinct_id: 'x', $set: { plan: 'pro' } }
  const event = parseOne({ properties })
  t.equal(event.distinctId, 'u1')
  t.equal(event.person.set, '{"plan":"pro"}')
})

t.test('loose booleans and ids are read, others are left out with a warning', async (t) => {
  const rows: [object | null, object, string | undefined][] = [
    [{ process_person_profile: 0 }, { $process_person_profile: false }, undefined],
    [{ process_person_profile: ' FALSE ' }, { $process_person_profile: false }, undefined],
    [{ cookieless_mode: '1' }, { $cookieless_mode: true }, undefined],
    [{ product_tour_id: 12 }, { $product_tour_id: '12' }, undefined],
    [{ process_person_profile: 'perhaps' }, {}, 'invalid_options'],
    [{ product_tour_id: 1.5 }, {}, 'invalid_options'],
    [{ cookieless_mode: [] }, {}, 'invalid_options'],
    [{ unknown: [] }, {}, undefined],
    [[], {}, 'invalid_options'],
    [null, {}, undefined],
  ]
  const dialect = { kind: 'v1', sdk: undefined } as const
  for (const [options, properties, details] of rows) {
    const { events, results } = parseBatch([item({ options })], { dialect })
    const name = JSON.stringify(options)
    t.same(events[0]?.properties, { total: 5, ...properties }, name)
    const result = details === undefined ? { result: 'ok' } : { result: 'warning', details }
    t.same(results[UUID], result, name)
  }
})

t.test('each item has its result, and a dropped one says why', async (t) => {
  const rows: [object, string][] = [
    [{ event: '' }, 'missing_event_name'],
    [{ event: undefined }, 'missing_event_name'],
    [{ distinct_id: '' }, 'missing_distinct_id'],
    [{ distinct_id: ' ' }, 'missing_distinct_id'],
    [{ distinct_id: undefined, properties: { distinct_id: 'x' } }, 'missing_distinct_id'],
    [{ event: '$snapshot' }, 'not_an_analytics_event'],
    [{ properties: 'text' }, 'malformed_event_properties'],
    [{ properties: [1] }, 'malformed_event_properties'],
    [{ properties: { a: 'x'.repeat(1_048_576) } }, 'event_too_large'],
  ]
  for (const [fields, details] of rows) {
    const other = '0190a5f2-0000-7000-8000-00000000000b'
    const { events, results } = parseBatch([item(fields), item({ uuid: other })])
    t.equal(events.length, 1)
    t.same(results, { [UUID]: { result: 'drop', details }, [other]: { result: 'ok' } })
  }
})

t.test('an event without a usable uuid gets one, and is named as it was sent', async (t) => {
  const given = (uuid: unknown) => {
    const { events, results } = parseBatch([item({ uuid })])
    return [events[0]?.uuid, results]
  }
  const warning = { result: 'warning', details: 'invalid_uuid' }
  t.same(given('no uuid'), [NEW_UUID, { 'no uuid': warning }])
  t.same(given('00000000-0000-0000-0000-000000000000'), [
    NEW_UUID,
    { '00000000-0000-0000-0000-000000000000': warning },
  ])
  for (const none of [undefined, null, '', 5]) t.same(given(none), [NEW_UUID, {}])
  const upper = UUID.toUpperCase()
  t.same(given(upper), [UUID, { [upper]: { result: 'ok' } }])
  t.same(given(` ${UUID}`), [UUID, { [` ${UUID}`]: { result: 'ok' } }])
})

t.test('no item makes the parser throw', async (t) => {
  const odd = fc.oneof(fc.jsonValue(), fc.constant({}), fc.constant(UUID), fc.constant('e'))
  const fields = ['event', 'uuid', 'distinct_id', 'options', 'properties', 'session_id', '$set']
  const items = fc.dictionary(fc.constantFrom(...fields, 'timestamp'), odd)
  fc.assert(
    fc.property(fc.array(items, { maxLength: 4 }), (batch) => {
      const parsed = parse({ batch })
      t.ok(parsed.ok && JSON.parse(parsed.value.results))
    }),
    { numRuns: 300 },
  )
})

t.test('no text of a client breaks the answer', async (t) => {
  const text = fc.oneof(fc.string(), fc.constantFrom('__proto__', '"', '\\', '\ud800', '\0'))
  fc.assert(
    fc.property(fc.uniqueArray(text), (uuids) => {
      const items = uuids.map((uuid) => ({ uuid }))
      const body = objectOf(parseJson(v1ResultsText(items, [])))
      t.same(
        new Set(Object.keys(objectOf(body['results']))),
        new Set(uuids.filter((uuid) => uuid !== '')),
      )
    }),
    { numRuns: 200 },
  )
})
