import fc from 'fast-check'
import t from 'tap'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { parseEvents } from '../../../../src/events/parse-event.ts'
import type { PluginEvent } from '../../../../src/plugins/ports.ts'
import {
  toIngestEvent,
  toPluginEvent,
  toStoredEvent,
} from '../../../../src/plugins/runtime/event-form.ts'
import { ingestEvent, PROJECT, SITE_URL } from '../../../support/plugins/plugin-runtime.ts'

const NOW = Date.UTC(2024, 4, 1, 12)
const FRAME = { projectId: PROJECT, siteUrl: SITE_URL, receivedAtMs: NOW }

/** As the gateway makes it of what a client sends. */
function captured(properties: object, more: object = {}): IngestEvent {
  const item = { event: 'paid', distinct_id: 'u1', uuid: undefined, ...more, properties }
  const context = {
    projectId: 1,
    dialect: { kind: 'posthog' as const },
    receivedAtMs: NOW,
    sentAt: [],
    ip: '',
    anonymizeIps: false,
  }
  const uuid = '018f0000-0000-7000-8000-000000000000'
  const parsed = parseEvents(JSON.parse(JSON.stringify(item)), context, () => uuid)
  const event = parsed.ok ? parsed.value.events[0] : undefined
  if (event === undefined) throw new Error('not stored')
  return event
}

/** Through one plugin. */
function through(event: IngestEvent, change: (event: PluginEvent) => void): IngestEvent {
  const given = toPluginEvent(event, FRAME)
  change(given)
  return toIngestEvent(event, given, FRAME)
}

/** JSON texts as what they say: the order of keys says nothing. */
function meaning({ properties, person, groupChange, ...rest }: IngestEvent) {
  const read = (text: string) => (text === '' ? {} : JSON.parse(text))
  return {
    ...rest,
    properties: read(properties),
    person: {
      ...person,
      set: read(person.set),
      setOnce: read(person.setOnce),
      volatile: read(person.volatile),
    },
    groupChange: groupChange && { ...groupChange, set: read(groupChange.set) },
  }
}

