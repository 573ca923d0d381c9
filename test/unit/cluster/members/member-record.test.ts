import fc from 'fast-check'
import t from 'tap'
import {
  CLUSTER_PROTOCOL,
  formatGone,
  formatMember,
  MEMBER_VALUE_CHARS_MAX,
  type MemberRecord,
  memberKey,
  parseRecord,
} from '../../../../cluster/members/member-record.ts'

const record: MemberRecord = {
  member: {
    id: '8d0ad0a6-9f3b-4a3e-8a5a-0d7c2f0f6c11',
    address: '[::1]:8001',
    role: 'standalone',
    state: 'draining',
    weight: 0.5,
    version: '1.2.3',
    process: { host: 'm1', pid: 42, startedMs: 1_795_860_000_000 },
  },
  joinedAt: 17,
  beats: 3,
  nonce: 'x1',
}
const key = memberKey(record.member)
const fields: Readonly<Record<string, unknown>> = JSON.parse(formatMember(record))
const parse = (change: Readonly<Record<string, unknown>>) =>
  parseRecord(key, JSON.stringify({ ...fields, ...change }))

t.test('a record that is no member is reported as unreadable', (t) => {
  for (const value of ['', 'x', '[]', 'null', '1', '{}', '{"protocol":"1"}']) {
    t.equal(parseRecord(key, value).kind, 'unreadable', value)
  }
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    id: [1, null, 'another'],
    address: [undefined, 8001],
    role: ['leader', 3, 'worker'],
    state: ['asleep', undefined],
    weight: [0, -1, '1', null],
    version: [2, undefined],
    joinedAt: [-1, 1.5, '1', undefined],
    beats: [-1, Number.MAX_VALUE, undefined],
    nonce: [1, undefined],
  }
  t.equal(parse({ zone: 'x'.repeat(MEMBER_VALUE_CHARS_MAX) }).kind, 'unreadable')
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      t.equal(parse({ [name]: value }).kind, 'unreadable', `${name} ${String(value)}`)
    }
  }
  t.end()
})

t.test('no text makes the parser throw', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      parseRecord(key, text)
    }),
  )
  t.pass('nothing was thrown')
  t.end()
})

t.test('a member of another protocol is told from what cannot be read', (t) => {
  const parsed = parseRecord(key, `{"protocol":${CLUSTER_PROTOCOL + 1},"address":"w:1"}`)
  const about = 'w:1, version undefined'
  t.strictSame(parsed, { kind: 'foreign', protocol: CLUSTER_PROTOCOL + 1, about })
  t.end()
})

t.test('fields of newer versions are read over', (t) => {
  t.strictSame(parse({ zone: 'eu', load: { cpu: 1 } }), { kind: 'member', record })
  t.end()
})

t.test('a process that is absent or of another kind leaves the member as it is', (t) => {
  const { process, ...member } = record.member
  const wrong = [
    ...[undefined, null, 1, {}, { ...process, host: 1 }, { ...process, pid: -1 }],
    ...[
      { ...process, pid: 2 ** 31 },
      { ...process, startedMs: Number.MAX_SAFE_INTEGER },
    ],
  ]
  for (const value of wrong) {
    const parsed = { kind: 'member', record: { ...record, member } }
    t.strictSame(parse({ process: value }), parsed, JSON.stringify(value))
  }
  t.end()
})

t.test('a member and its removal are read as they were written', (t) => {
  t.strictSame(parseRecord(key, formatMember(record)), { kind: 'member', record })
  for (const reason of ['declared_dead', 'replaced'] as const) {
    t.strictSame(parseRecord(key, formatGone(reason, 'judge')), { kind: 'gone', reason })
  }
  t.end()
})
