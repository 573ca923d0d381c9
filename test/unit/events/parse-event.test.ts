import fc from 'fast-check'
import t from 'tap'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../src/events/event.ts'
import { EVENT_BYTES_MAX } from '../../../src/events/event-size.ts'
import { NO_LOSSES } from '../../../src/events/losses.ts'
import { type Dialect, type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'
import { GROUPS_PER_EVENT_MAX } from '../../../src/events/person-change.ts'
import { codePoint } from '../../support/code-points.ts'

const NOW = Date.UTC(2024, 4, 1, 12)
const NOW_TEXT = '2024-05-01T12:00:00.000000Z'
const NEW_UUID = '018f0000-0000-7000-8000-000000000000'
const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: NOW,
  sentAt: [],
  ip: '1.2.3.4',
  anonymizeIps: false,
}

/** Texts of JSON go in, as they do in production: literals could hide a prototype. */
function parse(payload: unknown, context: Partial<IngestContext> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return parseEvents(JSON.parse(text), { ...CONTEXT, ...context }, () => NEW_UUID)
}

function parseOne(payload: unknown, context: Partial<IngestContext> = {}): IngestEvent {
  const result = parse(payload, context)
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error(`not stored: ${JSON.stringify(result)}`)
  return event
}

const propertiesOf = (payload: unknown, context: Partial<IngestContext> = {}) =>
  JSON.parse(parseOne(payload, { ip: '', ...context }).properties)

const valid = (fields: object = {}) => ({ event: 'paid', distinct_id: 'u1', ...fields })

t.test('a body without a readable item is refused', async (t) => {
  const refused: [string, unknown][] = [
    ['no_data', []],
    ['no_data', 5],
    ['no_data', null],
    ['invalid_payload', { batch: '[]' }],
    ['invalid_payload', { batch: {} }],
    ['invalid_payload', { batch: 5 }],
    ['invalid_payload', { batch: [null, 7, 'text', true, []] }],
    ['invalid_payload', [null, valid({ properties: 'x' })]],
    ['invalid_payload', [5]],
    ['invalid_payload', valid({ properties: 'text' })],
    ['invalid_payload', valid({ properties: [1] })],
    ['invalid_payload', valid({ properties: 5 })],
  ]
  for (const [code, payload] of refused) {
    t.same(parse(payload), { ok: false, error: { status: 400, code } })
  }
})

t.test('an event of more than 1 MB refuses its request, names and ids cut first', async (t) => {
  const numbers = `[${'1e20,'.repeat(50_000)}1]`
  const text = `{"event":"e","distinct_id":"d","properties":{"a":${numbers}}}`
  t.same(parse(text), { ok: false, error: { status: 413, code: 'request_too_large' } })
  const long = (chars: number, char = 'x') => valid({ $set: { a: char.repeat(chars) } })
  t.match(parse(long(EVENT_BYTES_MAX - 200)), { ok: true })
  t.match(parse(long(EVENT_BYTES_MAX)), { error: { status: 413 } })
  t.match(
    parse(long(EVENT_BYTES_MAX / 2, 'é')),
    { error: { status: 413 } },
    'bytes, not characters',
  )
  t.match(parse([valid(), long(EVENT_BYTES_MAX)]), { error: { status: 413 } })
  const named = valid({ event: 'e'.repeat(2_000_000), distinct_id: 'd'.repeat(2_000_000) })
  t.match(parse(named), { ok: true })
})

t.test('events the rules drop are counted and the others stored', async (t) => {
  const rows: [object, object][] = [
    [{ ...valid(), event: undefined }, { no_name: 1 }],
    [{ ...valid(), event: null }, { no_name: 1 }],
    [{ ...valid(), event: '' }, { no_name: 1 }],
    [{ event: 'e' }, { no_distinct_id: 1 }],
    [{ event: 'e', distinct_id: null, properties: { distinct_id: null } }, { no_distinct_id: 1 }],
    [{ event: 'e', distinct_id: '' }, { no_distinct_id: 1 }],
    [{ event: 'e', distinct_id: ' \t' }, { no_distinct_id: 1 }],
    [{ event: 'e', distinct_id: 'u', properties: { distinct_id: '' } }, { no_distinct_id: 1 }],
    [valid({ event: '$snapshot' }), { not_analytics: 1 }],
    [valid({ event: '$snapshot_items' }), { not_analytics: 1 }],
    [valid({ event: '$performance_event' }), { not_analytics: 1 }],
    [valid({ event: '$$heatmap' }), { not_analytics: 1 }],
    [valid({ event: '$$client_ingestion_warning' }), { not_analytics: 1 }],
  ]
  for (const [item, dropped] of rows) {
    const parsed = parse([item, valid()])
    t.match(parsed, { ok: true, value: { events: [{ event: 'paid' }] } })
    const { counts, samples } = parsed.ok ? parsed.value.losses : NO_LOSSES
    t.same(counts, dropped)
    t.match(samples, [{ reason: Object.keys(dropped)[0], uuid: '' }])
  }
  t.same(parse({ batch: [], event: 'e', distinct_id: 'd' }), {
    ok: true,
    value: { events: [], losses: NO_LOSSES, results: '' },
  })
})

