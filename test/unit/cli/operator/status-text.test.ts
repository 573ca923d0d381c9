import t from 'tap'
import { readableStatus } from '../../../../src/cli/operator/status-text.ts'
import { memberLine, statusOf } from '../../../support/cluster/status.ts'

const WRITER = {
  ...{ queued_events: 7, queued_bytes: 70, stored_events: 1_000, duplicate_events: 3 },
  ...{ dead_letter_events: 1, oldest_wait_ms: 12, last_error: '' },
}
const SPILL = {
  ...{ configured: true, connected: true, breaker: 'closed', messages: 0, bytes: 0 },
  ...{ bytes_max: 1_000, oldest_age_ms: 0, spilled_events: 0, drained_events: 0 },
  ...{ repeated_events: 0, redelivered_messages: 0 },
}

function rowOf(text: string, address: string): readonly string[] {
  const line = text.split('\n').find((each) => each.startsWith(address))
  return (line ?? '').split(/ {2,}/)
}

t.test('texts of others cannot move the cursor of a terminal', async (t) => {
  const member = memberLine('w1', { address: '\u001b[2Jw1:8001', version: '1.0.0\n2' })
  const writer = { ...WRITER, last_error: 'refused\r\nby the \u0007 server' }
  const text = readableStatus(statusOf({ members: [member], writer, problems: ['a\u001b[31m'] }))
  t.notMatch(text.replaceAll('\n', ''), /\p{Cc}/u)
  t.match(text, /last error +refused {2}by the {3}server/)
})

t.test('a worker that does not answer has no figures, and a gateway none either', async (t) => {
  const text = readableStatus(
    statusOf({
      members: [
        memberLine('w1', { shards: 200, events_per_second: 12.34, writer: WRITER }),
        memberLine('w2', { shards: 56, answered: false }),
        memberLine('g1', { role: 'gateway', answered: false }),
      ],
    }),
  )
  const place = ['42@m1', '2026-11-23T10:00:00Z', '1.0.0']
  const w1 = ['w1:8001', 'worker', 'active', '200', '12.3', '0', '7', 'closed', ...place, 'w1']
  t.same(rowOf(text, 'w1:'), w1)
  const w2 = ['w2:8001', 'worker', 'active', '56', '?', '?', '?', 'no answer', ...place, 'w2']
  t.same(rowOf(text, 'w2:'), w2)
  t.same(rowOf(text, 'g1:').slice(1, 4), ['gateway', 'active', '-'])
  t.same(rowOf(text, 'together'), ['together', '256', '12.3', '0', '7'])
})

t.test(
  'two gateways of one port are told apart, and an older release has nothing to say',
  async (t) => {
    const gateway = (id: string, more: object) =>
      memberLine(id, { role: 'gateway', address: '127.0.0.1:8000', ...more })
    const members = [gateway('g1', { pid: 1 }), gateway('g2', { pid: 2 })]
    const older = memberLine('old', { host: '', pid: 0, started_at: '' })
    const text = readableStatus(statusOf({ members: [...members, older] }))
    t.match(text, /1@m1 +2026-11-23T10:00:00Z +1\.0\.0 +g1/)
    t.match(text, /2@m1 +2026-11-23T10:00:00Z +1\.0\.0 +g2/)
    t.same(rowOf(text, 'old:').slice(-4), ['-', '-', '1.0.0', 'old'])
  },
)

t.test(
  'flags and cohorts with a condition that nothing can meet are counted, and the first ones named',
  async (t) => {
    const named = (count: number, keys: readonly string[]) => {
      const first = keys.map((key) => ({ project_id: 7, key }))
      return readableStatus(statusOf({ warned_flags: { count, first } }))
    }
    t.match(named(3, ['a', 'b']), /flags +3 with .*: a of project 7, b of project 7, 1 more\n/)
    t.match(named(1, ['a']), /flags +1 with .*: a of project 7\n/)
    t.match(named(0, []), /flags +none has/)
    t.notMatch(readableStatus(statusOf()), /flags|cohorts/)
    const first = [
      { project_id: 7, id: 3, name: 'Odd' },
      { project_id: 8, id: 4, name: '' },
    ]
    const cohorts = readableStatus(statusOf({ warned_cohorts: { count: 3, first } }))
    t.match(cohorts, /cohorts +3 with .*: Odd of project 7, 4 of project 8, 1 more\n/)
    t.match(readableStatus(statusOf({ warned_cohorts: { count: 0, first: [] } })), /cohorts +none/)
  },
)

t.test('problems come last, counted', async (t) => {
  const text = readableStatus(statusOf({ problems: ['First.', 'Second.'] }))
  t.match(text, /\nPROBLEMS: 2\n {2}- First\.\n {2}- Second\.$/)
  t.match(readableStatus(statusOf()), /\nNo problems\.$/)
})

t.test('stores say how they are, and which setting is not set', async (t) => {
  const bad = readableStatus(
    statusOf({
      ...{ database: 'down', membership: 'frozen', redis: 'down', dead_letters: -1 },
      spill: { ...SPILL, connected: false, messages: 3, bytes: 250, oldest_age_ms: 61_400 },
    }),
  )
  t.match(bad, /Postgres +does not answer/)
  t.match(bad, /membership +frozen: NATS does not answer/)
  t.match(bad, /Redis +down/)
  t.match(bad, /dead letters +unknown/)
  t.notMatch(bad, /keys refused/, 'a worker of an older release does not say')
  const refused = readableStatus(
    statusOf({ refused_keys: { project: 3, personal: 2, operator: 1 } }),
  )
  t.match(refused, /keys refused +3 of projects, 2 personal, 1 operator tokens/)
  t.match(bad, /spill +3 messages, 25\.0 % full, oldest 61 s when NATS last answered/)
  const alone = readableStatus(statusOf({ membership: 'memory', redis: 'memory' }))
  t.match(alone, /membership +this process alone \(NATS_URL is not set\)/)
  t.match(alone, /Redis +none, .*REDIS_URL/)
  t.match(alone, /spill +none \(NATS_URL is not set\)/)
  t.match(readableStatus(statusOf({ spill: { ...SPILL, bytes_max: 0 } })), /spill +empty\n/)
  const again = readableStatus(statusOf({ spill: { ...SPILL, redelivered_messages: 2 } }))
  t.match(again, /spill +empty; 2 came more than once/)
})
