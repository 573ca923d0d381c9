import t from 'tap'
import { parseExact } from '../../../../src/core/json-text/exact-numbers.ts'
import type { PluginEvent } from '../../../../src/plugins/ports.ts'
import { withDigits } from '../../../../src/plugins/sandbox/kept-digits.ts'

const LONG = '9007199254740993'
const HUGE = '7'.repeat(400)

/** Only its properties count here. */
const eventWith = (text: string) => ({ properties: parseExact(text) }) as PluginEvent

t.test('a number that a plugin left alone keeps its digits', async (t) => {
  for (const [before, given, kept] of [
    [`{"a":${LONG},"b":[${LONG},1]}`, '{"a":9007199254740992,"b":[9007199254740992]}', undefined],
    [`{"a":${LONG}}`, '{"a":9007199254740994}', '{"a":9007199254740994}'],
    [`{"a":${LONG}}`, '{"b":9007199254740992}', '{"b":9007199254740992}'],
    [`{"a":${LONG}}`, '{"a":"9007199254740992"}', '{"a":"9007199254740992"}'],
    [`{"a":${HUGE},"b":${LONG}}`, '{"a":null,"b":null}', `{"a":${HUGE},"b":null}`],
    [`{"__proto__":${LONG}}`, '{"__proto__":9007199254740992}', `{"__proto__":${LONG}}`],
    [`{"a":{"b":${LONG}}}`, '{"a":[9007199254740992]}', '{"a":[9007199254740992]}'],
  ] as const) {
    const expected = kept ?? `{"a":${LONG},"b":[${LONG}]}`
    const answer = { kind: 'kept', event: { properties: JSON.parse(given) } } as const
    const [restored] = withDigits([answer], [eventWith(before)])
    const event = { properties: parseExact(expected) }
    t.same(restored, { kind: 'kept', event }, before.slice(0, 60))
  }
})

t.test('other answers stay as they are', async (t) => {
  const answers = [
    { kind: 'dropped' },
    { kind: 'kept', event: 5 },
    { kind: 'kept', event: null },
  ] as const
  t.same(withDigits(answers, [eventWith('{}'), eventWith(`{"a":${LONG}}`), undefined]), answers)
})