t.test('each batch form gives its events in order', async (t) => {
  const names = (payload: unknown) => {
    const result = parse(payload)
    return result.ok ? result.value.events.map((event) => event.event) : result.error.code
  }
  const items = [valid({ event: 'a' }), valid({ event: 'b' })]
  t.same(names({ api_key: 'k', batch: items, historical_migration: true }), ['a', 'b'])
  t.same(names(items), ['a', 'b'])
  t.same(names(items[0]), ['a'])
  t.same(names({ ...items[0], batch: null }), ['a'])
})

t.test('a plain event becomes exactly this', async (t) => {
  const payload = valid({
    properties: { a: 1 },
    type: 'capture',
    context: {},
    library: 'x',
    api_key: 'k',
    token: 't',
  })
  t.strictSame(parseOne(payload), {
    uuid: NEW_UUID,
    event: 'paid',
    distinctId: 'u1',
    timestamp: NOW_TEXT,
    properties: '{"a":1,"$ip":"1.2.3.4"}',
    elementsChain: '',
    person: NO_PERSON_CHANGE,
    groups: [],
    groupChange: undefined,
  })
})

t.test('a name is text of at most 200 code points', async (t) => {
  const rows: [unknown, string][] = [
    [5, '5'],
    [0, '0'],
    [false, 'false'],
    [{ a: 1 }, '{"a":1}'],
    [' ', ' '],
    ['🎉'.repeat(201), '🎉'.repeat(200)],
    ['a\0', 'a\ufffd'],
  ]
  for (const [event, name] of rows) t.equal(parseOne(valid({ event })).event, name)
})

t.test('the distinct id is the first one that is set', async (t) => {
  const rows: [object, string][] = [
    [{ $distinct_id: 'a', distinct_id: 'c', properties: { distinct_id: 'b' } }, 'a'],
    [{ $distinct_id: null, distinct_id: 'c', properties: { distinct_id: 'b' } }, 'b'],
    [{ distinct_id: null, properties: { distinct_id: 'b' } }, 'b'],
    [{ distinct_id: 'c', properties: { distinct_id: null } }, 'c'],
    [{ distinct_id: 2 }, '2'],
    [{ distinct_id: 0 }, '0'],
    [{ distinct_id: false }, 'false'],
    [{ distinct_id: { a: [1] } }, '{"a":[1]}'],
    [{ distinct_id: '€'.repeat(300) }, '€'.repeat(200)],
    [{ distinct_id: 'anonymous' }, 'anonymous'],
  ]
  for (const [fields, id] of rows) t.equal(parseOne({ event: 'e', ...fields }).distinctId, id)
})

t.test('a valid uuid is kept, any other replaced', async (t) => {
  const uuid = '0190A5F2-0000-7000-8000-00000000000A'
  t.equal(parseOne(valid({ uuid })).uuid, uuid.toLowerCase())
  for (const other of ['', 'x', null, 5]) t.equal(parseOne(valid({ uuid: other })).uuid, NEW_UUID)
  const inner = { $insert_id: uuid, uuid, messageId: uuid }
  t.equal(parseOne(valid({ properties: inner })).uuid, NEW_UUID)
})

t.test('empty properties of every kind are an object', async (t) => {
  for (const properties of [undefined, null, '', [], {}]) {
    t.same(propertiesOf(valid({ properties })), {})
  }
})

