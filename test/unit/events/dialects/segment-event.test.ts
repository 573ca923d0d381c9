import t from 'tap'
import type { SegmentType } from '../../../../src/events/dialects/segment-event.ts'
import { type IngestContext, parseEvents } from '../../../../src/events/parse-event.ts'
import { messageUuid } from '../../../../src/events/uuid.ts'

const NEW_UUID = '018f0000-0000-7000-8000-000000000000'

function parse(payload: unknown, type?: SegmentType, kind: 'segment' | 'posthog' = 'segment') {
  const context: IngestContext = {
    projectId: 7,
    dialect: kind === 'segment' ? { kind, type } : { kind },
    receivedAtMs: Date.UTC(2024, 4, 1, 12),
    sentAt: [],
    ip: '',
    anonymizeIps: false,
  }
  return parseEvents(JSON.parse(JSON.stringify(payload)), context, () => NEW_UUID)
}

function parseOne(payload: unknown, type?: SegmentType) {
  const result = parse(payload, type)
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error(`not stored: ${JSON.stringify(result)}`)
  return { ...event, properties: JSON.parse(event.properties) }
}

t.test(
  'an event without type, id or name is dropped, broken properties alone are refused',
  async (t) => {
    const dropped = (item: object, type?: SegmentType) => {
      const result = parse({ batch: [item] }, type)
      return result.ok ? result.value.losses.counts : result.error
    }
    t.match(dropped({ userId: 'u', event: 'e' }), { unknown_type: 1 })
    t.match(dropped({ type: 'delete', userId: 'u' }), { unknown_type: 1 })
    t.match(dropped({ type: 'track', userId: 'u' }), { no_name: 1 })
    t.match(dropped({ type: 'track', event: 'e', userId: '' }), { no_distinct_id: 1 })
    t.match(dropped({ type: 'track', event: 'e', userId: 'u', properties: 5 }), {
      code: 'invalid_payload',
    })
  },
)

t.test('ids: the user, else the anonymous one, whatever the properties say', async (t) => {
  const id = (fields: object) =>
    parseOne({ type: 'track', event: 'e', properties: { distinct_id: 'x' }, ...fields }).distinctId
  t.equal(id({ userId: 'u', anonymousId: 'a' }), 'u')
  t.equal(id({ userId: null, anonymousId: 'a' }), 'a')
  t.equal(id({ userId: '', anonymousId: 5 }), '5')
})

t.test('each type becomes its event', async (t) => {
  const both = { userId: 'u', anonymousId: 'a' }
  const traits = { plan: 'pro' }
  t.match(parseOne({ ...both, type: 'track', event: 'Paid', properties: { n: 1 } }), {
    event: 'Paid',
    properties: { n: 1 },
    person: { merge: undefined },
  })
  t.match(parseOne({ ...both, type: 'identify', traits }), {
    event: '$identify',
    person: { set: '{"plan":"pro"}', merge: { kind: 'identify', otherDistinctId: 'a' } },
  })
  t.match(parseOne({ anonymousId: 'a', type: 'identify', context: { traits } }), {
    distinctId: 'a',
    person: { set: '{"plan":"pro"}', merge: undefined },
  })
  t.match(parseOne({ ...both, type: 'page', name: 'Home', properties: { url: 'https://e.x/' } }), {
    event: '$pageview',
    properties: { name: 'Home', $current_url: 'https://e.x/' },
  })
  t.match(parseOne({ ...both, type: 'screen', name: 'Home', category: 'c' }), {
    event: '$screen',
    properties: { $screen_name: 'Home', category: 'c' },
  })
  t.match(parseOne({ userId: 'u', previousId: 'p', type: 'alias' }), {
    event: '$create_alias',
    distinctId: 'u',
    person: { merge: { kind: 'alias', otherDistinctId: 'p' } },
  })
  t.match(parseOne({ ...both, groupId: 'g', traits, type: 'group' }), {
    event: '$groupidentify',
    groupChange: { type: 'group', key: 'g', set: '{"plan":"pro"}' },
  })
})

