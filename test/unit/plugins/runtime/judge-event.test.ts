import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { DISTINCT_ID_LENGTH_MAX, JSON_DEPTH_MAX } from '../../../../src/core/limits/limits.ts'
import { PLUGIN_EVENT_CHARS_MAX } from '../../../../src/core/limits/limits-plugins.ts'
import type { PluginEvent } from '../../../../src/plugins/ports.ts'
import { beforeStep, judgeEvent } from '../../../../src/plugins/runtime/judge-event.ts'

function event(more: Partial<PluginEvent> = {}): PluginEvent {
  return {
    uuid: 'u',
    event: 'paid',
    distinct_id: 'd',
    team_id: 1,
    properties: {},
    timestamp: '2024-05-01T12:00:00.123456Z',
    now: 'n',
    ip: null,
    site_url: 's',
    ...more,
  }
}

function judge(given: unknown, before: PluginEvent = event()) {
  return judgeEvent(given, beforeStep(before))
}

/** Remaining events, or the error. */
function outcome(given: unknown, before?: PluginEvent) {
  const judged = judge(given, before)
  return judged.ok ? judged.value.event : judged.error
}

function nested(levels: number): Json {
  return levels === 0 ? 1 : { a: nested(levels - 1) }
}

t.test('a value that is no event fails, and says why', (t) => {
  const long = 'x'.repeat(DISTINCT_ID_LENGTH_MAX + 1)
  const wrong: [unknown, RegExp][] = [
    [null, /object/],
    ['text', /object/],
    [[event()], /object/],
    [{}, /`event`/],
    [{ ...event(), event: '' }, /`event`/],
    [{ ...event(), event: 7 }, /`event`/],
    [{ ...event(), distinct_id: undefined }, /`distinct_id`/],
    [{ ...event(), distinct_id: 7 }, /`distinct_id`/],
    [{ ...event(), distinct_id: ' ' }, /`distinct_id`/],
    [{ ...event(), distinct_id: long }, /longer than 200/],
    [{ ...event(), properties: 'text' }, /`properties`/],
    [{ ...event(), properties: [] }, /`properties`/],
    [{ ...event(), team_id: 2 }, /team_id/],
    [{ ...event(), team_id: '1' }, /team_id/],
    [{ ...event(), properties: { a: 'x'.repeat(PLUGIN_EVENT_CHARS_MAX) } }, /longer than/],
    [{ ...event(), properties: { a: nested(JSON_DEPTH_MAX) } }, /nests/],
    [{ ...event(), properties: { a: 1n } }, /JSON/],
  ]
  for (const [given, why] of wrong) t.match(outcome(given), why)
  const circle: Record<string, unknown> = { ...event() }
  circle['properties'] = { circle }
  t.match(outcome(circle), /nests/)
  t.end()
})

t.test('a value just within the bounds is kept', (t) => {
  const id = '\u{1f600}'.repeat(DISTINCT_ID_LENGTH_MAX)
  t.match(outcome(event({ distinct_id: id })), { distinct_id: id })
  t.type(outcome(event({ properties: { a: nested(JSON_DEPTH_MAX - 2) } })), 'object')
  const bare = JSON.stringify(event({ properties: { a: '' } })).length
  const full = event({ properties: { a: 'x'.repeat(PLUGIN_EVENT_CHARS_MAX - bare) } })
  t.type(outcome(full), 'object')
  t.end()
})

t.test('members of the runtime are as before, others are left out', (t) => {
  const given = {
    event: 'e',
    distinct_id: 'd',
    uuid: 'other',
    now: 1,
    site_url: 2,
    odd: 3,
    $set: 4,
  }
  t.same(outcome(given), event({ event: 'e' }))
  t.same(outcome({ ...given, properties: null, team_id: undefined }), event({ event: 'e' }))
  const set = { $set: { a: 1 }, $set_once: { b: 2 } }
  t.same(outcome({ ...event(), ...set }), event(set))
  t.end()
})

t.test('a time that can be read is kept as UTC, any other is the one before', (t) => {
  const times: [unknown, string][] = [
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000000Z'],
    ['2024-05-01T12:00:00.123456Z', '2024-05-01T12:00:00.123456Z'],
    ['soon', '2024-05-01T12:00:00.123456Z'],
    [7, '2024-05-01T12:00:00.123456Z'],
    [undefined, '2024-05-01T12:00:00.123456Z'],
  ]
  for (const [given, timestamp] of times) {
    t.match(outcome({ ...event(), timestamp: given }), { timestamp })
  }
  t.end()
})

t.test('ip and $ip are one: whichever was changed counts', (t) => {
  const before = event({ ip: '1.1.1.1', properties: { $ip: '1.1.1.1' } })
  const judged = (ip: unknown, $ip: Json | undefined) => {
    const properties = $ip === undefined ? {} : { $ip }
    const left = outcome({ ...before, ip, properties }, before)
    return typeof left === 'string' ? left : [left.ip, left.properties['$ip'] ?? null]
  }
  t.same(judged('1.1.1.1', '1.1.1.1'), ['1.1.1.1', '1.1.1.1'])
  t.same(judged(null, '1.1.1.1'), [null, null])
  t.same(judged('2.2.2.2', '1.1.1.1'), ['2.2.2.2', '2.2.2.2'])
  t.same(judged('1.1.1.1', undefined), [null, null])
  t.same(judged('1.1.1.1', '3.3.3.3'), ['3.3.3.3', '3.3.3.3'])
  t.same(judged(undefined, '1.1.1.1'), ['1.1.1.1', '1.1.1.1'])
  t.end()
})