t.test('times are corrected by sent_at of the request, or of the item', async (t) => {
  const timestamp = '2024-05-01T09:00:00Z'
  const sentAt = ['unreadable', '2024-05-01T10:00:00Z', '2024-05-01T09:00:00Z']
  t.equal(parseOne(valid({ timestamp })).timestamp, '2024-05-01T09:00:00.000000Z')
  t.equal(parseOne(valid({ timestamp }), { sentAt }).timestamp, '2024-05-01T11:00:00.000000Z')
  const own = parseOne(valid({ timestamp, sent_at: '2024-05-01T11:30:00+00:00' }))
  t.equal(own.timestamp, '2024-05-01T09:30:00.000000Z')
  t.equal(JSON.parse(own.properties)['$sent_at'], '2024-05-01T11:30:00.000Z')
  const ignoring = valid({ timestamp, properties: { $ignore_sent_at: true } })
  t.equal(parseOne(ignoring, { sentAt }).timestamp, '2024-05-01T09:00:00.000000Z')
  t.equal(parseOne(valid({ offset: 1_000 })).timestamp, '2024-05-01T11:59:59.000000Z')
  t.same(propertiesOf(valid(), { sentAt }), { $sent_at: '2024-05-01T10:00:00.000Z' })
  t.same(propertiesOf(valid({ properties: { $sent_at: 'own' } })), { $sent_at: 'own' })
})

t.test('the ip is the one sent, else the peer, and none when the project says so', async (t) => {
  const sent = valid({ properties: { $ip: '9.9.9.9' } })
  t.same(propertiesOf(sent, { ip: '1.2.3.4' }), { $ip: '9.9.9.9' })
  t.same(propertiesOf(valid(), { ip: '1.2.3.4' }), { $ip: '1.2.3.4' })
  t.same(propertiesOf(valid(), { ip: '' }), {})
  t.same(propertiesOf(sent, { ip: '1.2.3.4', anonymizeIps: true }), {})
  t.same(propertiesOf(valid(), { ip: '1.2.3.4', anonymizeIps: true }), {})
})

t.test('elements leave the properties for their chain', async (t) => {
  const $elements = [{ tag_name: 'a', $el_text: 'x\0' }]
  const chain = 'a:nth-child="0"nth-of-type="0"text="x\ufffd"'
  const rows: [object, string][] = [
    [{ $elements }, chain],
    [{ $elements: 'broken' }, ''],
    [{ $elements_chain: 'b:c="d"' }, 'b:c="d"'],
    [{ $elements, $elements_chain: 'b' }, 'b'],
    [{ $elements, $elements_chain: 5 }, chain],
    [{ $elements_chain: '' }, ''],
  ]
  for (const [properties, expected] of rows) {
    const event = parseOne(valid({ properties: { kept: 1, ...properties } }), { ip: '' })
    t.equal(event.elementsChain, expected)
    t.equal(event.properties, '{"kept":1}')
  }
})

t.test('text is clean in keys and values, and in all that is read from them', async (t) => {
  const event = parseOne(
    '{"event":"$identify","distinct_id":"u\\u0000","properties":{"a\\u0000":"\\ud800\\\\u0000",' +
      '"$set":{"k\\udfff":"v\\u0000"},"$unset":["x\\u0000"],"$groups":{"t\\u0000":"g\\ud800"},' +
      '"$anon_distinct_id":"o\\u0000","emoji":"\\ud83c\\udf89"}}',
    { ip: '' },
  )
  t.equal(event.distinctId, 'u\ufffd')
  t.same(JSON.parse(event.properties)['a\ufffd'], '\ufffd\\u0000')
  t.equal(event.person.set, '{"k\ufffd":"v\ufffd"}')
  t.same(event.person.unset, ['x\ufffd'])
  t.same(event.person.merge, { kind: 'identify', otherDistinctId: 'o\ufffd' })
  t.same(event.groups, [{ type: 't\ufffd', key: 'g\ufffd' }])
  t.match(event.properties, /🎉/)
})

t.test('keys that name a prototype are data wherever they stand', async (t) => {
  const text =
    '{"event":"e","distinct_id":"d","__proto__":{"event":"x"},"properties":{"__proto__":{"a":1},' +
    '"constructor":{"b":2},"utm_source":"s","$set":{"__proto__":{"c":3}},' +
    '"$set_once":{"toString":4}},' +
    '"$set":{"__proto__":{"d":5},"constructor":6},"$set_once":{"__proto__":7}}'
  const event = parseOne(text, { ip: '' })
  t.match(event.properties, '"__proto__":{"a":1},"constructor":{"b":2}')
  t.equal(event.person.set, '{"__proto__":{"d":5},"constructor":6,"utm_source":"s"}')
  t.equal(event.person.setOnce, '{"toString":4,"__proto__":7,"$initial_utm_source":"s"}')
  t.same(Object.keys(Object.prototype), [])
  t.notOk('a' in {})
})

