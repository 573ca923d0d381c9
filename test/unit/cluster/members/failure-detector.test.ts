import t from 'tap'
import { verdict } from '../../../../cluster/members/failure-detector.ts'
import type { MemberFact } from '../../../../cluster/members/member-facts.ts'
import { MEMBER_DEAD_MS, MEMBER_SUSPECT_MS } from '../../../../src/core/limits/limits.ts'
import {
  createTestCluster,
  type TestCluster,
  type TestMember,
} from '../../../support/cluster/cluster-members.ts'

/** Runs until `holds`, and says after how long. */
async function after(cluster: TestCluster, msMax: number, holds: () => boolean): Promise<number> {
  for (let ms = 0; ms <= msMax; ms += 25) {
    if (holds()) return ms
    await cluster.run(25)
  }
  return Number.POSITIVE_INFINITY
}

t.test('only time counts in which the own renewals were confirmed', (t) => {
  const member = { id: 'b', address: 'b:1', role: 'worker', state: 'active' } as const
  const fact: MemberFact = {
    key: 'worker.b',
    member: { ...member, weight: 1, version: '' },
    revision: 7,
    joinedAt: 1,
    changedAt: 1_000,
    absentSince: undefined,
  }
  const at = (ms: number, steadySince: number | undefined) => verdict(fact, steadySince, ms)
  t.equal(at(1_000 + 100 * MEMBER_DEAD_MS, undefined), 'live')
  t.equal(at(1_000 + MEMBER_SUSPECT_MS - 1, 0), 'live')
  t.equal(at(1_000 + MEMBER_SUSPECT_MS, 0), 'suspect')
  t.equal(at(1_000 + MEMBER_DEAD_MS - 1, 0), 'suspect')
  t.equal(at(1_000 + MEMBER_DEAD_MS, 0), 'dead')
  t.equal(at(50_000 + MEMBER_SUSPECT_MS - 1, 50_000), 'live')
  t.equal(at(50_000 + MEMBER_DEAD_MS, 50_000), 'dead')
  t.end()
})

async function three(cluster: TestCluster): Promise<[TestMember, TestMember, TestMember]> {
  const members: [TestMember, TestMember, TestMember] = [
    await cluster.start('a'),
    await cluster.start('b'),
    await cluster.start('c'),
  ]
  await cluster.run(10_000)
  return members
}

t.test('a silent member is removed after five seconds, for all at once', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  c.registry.fault = 'cut'
  const ms = await after(cluster, 10_000, () => a.ids() === 'a b')
  t.ok(ms > 4_000 && ms <= 5_600, `${ms} ms`)
  t.equal(b.ids(), 'a b')
  t.notOk(c.store.confirmed(), 'by then it doubted itself')
})

t.test('a silent member whose port refuses is removed after two missed beats', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  c.registry.fault = 'cut'
  cluster.refusing.add(c.member.address)
  const ms = await after(cluster, 10_000, () => a.ids() === 'a b')
  t.ok(ms > 1_500 && ms <= 3_100, `${ms} ms`)
  t.equal(b.ids(), 'a b')
})

t.test('a member that renews is not removed, whatever its port says', async (t) => {
  const cluster = createTestCluster(t)
  const [a, , c] = await three(cluster)
  cluster.refusing.add(c.member.address)
  await cluster.run(20_000)
  t.equal(a.ids(), 'a b c')
  t.equal(c.removed(), undefined)
})

t.test('a member that was removed learns it when it wakes, and comes back no more', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  c.registry.fault = 'cut'
  await cluster.run(30_000)
  t.equal(c.removed(), undefined)
  c.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(c.removed(), 'declared_dead')
  await cluster.run(20_000)
  t.notOk(c.store.confirmed())
  t.equal(`${a.ids()}, ${b.ids()}, ${c.ids()}`, 'a b, a b, a b')
})

t.test('it learns so too when the store has forgotten that it was removed', async (t) => {
  const cluster = createTestCluster(t)
  const [a, , c] = await three(cluster)
  c.registry.fault = 'cut'
  await cluster.run(300_000)
  t.equal(await cluster.stored.client().get('worker.c'), undefined)
  c.registry.fault = 'none'
  await cluster.run(5_000)
  t.equal(c.removed(), 'declared_dead')
  t.equal(a.ids(), 'a b')
})

t.test('a member that was silent for less stays', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  const before = [a, b, c].map(({ store }) => store.view())
  for (let round = 0; round < 5; round++) {
    c.registry.fault = 'cut'
    await cluster.run(2_500)
    c.registry.fault = 'none'
    await cluster.run(3_000)
    t.ok(c.store.confirmed())
  }
  t.strictSame(
    [a, b, c].map(({ store }) => store.view()),
    before,
  )
})

t.test('nobody is confirmed any more when others remove it', async (t) => {
  for (const ms of [3_500, 4_000, 4_500, 5_000, 5_500, 6_000]) {
    const cluster = createTestCluster(t)
    const [a, , c] = await three(cluster)
    c.registry.fault = 'cut'
    for (let passed = 0; passed < ms; passed += 25) {
      await cluster.run(25)
      if (a.ids() === 'a b') t.notOk(c.store.confirmed(), `${passed} ms`)
    }
    c.registry.fault = 'none'
    await cluster.run(3_000)
    const removed = a.ids() === 'a b'
    t.equal(c.removed(), removed ? 'declared_dead' : undefined, `cut for ${ms} ms`)
    t.equal(c.store.confirmed(), !removed)
  }
})