t.test('a page without an address says nothing of its person', async (t) => {
  for (const type of ['page', 'screen']) {
    const { properties, person } = parseOne({ userId: 'u', type, name: 'Home' })
    for (const name of ['$set', '$set_once']) t.notOk(name in properties, `${type} ${name}`)
    t.match(person, { set: '', setOnce: '' })
  }
})

t.test('the route names the type of an item that does not', async (t) => {
  t.equal(parseOne({ userId: 'u', name: 'Home' }, 'page').event, '$pageview')
  t.equal(parseOne({ userId: 'u', event: 'e', type: 'track' }, 'page').event, 'e')
})

t.test('the message id makes the uuid, and sentAt corrects nothing', async (t) => {
  const track = { type: 'track', event: 'e', userId: 'u' }
  t.equal(parseOne({ ...track, messageId: 'ajs-1' }).uuid, messageUuid(7, 'ajs-1'))
  t.equal(parseOne({ ...track, messageId: '' }).uuid, NEW_UUID)
  t.equal(parseOne({ ...track, messageId: 'x'.repeat(2_000) }).uuid, NEW_UUID)
  const event = parseOne({
    ...track,
    originalTimestamp: '2024-05-01T10:00:00.123Z',
    sentAt: '2024-05-01T11:00:00.000Z',
    context: { ip: '5.6.7.8', library: { name: 'x' } },
  })
  t.equal(event.timestamp, '2024-05-01T10:00:00.123000Z')
  t.same(event.properties, { $ip: '5.6.7.8' })
})

t.test('items of this form are understood on the routes of the own form too', async (t) => {
  const read = (item: object) => {
    const result = parse({ batch: [item] }, undefined, 'posthog')
    const event = result.ok ? result.value.events[0] : undefined
    return event === undefined ? undefined : [event.event, event.distinctId]
  }
  const traits = { plan: 'pro' }
  const own = { distinct_id: 'd' }
  const rows: [object, string[] | undefined][] = [
    [{ type: 'track', event: 'Paid', userId: 'u', anonymousId: 'a' }, ['Paid', 'u']],
    [{ type: 'track', event: 'Paid', anonymousId: 'a' }, ['Paid', 'a']],
    [{ type: 'identify', userId: 'u', traits }, ['$identify', 'u']],
    [{ type: 'page', userId: 'u', name: 'Home' }, ['$pageview', 'u']],
    [{ type: 'page', userId: 'u', properties: own }, ['$pageview', 'u']],
    [{ type: 'screen', anonymousId: 'a', name: 'Home' }, ['$screen', 'a']],
    [{ type: 'alias', userId: 'u', previousId: 'p' }, ['$create_alias', 'u']],
    [{ type: 'group', userId: 'u', groupId: 'g', traits }, ['$groupidentify', 'u']],
    // A name and an id of the own form are what they say.
    [{ type: 'page', event: '$page', ...own, userId: 'u' }, ['$page', 'd']],
    [
      { type: 'alias', event: '$create_alias', properties: own, userId: 'u' },
      ['$create_alias', 'd'],
    ],
    [{ type: 'track', event: 'Paid', $distinct_id: 'd', userId: 'u' }, ['Paid', 'd']],
    [{ type: 'capture', event: 'Paid', ...own, userId: 'u' }, ['Paid', 'd']],
    // Neither form.
    [{ type: 'track', event: 'Paid' }, undefined],
    [{ type: 'capture', event: 'Paid', userId: 'u' }, undefined],
    [{ event: 'Paid', userId: 'u' }, undefined],
    [{ type: 'page', userId: '', anonymousId: null }, undefined],
  ]
  for (const [item, stored] of rows) t.same(read(item), stored, JSON.stringify(item))
})
