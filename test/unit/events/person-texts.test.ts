/** The texts of what an event sets on its person, held against a plain reading of the rules. */
import fc from 'fast-check'
import t from 'tap'
import { cleanObject } from '../../../src/core/clean-text.ts'
import { isObject, type Json, type JsonObject, objectOf } from '../../../src/core/json.ts'
import { type IngestContext, parseEvents } from '../../../src/events/parse-event.ts'

const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: 0,
  sentAt: [],
  ip: '',
  anonymizeIps: false,
}

function parseOne(properties: object, name = 'seen') {
  const sent = JSON.stringify({ event: name, distinct_id: 'u1', properties })
  const result = parseEvents(JSON.parse(sent), CONTEXT, () => '')
  const event = result.ok ? result.value.events[0] : undefined
  if (event === undefined) throw new Error('not stored')
  return event
}

/** The names below that describe a person, and of them those of the moment. */
const DESCRIBING = ['$browser', '$current_url', 'utm_source', '$os']
const OF_THE_MOMENT = ['$browser', '$current_url', '$os']
const initialOf = (name: string) => `$initial_${name.replace('$', '')}`

function expectedOf(name: string, properties: JsonObject) {
  const own = new Map(Object.entries(objectOf(properties['$set'])))
  const once = new Map(Object.entries(objectOf(properties['$set_once'])))
  const volatile = new Map<string, Json>()
  for (const key of DESCRIBING) {
    const value = properties[key]
    if (value === undefined) continue
    const counts = own.has(key) || !OF_THE_MOMENT.includes(key) || name === '$identify'
    const target = counts ? own : volatile
    target.set(key, value)
    once.set(initialOf(key), value)
  }
  return { set: own, setOnce: once, volatile }
}

t.test('properties of the moment are separate from those that count', async (t) => {
  const name = fc.constantFrom('$browser', '$current_url', 'utm_source', '$os', 'plain', '1')
  const initial = fc.constantFrom('$initial_browser', '$initial_os', 'first', '__proto__', '7')
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constantFrom<unknown>(null, '\u0000"', '\ud800', '\\u0000', { a: ['\u0001'] }, [], true),
  )
  const members = (names: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(names, value), { maxLength: 5 }).map((list) => Object.fromEntries(list))
  const held = (names: fc.Arbitrary<string>) =>
    fc.oneof(members(names), fc.constantFrom<unknown>(undefined, null, 'no', [1]))
  const event = fc.constantFrom('seen', '$identify')
  fc.assert(
    fc.property(
      event,
      members(name),
      held(fc.oneof(name, initial)),
      held(initial),
      (event, sent, set, setOnce) => {
        const properties = { ...sent, $set: set, $set_once: setOnce }
        const clean = cleanObject(JSON.parse(JSON.stringify(properties)))
        const parsed = parseOne(properties, event)
        t.strictSame(JSON.parse(parsed.properties), JSON.parse(JSON.stringify(clean)), 'as sent')
        const expected = expectedOf(event, clean)
        for (const key of ['set', 'setOnce', 'volatile'] as const) {
          const text = parsed.person[key]
          const read: unknown = text === '' ? {} : JSON.parse(text)
          const sorted = (entries: Iterable<readonly [string, unknown]>) =>
            [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
          t.strictSame(isObject(read) && sorted(Object.entries(read)), sorted(expected[key]), key)
        }
      },
    ),
    { numRuns: 300 },
  )
})

t.test('a property that the client sets itself counts, with the value of the event', async (t) => {
  const { person } = parseOne({ $browser: 'Firefox', $os: 'Linux', $set: { $browser: 'mine' } })
  t.match(person, { set: '{"$browser":"Firefox"}', volatile: '{"$os":"Linux"}' })
})
