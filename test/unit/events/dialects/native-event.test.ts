import t from 'tap'
import type { NativeDialect } from '../../../../src/events/dialects/native-event.ts'
import {
  type Dialect,
  type IngestContext,
  parseEvents,
} from '../../../../src/events/parse-event.ts'

const NEW_UUID = '018f0000-0000-7000-8000-000000000000'
const GIVEN_UUID = '0190a5f2-0000-7000-8000-00000000000a'

function parseOne(item: object, dialect: Dialect = { kind: 'posthog' }) {
  const context: IngestContext = {
    projectId: 7,
    dialect,
    receivedAtMs: Date.UTC(2024, 4, 1, 12),
    sentAt: [],
    ip: '9.9.9.9',
    anonymizeIps: false,
  }
  const payload = dialect.kind === 'v1' ? { batch: [item] } : item
  const result = parseEvents(JSON.parse(JSON.stringify(payload)), context, () => NEW_UUID)
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error(`not stored: ${JSON.stringify(result)}`)
  return { ...event, properties: JSON.parse(event.properties) }
}

const PAGE = { event: '$page', distinct_id: 'd', name: 'Home', category: 'Docs' }

t.test('a page and a screen keep name and category, whatever route they come by', async (t) => {
  const dialects: Dialect[] = [
    { kind: 'posthog' },
    { kind: 'mixpanel' },
    { kind: 'v1', sdk: undefined },
  ]
  for (const dialect of dialects) {
    for (const event of ['$page', '$screen']) {
      const { properties } = parseOne({ ...PAGE, event, properties: { a: 1 } }, dialect)
      t.match(properties, { a: 1, name: 'Home', category: 'Docs' }, `${dialect.kind} ${event}`)
    }
  }
  const own = parseOne({ ...PAGE, properties: { name: 'Own', category: null } })
  t.match(own.properties, { name: 'Own', category: 'Docs' }, 'its properties are above it')
  t.notOk('name' in parseOne({ ...PAGE, name: null }).properties)
  t.notOk('name' in parseOne({ ...PAGE, event: '$pageview' }).properties, 'no other event does')
})

t.test('the message id of an event makes no uuid, whatever route it comes by', async (t) => {
  const kinds: NativeDialect[] = ['posthog', 'engage', 'mixpanel']
  for (const kind of kinds) {
    for (const messageId of ['m-1', GIVEN_UUID, '', null, 5]) {
      const event = { event: 'e', distinct_id: 'd', messageId }
      t.equal(parseOne(event, { kind }).uuid, NEW_UUID)
      t.equal(parseOne({ ...event, uuid: 'x' }, { kind }).uuid, NEW_UUID)
      t.equal(parseOne({ ...event, uuid: GIVEN_UUID }, { kind }).uuid, GIVEN_UUID)
    }
  }
})

t.test('the ip and the group of the context are kept, and nothing else', async (t) => {
  const event = { event: 'e', distinct_id: 'd', type: 'capture' }
  const context = { ip: '5.6.7.8', groupId: 'acme', library: { name: 'x' } }
  t.same(parseOne({ ...event, context }).properties, {
    $ip: '5.6.7.8',
    $groups: { group: 'acme' },
  })
  const own = { $ip: '1.1.1.1', $groups: { company: 'b' } }
  t.same(parseOne({ ...event, context, properties: own }).properties, own)
  for (const other of [null, 5, [], { ip: 5, groupId: ' ' }]) {
    t.same(parseOne({ ...event, context: other }).properties, { $ip: '9.9.9.9' })
  }
})
