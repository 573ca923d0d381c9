import t from 'tap'
import { UsageError } from '../../../../src/cli/command-end.ts'
import { readRecorded, SAMPLE_EVENTS } from '../../../../src/cli/plugin/plugin-events.ts'
import { projectId } from '../../../../src/core/ids.ts'
import type { Json } from '../../../../src/core/json.ts'

const UUID = '0190e1f0-0000-7000-8000-000000000001'
const NOW = '2026-05-01T12:00:00.000Z'
const frame = { projectId: projectId(1), newUuid: () => UUID, nowMs: Date.parse(NOW) }
const read = (json: Json) => readRecorded(json, 'events.json', frame)
const names = (json: Json) => read(json).map(({ event }) => event.event)

t.test('events are given as one, as a list, as a batch, or as a list that was answered', (t) => {
  const event = { event: 'a', distinct_id: 'ann' }
  for (const json of [event, [event], { batch: [event] }, { results: [event], next: null }]) {
    t.same(names(json), ['a'], JSON.stringify(json))
  }
  t.equal(names(SAMPLE_EVENTS).length, 3)
  t.end()
})

t.test('an event is what the server would make of it', (t) => {
  const timestamp = '2026-04-30T10:00:00.000Z'
  const [recorded] = read([
    { ...{ event: ' paid ', distinct_id: 7, timestamp, $set: { plan: 'free' } }, ip: '192.0.2.1' },
  ])
  t.match(recorded?.event, {
    uuid: UUID,
    event: 'paid',
    distinct_id: '7',
    team_id: 1,
    timestamp: /^2026-04-30T10:00:00/,
    now: NOW,
    ip: '192.0.2.1',
    properties: { $ip: '192.0.2.1', $set: { plan: 'free' } },
  })
  t.end()
})

t.test('properties that were answered as text are read', (t) => {
  const [recorded] = read([{ event: 'a', distinct_id: 'b', properties: '{"x": [1]}' }])
  t.same(recorded?.event.properties['x'], [1])
  t.end()
})

t.test('a stored event has no members of the way in, and the event stays as it was', (t) => {
  const [recorded] = read([{ event: 'a', distinct_id: 'b', properties: { x: 1 } }])
  if (recorded === undefined) throw new Error('no event')
  const stored = recorded.stored({ ...recorded.event, event: 'changed' })
  t.match(stored, { uuid: UUID, event: 'changed', properties: { x: 1 }, elements: [] })
  t.notOk('now' in stored || 'site_url' in stored)
  t.equal(recorded.event.event, 'a')
  t.end()
})

t.test('the first one that the server would not take is named', (t) => {
  const good = { event: 'a', distinct_id: 'b' }
  const wrong: [Json, RegExp][] = [
    [[], /there are no events/],
    [{ batch: [] }, /there are no events/],
    [5, /event 1 is not an object/],
    [[good, null], /event 2 is not an object/],
    [[good, { event: 'a' }], /would refuse .*event 2: no_distinct_id/],
    [[{ distinct_id: 'b' }], /would refuse .*event 1: no_name/],
    [[{ ...good, properties: [] }], /event 1: "properties" is not an object/],
    [[{ ...good, properties: '{' }], /event 1: "properties" is not an object/],
  ]
  for (const [json, message] of wrong) {
    t.throws(() => read(json), message, JSON.stringify(json))
    t.throws(() => read(json), UsageError)
  }
  t.end()
})