t.test('a judge that was cut off itself counts anew', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  for (const { registry } of [a, b, c]) registry.fault = 'away'
  await cluster.run(20_000)
  a.registry.fault = 'none'
  b.registry.fault = 'none'
  await cluster.run(4_500)
  t.equal(a.ids(), 'a b c', 'c has some seconds more to come back')
  await cluster.run(2_000)
  t.equal(a.ids(), 'a b')
  t.equal(b.ids(), 'a b')
})

t.test('a key that is gone without a word leaves the view after the same time', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  c.registry.fault = 'cut'
  cluster.stored.drop('worker.c')
  const ms = await after(cluster, 10_000, () => a.ids() === 'a b')
  t.ok(ms > 4_000 && ms <= 5_600, `${ms} ms`)
  t.equal(b.ids(), 'a b')
  c.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(c.removed(), 'declared_dead')
})

t.test('the last worker judges the others', async (t) => {
  const cluster = createTestCluster(t)
  const [a, b, c] = await three(cluster)
  for (const { registry } of [b, c]) registry.fault = 'cut'
  await cluster.run(6_000)
  t.equal(a.ids(), 'a')
})

t.test('gateways judge nobody', async (t) => {
  const cluster = createTestCluster(t)
  const worker = await cluster.start('w')
  const gateways = [
    await cluster.start('g1', { role: 'gateway' }),
    await cluster.start('g2', { role: 'gateway' }),
  ]
  await cluster.run(10_000)
  worker.registry.fault = 'cut'
  cluster.refusing.add(worker.member.address)
  await cluster.run(40_000)
  t.strictSame(
    gateways.map(({ ids }) => ids()),
    ['g1 g2 w', 'g1 g2 w'],
  )
  worker.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(worker.removed(), undefined)
  t.ok(worker.store.confirmed())
})

t.test('a gateway forgets a member whose key has been missing for a minute', async (t) => {
  const cluster = createTestCluster(t)
  const worker = await cluster.start('w')
  const gateway = await cluster.start('g', { role: 'gateway' })
  await cluster.run(10_000)
  worker.registry.fault = 'cut'
  await cluster.run(100_000)
  t.equal(gateway.ids(), 'g w', 'its key was there for half of the time')
  await cluster.run(35_000)
  t.equal(gateway.ids(), 'g')
})

t.test('a gateway that was taken for dead keeps working', async (t) => {
  const cluster = createTestCluster(t)
  const worker = await cluster.start('w')
  const gateway = await cluster.start('g', { role: 'gateway' })
  await cluster.run(10_000)
  gateway.registry.fault = 'cut'
  await cluster.run(10_000)
  t.equal(worker.ids(), 'w')
  gateway.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(worker.ids(), 'g w')
  t.equal(gateway.removed(), undefined)
  t.ok(gateway.store.confirmed())
})

t.test('the newer of two workers with one address stays', async (t) => {
  const cluster = createTestCluster(t)
  const other = await cluster.start('a')
  const older = await cluster.start('z', { address: 'here:8001' })
  await cluster.run(10_300)
  const newer = await cluster.start('b', { address: 'here:8001' })
  await cluster.run(100)
  t.equal(other.ids(), 'a b')
  t.equal(newer.ids(), 'a b')
  t.equal(older.removed(), 'replaced')
  await cluster.run(10_000)
  t.equal(newer.removed(), undefined)
  t.ok(newer.store.confirmed())
})

t.test('one of the workers that start at once with one address stays', async (t) => {
  const cluster = createTestCluster(t)
  const made = ['a', 'b', 'c'].map((id) => cluster.create(id, { address: 'here:8001' }))
  await Promise.all(made.map(({ store, member }) => store.join(member)))
  await cluster.run(3_000)
  t.equal(made.filter(({ store }) => store.confirmed()).length, 1)
  t.equal(made.filter(({ removed }) => removed() === 'replaced').length, 2)
})

t.test('a frozen worker is replaced at once by one with its address', async (t) => {
  const cluster = createTestCluster(t)
  const older = await cluster.start('a', { address: 'here:8001' })
  await cluster.run(10_000)
  older.registry.fault = 'cut'
  const newer = await cluster.start('b', { address: 'here:8001' })
  await cluster.run(25)
  t.equal(newer.ids(), 'b')
  older.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(older.removed(), 'replaced')
})

t.test('gateways may share an address', async (t) => {
  const cluster = createTestCluster(t)
  const fields = { role: 'gateway', address: 'here:8000' } as const
  const [one, other] = [await cluster.start('a', fields), await cluster.start('b', fields)]
  const worker = await cluster.start('c', { address: 'here:8000' })
  await cluster.run(5_000)
  for (const { ids } of [one, other, worker]) t.equal(ids(), 'a b c')
})
