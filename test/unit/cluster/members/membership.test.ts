import t from 'tap'
import { createTestCluster } from '../../../support/cluster/cluster-members.ts'

t.test('before it joins and after it leaves, a process is not confirmed', async (t) => {
  const cluster = createTestCluster(t)
  const a = cluster.create('a')
  t.notOk(a.store.confirmed())
  await a.store.join(a.member)
  t.ok(a.store.confirmed())
  await a.store.leave('a')
  t.notOk(a.store.confirmed())
})

t.test('a member that cannot reach the registry joins nothing', async (t) => {
  const cluster = createTestCluster(t)
  const a = cluster.create('a')
  a.registry.fault = 'away'
  await t.rejects(a.store.join(a.member), { code: 'unavailable' })
  a.registry.fault = 'none'
  await a.store.join(a.member)
  t.equal(a.ids(), 'a')
})

t.test('a process is one member, and changes no other', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await t.rejects(a.store.join(b.member), { code: 'failed_precondition' })
  await t.rejects(a.store.setState('b', 'draining'), { code: 'failed_precondition' })
  await t.rejects(async () => await a.store.leave('b'), { code: 'failed_precondition' })
  await a.store.leave('nobody')
  await cluster.run(1_000)
  t.equal(a.ids(), 'a b')
})

t.test('an id that is in the view already does not join', async (t) => {
  const cluster = createTestCluster(t)
  await cluster.start('a')
  const copy = cluster.create('a', { address: 'elsewhere:8001' })
  await t.rejects(copy.store.join(copy.member), { code: 'already_exists' })
})

t.test('everybody sees the same members in the same order', async (t) => {
  const cluster = createTestCluster(t)
  const c = await cluster.start('c')
  const a = await cluster.start('a', { role: 'gateway', weight: 3 })
  const b = await cluster.start('b', { role: 'standalone' })
  await cluster.run(100)
  t.strictSame(a.store.view().members, [a.member, b.member, c.member])
  t.strictSame(b.store.view().members, a.store.view().members)
  t.strictSame(c.store.view().members, a.store.view().members)
})

t.test('renewals change no view', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  await cluster.start('b')
  await cluster.run(100)
  const { version } = a.store.view()
  await cluster.run(30_000)
  t.equal(a.store.view().version, version)
  t.ok(a.store.confirmed())
})

t.test('a member that leaves is gone for the others at once', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await b.store.leave('b')
  t.equal(a.ids(), 'a')
  await cluster.run(10_000)
  t.equal(a.ids(), 'a')
  t.equal(b.removed(), undefined)
})

t.test('a member that leaves without the registry is found silent', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  b.registry.fault = 'away'
  await b.store.leave('b')
  t.equal(b.ids(), 'a')
  await cluster.run(4_000)
  t.equal(a.ids(), 'a b')
  await cluster.run(3_000)
  t.equal(a.ids(), 'a')
})

t.test('a state is seen by the others', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await b.store.setState('b', 'draining')
  t.equal(b.store.view().members[1]?.state, 'draining')
  t.equal(a.store.view().members[1]?.state, 'draining')
})

t.test('a state that could not be told is told once the registry is back', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  b.registry.fault = 'away'
  await t.rejects(b.store.setState('b', 'draining'), { code: 'unavailable' })
  t.equal(b.store.view().members[1]?.state, 'active', 'the view is what the registry told')
  b.registry.fault = 'none'
  await cluster.run(1_000)
  t.equal(a.store.view().members[1]?.state, 'draining')
})

t.test('a change missed by the watch is in the list within five seconds', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  await cluster.run(100)
  a.registry.fault = 'watch lost'
  const b = await cluster.start('b')
  await cluster.run(6_000)
  t.equal(a.ids(), 'a b')
  await b.store.setState('b', 'draining')
  await cluster.run(6_000)
  t.equal(a.store.view().members[1]?.state, 'draining')
  t.equal(b.removed(), undefined, 'a member that is not heard for want of a watch is not removed')
})

