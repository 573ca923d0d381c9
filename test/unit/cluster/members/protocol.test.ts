import t from 'tap'
import { CLUSTER_PROTOCOL } from '../../../../cluster/members/member-record.ts'
import { createTestCluster } from '../../../support/cluster/cluster-members.ts'
import { createLogLines } from '../../../support/log-lines.ts'

const other = CLUSTER_PROTOCOL + 1
const value = (beat: number) =>
  JSON.stringify({ protocol: other, address: 'old:8001', version: '9.0.0', beat })

t.test('a cluster of another protocol is not joined', async (t) => {
  const cluster = createTestCluster(t)
  const hand = cluster.stored.client()
  let revision = await hand.create('worker.old', value(0))
  const a = cluster.create('a')
  const joining = t.rejects(a.store.join(a.member), {
    code: 'failed_precondition',
    message: new RegExp(`old:8001, version 9.0.0 .*protocol ${other}.*${CLUSTER_PROTOCOL}`),
  })
  for (let beat = 1; beat < 5; beat++) {
    await cluster.run(1_000)
    revision = await hand.update('worker.old', value(beat), revision)
  }
  await joining
  t.equal(await hand.get('worker.a'), undefined)
})

t.test('keys of a dead cluster of another protocol bar nobody', async (t) => {
  const { log, all } = createLogLines()
  const cluster = createTestCluster(t, { log })
  await cluster.stored.client().create('worker.old', value(0))
  const a = cluster.create('a')
  const joining = a.store.join(a.member)
  await cluster.run(4_000)
  await joining
  await cluster.run(20_000)
  t.equal(a.ids(), 'a')
  t.equal(all().filter(({ message }) => String(message).includes('protocol')).length, 1)
})

t.test('keys that nobody understands do no harm', async (t) => {
  const cluster = createTestCluster(t)
  const hand = cluster.stored.client()
  await hand.create('worker.x', 'not JSON')
  await hand.create('something.else', '{"protocol":1}')
  const a = await cluster.start('a')
  const b = await cluster.start('b')
  await cluster.run(10_000)
  t.equal(`${a.ids()}, ${b.ids()}`, 'a b, a b')
})