t.test('top-level changes of the person win per key and are stored', async (t) => {
  const event = parseOne(
    valid({
      $set: { a: 'top', b: 1 },
      $set_once: { d: 4 },
      $unset: ['x', 5, null],
      properties: { $set: { a: 'inner', c: 3 }, $set_once: 'broken', $unset: { y: 1, x: 1 } },
    }),
    { ip: '' },
  )
  t.same(JSON.parse(event.person.set), { a: 'top', b: 1, c: 3 })
  t.same(JSON.parse(event.person.setOnce), { d: 4 })
  t.same(event.person.unset, ['y', 'x', '5'])
  t.same(JSON.parse(event.properties), {
    $set: { a: 'top', b: 1, c: 3 },
    $set_once: { d: 4 },
    $unset: ['y', 'x', '5'],
  })
  const nothing = { $set: {}, $set_once: [], $unset: 'x' }
  t.equal(parseOne(valid({ ...nothing, properties: nothing })).person, NO_PERSON_CHANGE)
})

t.test('properties that describe the person are set, and set once as initial', async (t) => {
  const event = parseOne(
    valid({
      properties: {
        $browser: 'Firefox',
        utm_source: 'mail',
        gclid: null,
        other: 1,
        $set: { $browser: 'sent', plan: 'a' },
        $set_once: { $initial_browser: 'sent', first: 1 },
      },
    }),
  )
  t.same(JSON.parse(event.person.set), {
    $browser: 'Firefox',
    plan: 'a',
    utm_source: 'mail',
    gclid: null,
  })
  t.same(JSON.parse(event.person.setOnce), {
    $initial_browser: 'Firefox',
    first: 1,
    $initial_utm_source: 'mail',
    $initial_gclid: null,
  })
  t.match(JSON.parse(event.properties), {
    $set: { $browser: 'sent', plan: 'a' },
    $set_once: { $initial_browser: 'sent', first: 1 },
  })
})

t.test('an event without a person profile changes no person', async (t) => {
  const properties = { $process_person_profile: false, $browser: 'Firefox', $set: { a: 1 } }
  const event = parseOne(
    valid({ event: '$identify', properties: { ...properties, $anon_distinct_id: 'o' } }),
    { ip: '' },
  )
  t.same(event.person, { ...NO_PERSON_CHANGE, profile: false })
  t.same(JSON.parse(event.properties), { ...properties, $anon_distinct_id: 'o' })
  t.equal(parseOne(valid({ properties: { $process_person_profile: true } })).person.profile, true)
})

t.test('merges are asked for by three events, with two legal and different ids', async (t) => {
  const rows: [string, object, object | undefined][] = [
    ['$identify', { $anon_distinct_id: 'o' }, { kind: 'identify', otherDistinctId: 'o' }],
    ['$identify', { $anon_distinct_id: 5 }, { kind: 'identify', otherDistinctId: '5' }],
    ['$identify', {}, undefined],
    ['$identify', { alias: 'o' }, undefined],
    ['$identify', { $anon_distinct_id: 'u1' }, undefined],
    ['$identify', { $anon_distinct_id: 'Guest' }, undefined],
    ['$identify', { $anon_distinct_id: ' ' }, undefined],
    ['$identify', { $anon_distinct_id: 'o', distinct_id: 'null' }, undefined],
    ['$create_alias', { alias: 456, distinct_id: 123 }, { kind: 'alias', otherDistinctId: '456' }],
    ['$create_alias', { alias: 0 }, undefined],
    ['$create_alias', { alias: '' }, undefined],
    ['$create_alias', { $anon_distinct_id: 'o' }, undefined],
    ['$merge_dangerously', { alias: 'o' }, { kind: 'dangerously', otherDistinctId: 'o' }],
    ['$merge_dangerously', { alias: '"undefined"' }, undefined],
    ['paid', { alias: 'o', $anon_distinct_id: 'o' }, undefined],
  ]
  for (const [event, properties, merge] of rows) {
    t.same(parseOne(valid({ event, properties })).person.merge, merge, JSON.stringify(properties))
  }
})

t.test('groups of an event keep their order, and have a bound', async (t) => {
  const groupsOf = ($groups: unknown) => parseOne(valid({ properties: { $groups } })).groups
  for (const broken of [null, 'a', 5, ['a']]) t.same(groupsOf(broken), [])
  t.same(groupsOf({ company: 5, ' ': 'x', team: null, org: 'o', room: '' }), [
    { type: 'company', key: '5' },
    { type: 'org', key: 'o' },
  ])
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`type ${at}`, at]))
  t.equal(groupsOf(many).length, GROUPS_PER_EVENT_MAX)
})

