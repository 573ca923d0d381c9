import t from 'tap'
import { parseEvents } from '../../../../src/events/parse-event.ts'

const NEW_UUID = '018f0000-0000-7000-8000-000000000000'

type Kind = 'mixpanel' | 'posthog' | 'engage'

function uuidOf(item: object, { kind = 'mixpanel' as Kind, projectId = 7 } = {}): string {
  const parsed = parseEvents(
    item,
    {
      projectId,
      dialect: { kind },
      receivedAtMs: 0,
      sentAt: [],
      ip: '',
      anonymizeIps: false,
    },
    () => NEW_UUID,
  )
  const event = parsed.ok ? parsed.value.events[0] : undefined
  if (event === undefined) throw new Error('not stored')
  return event.uuid
}

const item = (properties: object = {}, event = 'paid') => ({
  event,
  properties: {
    distinct_id: 'u1',
    time: 1_714_557_600.5,
    $insert_id: 'f6pc7f4gescpvuxf',
    ...properties,
  },
})

t.test('an event that is sent again has the uuid it had', async (t) => {
  const uuid = uuidOf(item())
  t.equal(uuid, '3f8cf0ad-bb5a-5cab-ba2e-94efda1e2ace', 'a stored format')
  t.equal(uuidOf(item({ mp_sent_by_lib_version: '2.83.0' })), uuid, 'whoever sends it')
})

t.test('an insert id tells events of one name, time, user and project apart', async (t) => {
  const others = [
    uuidOf(item({ $insert_id: 'other' })),
    uuidOf(item({ time: 1_714_557_601.5 })),
    uuidOf(item({ distinct_id: 'u2' })),
    uuidOf(item({}, 'refunded')),
    uuidOf(item(), { projectId: 8 }),
  ]
  t.equal(new Set([uuidOf(item()), ...others]).size, others.length + 1)
})

t.test('texts that are no insert id, and other forms of events, have a new uuid', async (t) => {
  for (const id of [undefined, null, '', 5, 'x'.repeat(1_025)]) {
    t.equal(uuidOf(item({ $insert_id: id })), NEW_UUID)
  }
  t.equal(uuidOf({ event: 'paid', distinct_id: 'u1', properties: [] }), NEW_UUID)
  t.equal(uuidOf(item(), { kind: 'posthog' }), NEW_UUID)
  t.equal(uuidOf(item(), { kind: 'engage' }), NEW_UUID)
})

t.test('a uuid of its own is above it', async (t) => {
  const uuid = '0190a5f2-0000-7000-8000-00000000000a'
  t.equal(uuidOf({ ...item(), uuid }), uuid)
})
