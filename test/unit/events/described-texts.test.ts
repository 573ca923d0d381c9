/** The short way of describing a person by texts, held against the objects that it saves. */
import fc from 'fast-check'
import t from 'tap'
import { cleanObject } from '../../../src/core/clean-text.ts'
import { isObject } from '../../../src/core/json.ts'
import { type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'
import { describePerson } from '../../../src/events/person-properties.ts'

const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: 0,
  sentAt: [],
  ip: '',
  anonymizeIps: false,
}

function parseOne(properties: object) {
  const sent = JSON.stringify({ event: 'seen', distinct_id: 'u1', properties })
  const result = parseEvents(JSON.parse(sent), CONTEXT, () => '')
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error('not stored')
  return event
}

t.test('the texts that describe a person are those of objects that are made for it', async (t) => {
  const name = fc.constantFrom('$browser', '$current_url', 'utm_source', '$os', 'plain', '1')
  const initial = fc.constantFrom('$initial_browser', '$initial_os', 'first', '__proto__', '7')
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constantFrom<unknown>(null, '\u0000"', '\ud800', '\\u0000', { a: ['\u0001'] }, [], true),
  )
  const members = (names: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(names, value), { maxLength: 5 }).map((list) => Object.fromEntries(list))
  const held = fc.oneof(members(initial), fc.constantFrom<unknown>(undefined, null, 'no', [1]))
  fc.assert(
    fc.property(members(name), held, held, fc.boolean(), (sent, set, setOnce, isFirst) => {
      const more = { $set: set, $set_once: setOnce }
      const properties = isFirst ? { ...more, ...sent } : { ...sent, ...more }
      const expected = JSON.parse(JSON.stringify(properties))
      describePerson(expected)
      const clean = cleanObject(expected)
      const event = parseOne(properties)
      t.strictSame(JSON.parse(event.properties), JSON.parse(JSON.stringify(clean)))
      const textOf = (made: unknown) =>
        isObject(made) && Object.keys(made).length > 0 ? JSON.parse(JSON.stringify(made)) : ''
      const kept = (text: string) => (text === '' ? '' : JSON.parse(text))
      t.strictSame(kept(event.person.set), textOf(clean['$set']))
      t.strictSame(kept(event.person.setOnce), textOf(clean['$set_once']))
    }),
    { numRuns: 300 },
  )
})