t.test('an event that no plugin changes stays what it is', (t) => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const key = fc.constantFrom('a', '__proto__', '$browser', '$current_url', '$ip', 'utm_source')
  const set = fc.dictionary(fc.constantFrom('plan', '__proto__', '$browser'), json, { minKeys: 1 })
  const properties = fc
    .tuple(
      fc.dictionary(key, json),
      fc.record(
        {
          $set: set,
          $set_once: set,
          $unset: fc.array(fc.string()),
          $groups: fc.dictionary(fc.string(), fc.string()),
          $group_type: fc.string(),
          $group_key: fc.string(),
          $anon_distinct_id: fc.string(),
          $process_person_profile: fc.boolean(),
          $elements_chain: fc.string(),
          $sent_at: fc.string(),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([free, known]) => ({ ...free, ...known }))
  const name = fc.constantFrom('paid', '$identify', '$groupidentify', '$create_alias')
  fc.assert(
    fc.property(properties, name, (given, event) => {
      const before = captured(given, { event })
      t.same(meaning(through(before, () => {})), meaning(before))
    }),
  )
  t.end()
})

t.test('a plugin sees an event as clients send it, with what the runtime knows', (t) => {
  const event = captured(
    { $ip: '1.2.3.4', plan: 'pro', $elements_chain: 'a:text="x"' },
    { sent_at: '2024-05-01T11:59:00Z', timestamp: '2024-05-01T11:58:00Z' },
  )
  t.same(toPluginEvent(event, FRAME), {
    uuid: event.uuid,
    event: 'paid',
    distinct_id: 'u1',
    team_id: 1,
    properties: {
      $ip: '1.2.3.4',
      plan: 'pro',
      $sent_at: '2024-05-01T11:59:00.000Z',
      $elements_chain: 'a:text="x"',
    },
    timestamp: '2024-05-01T11:59:00.000000Z',
    now: '2024-05-01T12:00:00.000Z',
    sent_at: '2024-05-01T11:59:00.000Z',
    ip: '1.2.3.4',
    site_url: SITE_URL,
  })
  t.equal(toPluginEvent(ingestEvent(), FRAME).ip, null)
  t.notOk('sent_at' in toPluginEvent(ingestEvent(), FRAME))
  t.end()
})

t.test('properties made by a plugin decide about person, groups and elements', (t) => {
  const changed = through(captured({}), (event) => {
    event.event = '$groupidentify'
    event.distinct_id = 'u2'
    Object.assign(event.properties, {
      $set: { plan: 'pro' },
      $unset: ['old'],
      $groups: { company: 'acme' },
      $group_type: 'company',
      $group_key: 'acme',
      $group_set: { size: 7 },
      $elements: [{ tag_name: 'a' }],
    })
    event.$set = { plan: 'max' }
    event.$set_once = { first: 1 }
  })
  t.match(meaning(changed), {
    event: '$groupidentify',
    distinctId: 'u2',
    person: { profile: true, set: { plan: 'max' }, setOnce: { first: 1 }, unset: ['old'] },
    groups: [{ type: 'company', key: 'acme' }],
    groupChange: { type: 'company', key: 'acme', set: { size: 7 } },
    properties: { $set: { plan: 'max' }, $set_once: { first: 1 } },
  })
  t.match(changed.elementsChain, /^a:/)
  t.notMatch(changed.properties, /elements/)
  const quiet = through(captured({ $set: { a: 1 } }), ({ properties }) => {
    properties['$process_person_profile'] = false
  })
  t.equal(quiet.person.profile, false)
  t.end()
})

t.test('a property that a plugin removes or changes does not stay with the person', (t) => {
  const sent = { $current_url: 'https://a/?token=1', $browser: 'X', $set: { $browser: 'mine' } }
  const before = captured(sent)
  t.match(before.person.volatile, /token/)
  t.match(before.person.setOnce, /initial_current_url/)
  const removed = through(before, ({ properties }) => {
    delete properties['$current_url']
  })
  const { set, setOnce, volatile } = removed.person
  t.notMatch(removed.properties + set + setOnce + volatile, /token|current_url/)
  t.match(removed.person.set, /browser/)
  const changed = through(before, ({ properties }) => {
    properties['$current_url'] = 'https://a/'
  })
  t.equal(JSON.parse(changed.person.volatile)['$current_url'], 'https://a/')
  t.equal(JSON.parse(changed.person.setOnce)['$initial_current_url'], 'https://a/')
  t.end()
})

t.test('places that a plugin sets on the person are no $set of the client', (t) => {
  const located = (event: PluginEvent) => {
    const { properties } = event
    properties['$geoip_city_name'] = 'Bern'
    properties['$geoip_latitude'] = 46.9
    const set = properties['$set']
    properties['$set'] = {
      ...(typeof set === 'object' ? set : {}),
      ...{ $geoip_city_name: 'Bern', $geoip_latitude: 46.9 },
    }
    properties['$set_once'] = { $initial_geoip_city_name: 'Bern' }
  }
  const plain = through(captured({}), located)
  t.match(plain.person, {
    set: '{"$geoip_city_name":"Bern"}',
    setOnce: '{"$initial_geoip_city_name":"Bern"}',
    volatile: '{"$geoip_latitude":46.9}',
  })
  t.same(JSON.parse(plain.properties), { $geoip_city_name: 'Bern', $geoip_latitude: 46.9 })
  const asked = through(captured({ $set: { $geoip_latitude: 1, plan: 'pro' } }), located)
  t.same(JSON.parse(asked.properties)['$set'], { $geoip_latitude: 46.9, plan: 'pro' })
  t.match(asked.person.set, /latitude/, 'what the client sets counts')
  t.end()
})

t.test('elements can be taken away or changed', (t) => {
  const event = captured({ $elements_chain: 'a:text="secret"' })
  const without = through(event, ({ properties }) => {
    delete properties['$elements_chain']
  })
  t.equal(without.elementsChain, '')
  const other = through(event, ({ properties }) => {
    properties['$elements_chain'] = 'b:'
  })
  t.equal(other.elementsChain, 'b:')
  t.end()
})

t.test('texts that cannot be stored are cleaned, and a far future is now', (t) => {
  const event = through(captured({}), (given) => {
    given.event = 'a\0b'
    given.distinct_id = '\ud800'
    given.properties['k\0'] = 'v\0'
    given.properties['$set'] = { 'n\0': '\udfff' }
    given.timestamp = '2924-05-01T12:00:00Z'
  })
  t.equal(event.event, 'a\ufffdb')
  t.equal(event.distinctId, '\ufffd')
  t.match(JSON.parse(event.properties), { 'k\ufffd': 'v\ufffd' })
  t.same(JSON.parse(event.person.set), { 'n\ufffd': '\ufffd' })
  t.equal(event.timestamp, '2024-05-01T12:00:00.000000Z')
  t.end()
})

t.test('a stored event has its elements, its address and what it sets', (t) => {
  const event = captured({ $ip: '1.2.3.4', $set: { a: 1 }, $elements_chain: 'a.b:text="x"' })
  const stored = toStoredEvent(event, PROJECT)
  t.match(stored, {
    uuid: event.uuid,
    team_id: 1,
    ip: '1.2.3.4',
    $set: { a: 1 },
    timestamp: '2024-05-01T12:00:00.000000Z',
    properties: { $set: { a: 1 } },
    elements: [{ tag_name: 'a', attr_class: ['b'], text: 'x' }],
  })
  t.notOk('$set_once' in stored)
  t.same(toStoredEvent(ingestEvent(), PROJECT).elements, [])
  t.end()
})
