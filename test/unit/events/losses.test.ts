import t from 'tap'
import { NO_LOSSES } from '../../../src/events/losses.ts'
import { type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'

const CONTEXT: IngestContext = {
  ...{ projectId: 7, sentAt: [], ip: '', anonymizeIps: false },
  dialect: { kind: 'posthog' },
  receivedAtMs: Date.UTC(2024, 4, 1, 12),
}

function parse(payload: unknown) {
  const text = JSON.stringify(payload)
  return parseEvents(JSON.parse(text), CONTEXT, () => '018f0000-0000-7000-8000-000000000000')
}

t.test('an event stored otherwise than it was sent is noted, once', async (t) => {
  const long = 'x'.repeat(201)
  const rows: [object, object][] = [
    [{ timestamp: 'yesterday' }, { bad_timestamp: 1 }],
    [{ timestamp: '9999-01-01T00:00:00Z' }, { bad_timestamp: 1 }],
    [{ uuid: 'not-one' }, { bad_uuid: 1 }],
    [{ event: long, distinct_id: long }, { cut: 1 }],
    [{ event: 'a\0', properties: { distinct_id: 'd', b: 'c\0' } }, { unstorable_text: 1 }],
    [{ properties: { distinct_id: 'd', b: '\ud800' } }, { unstorable_text: 1 }],
    [
      { event: '$identify', properties: { distinct_id: 'd', $anon_distinct_id: 'null' } },
      { cannot_merge_with_illegal_distinct_id: 1 },
    ],
  ]
  for (const [fields, counts] of rows) {
    const parsed = parse([{ event: 'e', distinct_id: 'd', ...fields }])
    const { losses, events } = parsed.ok ? parsed.value : { losses: NO_LOSSES, events: [] }
    t.same(losses.counts, counts, JSON.stringify(fields).slice(0, 60))
    t.match(losses.samples, [{ uuid: events[0]?.uuid, distinctId: events[0]?.distinctId }])
  }
  const given = parse({ event: 'e', distinct_id: 'd', timestamp: `no ${long}` })
  t.match(given, { value: { losses: { samples: [{ given: /^no x{97}$/ }] } } })
})

t.test('a good event notes nothing: not even a number for an id is a change', async (t) => {
  const fine = [
    ...[{}, { uuid: null }, { uuid: '' }, { timestamp: null }, { timestamp: '2024-01-01' }],
    ...[{ distinct_id: 5 }, { properties: { distinct_id: 'd', text: '\\u0000' } }],
    { event: '$identify', properties: { distinct_id: 'd', $anon_distinct_id: 'd' } },
    { event: '$identify', properties: { distinct_id: 'd', $anon_distinct_id: 'other' } },
  ]
  for (const fields of fine) {
    const parsed = parse([{ event: 'e', distinct_id: 'd', ...fields }])
    t.ok(parsed.ok && parsed.value.losses === NO_LOSSES, JSON.stringify(fields))
  }
})

t.test('many losses of one request are all counted, and few are kept', async (t) => {
  const parsed = parse(Array.from({ length: 1_000 }, () => ({ event: 'e' })))
  const losses = parsed.ok ? parsed.value.losses : NO_LOSSES
  t.same([losses.counts, losses.samples.length], [{ no_distinct_id: 1_000 }, 20])
})

const event = (fields: object = {}) => ({ event: 'paid', distinct_id: 'u1', ...fields })

t.test('one bad item leaves its neighbours alone, and its place is noted', async (t) => {
  const bad: [string, unknown][] = [
    ...[null, 7, 'text', false, []].map((item): [string, unknown] => ['not_an_object', item]),
    ...['x', 5, true, [1]].map((properties): [string, unknown] => [
      'bad_properties',
      event({ properties, distinct_id: 'bad' }),
    ]),
    ['bad_properties', { type: 'track', userId: 'bad', event: 'e', properties: 'x' }],
    ['no_name', { distinct_id: 'bad' }],
  ]
  for (const [reason, item] of bad) {
    const items = [event(), item, event({ distinct_id: 'u2' })]
    for (const payload of [items, { batch: items }]) {
      t.match(
        parse(payload),
        {
          value: {
            events: [{ distinctId: 'u1' }, { distinctId: 'u2' }],
            losses: { counts: { [reason]: 1 }, samples: [{ reason, index: 1 }] },
          },
        },
        JSON.stringify(item),
      )
    }
  }
  t.match(parse([null, { distinct_id: 'u' }]), { ok: true }, 'an item without a name is read')
})
