import t from 'tap'
import type { IngestEvent } from '../../../src/events/event.ts'
import { type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'

const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: Date.UTC(2024, 4, 1, 12),
  sentAt: [],
  ip: '',
  anonymizeIps: false,
}

function parseOne(payload: unknown, context: Partial<IngestContext>): IngestEvent {
  const all = { ...CONTEXT, ...context }
  const result = parseEvents(JSON.parse(JSON.stringify(payload)), all, () => 'uuid')
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error(`not stored: ${JSON.stringify(result)}`)
  return event
}

const valid = (fields: object = {}) => ({ event: 'paid', distinct_id: 'u1', ...fields })

t.test('a project that anonymizes ips keeps none, wherever an event has it', async (t) => {
  const ip = '9.9.9.9'
  const kept = { plan: 'x' }
  const addresses = { $ip: ip, ip, $initial_ip: ip, ...kept }
  const everywhere = {
    ...{ ip, $ip: ip, $set: { $ip: ip, ip, top: 1 }, $set_once: { $initial_ip: ip, top: 2 } },
    properties: { ...addresses, $set: addresses, $set_once: addresses },
  }
  const context = { ip: '1.2.3.4', anonymizeIps: true }
  for (const kind of ['posthog', 'mixpanel', 'engage'] as const) {
    const event = parseOne(valid(everywhere), { ...context, dialect: { kind } })
    t.notMatch(JSON.stringify(event), /9\.9\.9\.9|1\.2\.3\.4/, kind)
    t.same(JSON.parse(event.person.set), { ...kept, top: 1 }, kind)
    t.same(JSON.parse(event.person.setOnce), { ...kept, top: 2 }, kind)
  }
  const traits = { userId: 'u', traits: addresses, context: { ip, traits: { ip } } }
  const segment = { kind: 'segment', type: 'identify' } as const
  const identified = parseOne(traits, { ...context, dialect: segment })
  t.notMatch(JSON.stringify(identified), /9\.9\.9\.9|1\.2\.3\.4/)
  t.same(JSON.parse(identified.person.set), kept)
  const group = { event: '$groupidentify', distinct_id: 'u', properties: { $group_type: 'a' } }
  Object.assign(group.properties, { $group_key: 'b', $group_set: addresses })
  t.same(JSON.parse(parseOne(group, context).groupChange?.set ?? ''), kept)
})