t.test('a group is changed by $groupidentify with a type and a key', async (t) => {
  const change = (properties: object, event = '$groupidentify') =>
    parseOne(valid({ event, properties })).groupChange
  const whole = { $group_type: 'company', $group_key: 5, $group_set: { name: 'A' } }
  t.same(change(whole), { type: 'company', key: '5', set: '{"name":"A"}' })
  t.same(change({ ...whole, $group_set: null }), { type: 'company', key: '5', set: '{}' })
  t.equal(change({ ...whole, $group_key: null }), undefined)
  t.equal(change({ ...whole, $group_type: ' ' }), undefined)
  t.equal(change(whole, 'other'), undefined)
})

t.test('engage names every event $identify', async (t) => {
  const event = parseOne(
    { $token: 't', $distinct_id: 'u1', event: 'x', $set: { a: 1 }, $add: { b: 1 }, $ip: '0' },
    { dialect: { kind: 'engage' } },
  )
  t.match(event, { event: '$identify', distinctId: 'u1', person: { set: '{"a":1}' } })
})

t.test('Mixpanel times count where no timestamp is', async (t) => {
  const timeOf = (time: unknown, fields: object = {}, kind: 'mixpanel' | 'posthog' = 'mixpanel') =>
    parseOne(valid({ properties: { time, distinct_id: 'u1' }, ...fields }), { dialect: { kind } })
      .timestamp
  const expected = '2024-05-01T10:00:00.500000Z'
  t.equal(timeOf(1_714_557_600.5), expected)
  t.equal(timeOf(1_714_557_600_500), expected)
  t.equal(timeOf('1714557600.5'), expected)
  t.equal(timeOf('noon'), NOW_TEXT)
  t.equal(timeOf(null), NOW_TEXT)
  t.equal(timeOf(1_714_557_600, { timestamp: '2024-01-01' }), '2024-01-01T00:00:00.000000Z')
  t.equal(timeOf(1_714_557_600, {}, 'posthog'), NOW_TEXT)
})

t.test('no JSON makes the parser throw, and what it stores keeps its form', async (t) => {
  const keys = [
    'event',
    'distinct_id',
    'properties',
    '$set',
    'batch',
    '$elements',
    'type',
    'traits',
  ]
  const key = fc.oneof(fc.constantFrom(...keys, '__proto__', '$groups', '$unset'), fc.string())
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.string({ unit: codePoint, maxLength: 8 }),
      fc.constantFrom('$identify', '$groupidentify', '$create_alias', 'track', 'group'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 8 }),
    ),
  }))
  const kinds = ['posthog', 'engage', 'mixpanel'] as const
  const dialect: fc.Arbitrary<Dialect> = fc.oneof(
    fc.constantFrom(...kinds).map((kind) => ({ kind })),
    fc
      .constantFrom(undefined, 'track' as const)
      .map((type) => ({ kind: 'segment' as const, type })),
  )
  const item = fc.record(
    { event: json.value, distinct_id: json.value, properties: json.value, $set: json.value },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(json.value, item, fc.array(item)), dialect, (payload, dialect) => {
      const result = parse(JSON.stringify(payload) ?? 'null', { dialect })
      if (!result.ok) return true
      return result.value.events.every(isWellFormed)
    }),
    { numRuns: 3_000 },
  )
  t.pass()
})

function isWellFormed(event: IngestEvent): boolean {
  const texts = [event.event, event.distinctId, event.elementsChain]
  const objects = [event.properties, event.person.set || '{}', event.person.setOnce || '{}']
  return (
    texts.every((text) => !/[\0\ud800-\udfff]/u.test(text)) &&
    objects.every(isCleanObject) &&
    [...event.event].length <= 200 &&
    event.distinctId.trim() !== '' &&
    [...event.distinctId].length <= 200
  )
}

/** Postgres takes the text as jsonb: no key and no value holds what it refuses. */
function isCleanObject(text: string): boolean {
  let isClean = text.startsWith('{')
  JSON.parse(text, (key, value) => {
    if (/[\0\ud800-\udfff]/u.test(key)) isClean = false
    if (typeof value === 'string' && /[\0\ud800-\udfff]/u.test(value)) isClean = false
    return value
  })
  return isClean
}