t.test('a store that was wiped makes nobody leave', async (t) => {
  const cluster = createTestCluster(t)
  const members = [await cluster.start('a'), await cluster.start('b'), await cluster.start('c')]
  await cluster.run(20_000)
  const before = members.map(({ store }) => store.view())
  cluster.stored.wipe()
  await cluster.run(2_000)
  t.equal((await cluster.stored.client().list()).length, 3)
  await cluster.run(20_000)
  for (const [index, { store, removed }] of members.entries()) {
    t.equal(store.view(), before[index], 'no view has changed')
    t.ok(store.confirmed())
    t.equal(removed(), undefined)
  }
})

t.test('a registry that was away for longer than its keys live makes nobody leave', async (t) => {
  const cluster = createTestCluster(t)
  const members = [await cluster.start('a'), await cluster.start('b'), await cluster.start('c')]
  await cluster.run(10_000)
  const before = members.map(({ store }) => store.view())
  for (const { registry } of members) registry.fault = 'away'
  await cluster.run(300_000)
  t.equal((await cluster.stored.client().list()).length, 0)
  for (const { registry } of members) {
    registry.fault = 'none'
    await cluster.run(700)
  }
  await cluster.run(20_000)
  for (const [index, { store, removed }] of members.entries()) {
    t.equal(store.view(), before[index])
    t.ok(store.confirmed())
    t.equal(removed(), undefined)
  }
})

t.test('a key that someone removed by hand is made again at once', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await cluster.run(20_100)
  const hand = cluster.stored.client()
  const entry = await hand.get('worker.b')
  await hand.remove('worker.b', entry?.revision ?? 0)
  await cluster.run(200)
  t.equal(a.ids(), 'a b')
  t.ok(b.store.confirmed())
  await cluster.run(10_000)
  t.equal(b.removed(), undefined)
})

t.test('a renewal whose answer was lost is found in the registry, not assumed', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await cluster.run(10_000)
  const before = a.store.view()
  const creations = () => b.registry.writes.filter((each) => each.startsWith('create')).length
  for (let round = 0; round < 10; round++) {
    b.registry.fault = 'answers lost'
    await cluster.run(1_200)
    b.registry.fault = 'none'
    await cluster.run(1_300)
    t.ok(b.store.confirmed(), `round ${round}`)
  }
  t.equal(a.store.view(), before)
  t.equal(creations(), 1)
})

t.test('lost answers confirm nothing: it doubts itself before others give it up', async (t) => {
  const cluster = createTestCluster(t)
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await cluster.run(10_000)
  b.registry.fault = 'answers lost'
  let doubted = false
  for (let step = 0; step < 400; step++) {
    await cluster.run(25)
    doubted ||= !b.store.confirmed()
    if (a.ids() === 'a') t.notOk(b.store.confirmed())
  }
  t.ok(doubted)
  t.equal(a.ids(), 'a', 'it can only read its key back once answers come')
  b.registry.fault = 'none'
  await cluster.run(2_000)
  t.equal(b.removed(), 'declared_dead')
})

t.test('the view freezes while the registry is away', async (t) => {
  const cluster = createTestCluster(t)
  const members = [await cluster.start('a'), await cluster.start('b')]
  await cluster.run(10_000)
  const before = members.map(({ store }) => store.view())
  for (const fault of ['away', 'cut'] as const) {
    for (const { registry } of members) registry.fault = fault
    await cluster.run(3_000)
    t.ok(members.every(({ store }) => store.connected() === (fault === 'cut')))
    await cluster.run(50_000)
    for (const [index, { store }] of members.entries()) {
      t.equal(store.view(), before[index])
      t.notOk(store.confirmed())
      t.notOk(store.connected())
    }
    for (const { registry } of members) registry.fault = 'none'
    await cluster.run(20_000)
    for (const [index, { store, removed }] of members.entries()) {
      t.equal(store.view(), before[index])
      t.ok(store.confirmed())
      t.ok(store.connected())
      t.equal(removed(), undefined)
    }
  }
})
