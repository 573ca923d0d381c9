import fc from 'fast-check'
import t from 'tap'
import {
  formatKeptEvent,
  keptUuid,
  parseKeptEvent,
} from '../../../../src/event-store/dead-letters/kept-event.ts'
import { codePoint } from '../../../support/code-points.ts'
import { makeEvent } from '../../../support/ingest/ingest-store.ts'

const event = makeEvent({ person: { merge: { kind: 'alias', otherDistinctId: 'o' } } })

t.test('a kept event that is no event is refused with what is wrong', (t) => {
  const kept: unknown = JSON.parse(formatKeptEvent(event))
  const changed = (changes: object) => JSON.stringify({ ...Object(kept), ...changes })
  const person = (changes: object) => changed({ person: { ...event.person, ...changes } })
  const cases: [string, string][] = [
    ['', 'it is not JSON'],
    ['{"uuid":', 'it is not JSON'],
    ['null', 'the event is not an object'],
    ['[]', 'the event is not an object'],
    ['{}', 'timestamp is not a text'],
    [changed({ uuid: 1 }), 'uuid is not a text'],
    [changed({ uuid: undefined }), 'uuid is not a text'],
    [changed({ event: null }), 'event is not a text'],
    [changed({ distinctId: {} }), 'distinctId is not a text'],
    [changed({ properties: {} }), 'properties is not a text'],
    [changed({ elementsChain: false }), 'elementsChain is not a text'],
    [changed({ timestamp: '2026-03-04' }), 'timestamp is not in the form it is kept in'],
    [
      changed({ timestamp: '2026-03-04T05:06:07.1Z' }),
      'timestamp is not in the form it is kept in',
    ],
    [changed({ plan: 'later' }), 'the event has a field of another version'],
    [changed({ person: undefined }), 'person is not an object'],
    [person({ profile: 1 }), 'profile is neither true nor false'],
    [person({ set: null }), 'set is not a text'],
    [person({ unset: 'a' }), 'unset is not a list'],
    [person({ unset: ['a', 1] }), 'unset is not a text'],
    [person({ increment: {} }), 'person has a field of another version'],
    [person({ merge: 'alias' }), 'merge is not an object'],
    [person({ merge: { kind: 'fold', otherDistinctId: 'o' } }), 'merge is of an unknown kind'],
    [person({ merge: { kind: 'alias' } }), 'otherDistinctId is not a text'],
    [changed({ groups: {} }), 'groups is not a list'],
    [changed({ groups: [{ type: 't' }] }), 'key is not a text'],
    [changed({ groupChange: null }), 'groupChange is not an object'],
    [changed({ groupChange: { type: 't', key: 'k' } }), 'set is not a text'],
  ]
  for (const [text, problem] of cases) t.same(parseKeptEvent(text), { ok: false, error: problem })
  t.end()
})

t.test('a kept event is read back as it was, whatever its texts hold', (t) => {
  const plain = { noNullPrototype: true } as const
  const text = fc.string({ unit: codePoint })
  const halves = fc.constantFrom('\0', '\ud800', 'a\udc00b', '', '\u2028')
  const odd = fc.oneof(text, halves)
  const pair = fc.record({ type: odd, key: odd }, plain)
  const merge = fc.record(
    {
      kind: fc.constantFrom('identify' as const, 'alias' as const, 'dangerously' as const),
      otherDistinctId: odd,
    },
    plain,
  )
  const groupChange = fc.record({ type: odd, key: odd, set: odd }, plain)
  const person = fc.record(
    {
      profile: fc.boolean(),
      setOnce: odd,
      volatile: odd,
      set: odd,
      unset: fc.array(odd, { maxLength: 3 }),
      merge: fc.option(merge, { nil: undefined }),
    },
    plain,
  )
  const events = fc.record(
    {
      uuid: odd,
      event: odd,
      distinctId: odd,
      timestamp: fc.constant('9999-12-31T23:59:59.999999Z'),
      properties: odd,
      elementsChain: odd,
      person,
      groups: fc.array(pair, { maxLength: 3 }),
      groupChange: fc.option(groupChange, { nil: undefined }),
    },
    plain,
  )
  fc.assert(
    fc.property(events, (event) => {
      const parsed = parseKeptEvent(formatKeptEvent(event))
      t.strictSame(parsed.ok ? parsed.value : parsed.error, event)
    }),
  )
  t.end()
})

t.test('a text that is no uuid has one of its own, always the same', (t) => {
  t.equal(keptUuid({ ...event, uuid: event.uuid.toUpperCase() }), event.uuid)
  const made = keptUuid({ ...event, uuid: 'none' })
  t.match(made, /^[0-9a-f-]{36}$/)
  t.equal(keptUuid({ ...event, uuid: 'none' }), made)
  t.not(keptUuid({ ...event, uuid: 'another' }), made)
  t.end()
})
