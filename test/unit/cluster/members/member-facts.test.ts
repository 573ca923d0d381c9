import t from 'tap'
import { createMemberFacts, MEMBERS_MAX } from '../../../../cluster/members/member-facts.ts'
import { formatGone, formatMember, memberKey } from '../../../../cluster/members/member-record.ts'
import type { RegistryEntry } from '../../../../cluster/members/registry.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createLogLines } from '../../../support/log-lines.ts'

function entry(id: string, revision: number, state: 'active' | 'draining' = 'active') {
  const base = { role: 'worker', weight: 1, version: '0.1.0' } as const
  const member = { id, address: `${id}:8001`, state, ...base }
  const value = formatMember({ member, joinedAt: 1, beats: 0, nonce: String(revision) })
  return { key: memberKey(member), value, revision }
}

const ids = (facts: ReturnType<typeof createMemberFacts>) =>
  facts
    .members()
    .map(({ id, state }) => `${id} ${state}`)
    .join(', ')

t.test('late facts change nothing, but want a list', (t) => {
  const facts = createMemberFacts(silentLog)
  t.ok(facts.put(entry('a', 10, 'draining'), 0))
  t.notOk(facts.put(entry('a', 9), 0))
  t.equal(ids(facts), 'a draining')
  t.ok(facts.takeListNeeded())
  t.notOk(facts.takeListNeeded(), 'once')
  t.notOk(facts.removed('worker.a', 9))
  t.ok(facts.takeListNeeded())
  t.notOk(facts.put(entry('a', 10), 0), 'the same revision holds the same')
  t.notOk(facts.takeListNeeded())
  t.equal(ids(facts), 'a draining')
  t.end()
})

t.test('a member that is gone does not come back with what was written before', (t) => {
  const facts = createMemberFacts(silentLog)
  facts.put(entry('a', 10), 0)
  const before = facts.changeCount()
  t.ok(facts.removed('worker.a', 11))
  t.notOk(facts.put(entry('a', 10), 0))
  t.notOk(facts.listed([entry('a', 10)], before, 0), 'the list is older than the removal')
  t.equal(ids(facts), '')
  t.ok(facts.put(entry('a', 12), 0), 'made again')
  t.ok(facts.put({ key: 'worker.a', value: formatGone('replaced', 'b'), revision: 13 }, 0))
  t.notOk(facts.listed([entry('a', 12)], before, 0))
  t.equal(ids(facts), '')
  t.end()
})

t.test('a removal that is told before the member itself holds too', (t) => {
  const facts = createMemberFacts(silentLog)
  const before = facts.changeCount()
  facts.removed('worker.a', 11)
  t.notOk(facts.listed([entry('a', 10)], before, 0))
  t.equal(ids(facts), '')
  t.end()
})

t.test('a list asked for later is believed, also with lower revisions', (t) => {
  const facts = createMemberFacts(silentLog)
  facts.put(entry('a', 500), 0)
  t.ok(facts.listed([entry('a', 2, 'draining')], facts.changeCount(), 40))
  t.equal(ids(facts), 'a draining')
  t.equal(facts.get('worker.a')?.changedAt, 40, 'it is alive: it has written there')
  t.end()
})

t.test('a list does not undo what was told while it was on its way', (t) => {
  const facts = createMemberFacts(silentLog)
  const before = facts.changeCount()
  facts.put(entry('a', 10, 'draining'), 0)
  facts.put(entry('b', 11), 0)
  t.notOk(facts.listed([entry('a', 9)], before, 0))
  t.equal(ids(facts), 'a draining, b active')
  t.equal(facts.get('worker.b')?.absentSince, undefined)
  t.end()
})

t.test('a member that a list lacks stays, and is marked from the first time', (t) => {
  const facts = createMemberFacts(silentLog)
  facts.put(entry('a', 10), 0)
  t.notOk(facts.listed([], facts.changeCount(), 100))
  t.notOk(facts.listed([], facts.changeCount(), 200))
  t.equal(facts.get('worker.a')?.absentSince, 100)
  t.equal(ids(facts), 'a active')
  t.notOk(facts.put(entry('a', 12), 300))
  t.equal(facts.get('worker.a')?.absentSince, undefined)
  facts.forget('worker.a')
  t.equal(ids(facts), '')
  t.end()
})

t.test('heard facts are a new revision, not the same one again', (t) => {
  const facts = createMemberFacts(silentLog)
  facts.put(entry('a', 10), 5)
  facts.put(entry('a', 10), 50)
  facts.listed([entry('a', 10)], facts.changeCount(), 60)
  t.equal(facts.get('worker.a')?.changedAt, 5)
  facts.put(entry('a', 11), 70)
  t.equal(facts.get('worker.a')?.changedAt, 70)
  t.end()
})

t.test('a key that cannot be read is ignored, with one warning', (t) => {
  const lines = createLogLines()
  const facts = createMemberFacts(lines.log)
  for (let revision = 1; revision < 10; revision++) {
    t.notOk(facts.put({ key: 'worker.a', value: '{', revision }, 0))
    facts.put({ key: 'worker.b', value: '{"protocol":99,"address":"b:1"}', revision }, 0)
  }
  t.equal(ids(facts), '')
  t.strictSame(
    lines.all().map(({ message, key }) => `${message}: ${key}`),
    [
      'key of a member cannot be read and is ignored: worker.a',
      'member of another cluster protocol is ignored: worker.b',
    ],
  )
  t.end()
})

t.test('members beyond the bound are ignored', (t) => {
  const facts = createMemberFacts(silentLog)
  for (let index = 0; index < MEMBERS_MAX; index++) facts.put(entry(`m${index}`, index + 1), 0)
  t.notOk(facts.put(entry('one-more', 5_000), 0))
  t.ok(facts.put(entry('m0', 5_001, 'draining'), 0), 'those known go on')
  t.equal(facts.members().length, MEMBERS_MAX)
  const left: RegistryEntry[] = [entry('m0', 5_001, 'draining')]
  facts.removed('worker.m1', 5_002)
  facts.listed(left, facts.changeCount(), 0)
  t.ok(facts.put(entry('one-more', 5_003), 0), 'what is gone makes room')
  t.end()
})
