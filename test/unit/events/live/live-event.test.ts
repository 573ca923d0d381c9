import t from 'tap'
import { type IngestEvent, NO_PERSON_CHANGE } from '../../../../src/events/event.ts'
import {
  firstMembers,
  LIVE_EVENT_BYTES_MAX,
  liveEventOf,
} from '../../../../src/events/live/live-event.ts'

t.test('the first members of an object are kept whole, within the bytes', (t) => {
  for (const [json, bytes, kept] of [
    ['{"a":1,"b":2}', 100, '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', 12, '{"a":1}'],
    ['{"a":"x,{\\",","b":[1,{"c":2}],"d":4}', 30, '{"a":"x,{\\","}'],
    ['{"a":[1,2,3,4],"b":2}', 12, '{}'],
    ['{"é":"é","b":"long"}', 14, '{"é":"é"}'],
    [
      '{ "n" : 12345678901234567890.10 , "b":"xxxxxxxxxxxx"}',
      40,
      '{ "n" : 12345678901234567890.10 }',
    ],
  ] as const) {
    const found = firstMembers(json, bytes)
    t.equal(found, kept)
    t.doesNotThrow(() => JSON.parse(found))
    t.ok(Buffer.byteLength(found) <= Math.max(bytes, 2))
  }
  t.end()
})

t.test('a live event has no more bytes than it may, and says when it is cut', (t) => {
  const of = (more: Partial<IngestEvent>) =>
    liveEventOf(
      {
        ...{ uuid: 'u', event: 'e', distinctId: 'd', timestamp: '2026-01-01T00:00:00.000000Z' },
        ...{ properties: '{"a":1}', elementsChain: '', person: NO_PERSON_CHANGE },
        ...{ groups: [], groupChange: undefined, ...more },
      },
      '2026-01-01T00:00:01.000Z',
    )
  t.match(of({ elementsChain: 'div' }), {
    ...{ properties: '{"a":1}', elements_chain: 'div', truncated: false },
    stored_at: '2026-01-01T00:00:01.000Z',
  })
  const long = 'é'.repeat(LIVE_EVENT_BYTES_MAX)
  t.match(of({ elementsChain: long }), {
    ...{ properties: '{"a":1}', elements_chain: '', truncated: true },
  })
  t.match(of({ properties: JSON.stringify({ a: 1, long }) }), {
    ...{ properties: '{"a":1}', truncated: true },
  })
  t.end()
})
