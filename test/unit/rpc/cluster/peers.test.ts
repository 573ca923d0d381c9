import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { shardId } from '../../../../src/core/ids.ts'
import { PEER_DESCRIBE_MS, PEER_DRAIN_MS } from '../../../../src/core/limits/limits.ts'
import { createPeers, PEER_RELEASE_MS } from '../../../../src/rpc/cluster/peers.ts'
import { createTestCallers, createTestMembers, memberOf } from '../../../support/cluster/members.ts'

function setUp(answer?: Parameters<typeof createTestCallers>[0]) {
  const members = createTestMembers(['w1', 'w2', 'w3'])
  const callers = createTestCallers(answer)
  const { connect } = callers
  const peers = createPeers({ connect, memberToken: () => 'secret', self: 'w1', members })
  return { members, peers, ...callers }
}

t.test('a failure of the other worker is passed on as it is', async (t) => {
  const { peers } = setUp(async () => {
    throw new AppError('failed_precondition', 'this is another member')
  })
  const code = 'failed_precondition'
  await t.rejects(peers.release(memberOf('w2'), [shardId(1)]), { code })
  await t.rejects(peers.getMember(memberOf('w2')), { code })
  await t.rejects(peers.drain(memberOf('w2')), { code })
})

t.test('every call names whom it means, proves its membership and has its deadline', async (t) => {
  const { peers, calls } = setUp(async () => ({ released: [4, 250] }))
  t.same(await peers.release(memberOf('w2'), [4, 9].map(shardId)), [4, 250])
  await peers.getMember(memberOf('w2'))
  await peers.drain(memberOf('w2'))
  const metadata = { authorization: 'Bearer secret' }
  t.same(calls, [
    {
      address: 'w2:8001',
      method: '/sluice.v1.ClusterService/ReleaseShards',
      request: { from: 'w1', to: 'w2', shards: [4, 9] },
      options: { metadata, timeoutMs: PEER_RELEASE_MS },
    },
    {
      address: 'w2:8001',
      method: '/sluice.v1.ClusterService/GetMember',
      request: { to: 'w2' },
      options: { metadata, timeoutMs: PEER_DESCRIBE_MS },
    },
    {
      address: 'w2:8001',
      method: '/sluice.v1.ClusterService/DrainSelf',
      request: { to: 'w2' },
      options: { metadata, timeoutMs: PEER_DRAIN_MS },
    },
  ])
})

t.test('one caller an address, closed when its last worker leaves the view', async (t) => {
  const { members, peers, opened, closed } = setUp()
  const caller = peers.callerOf(memberOf('w2'))
  t.equal(peers.callerOf(memberOf('w2')), caller)
  peers.callerOf(memberOf('w3'))
  t.same(opened, ['w2:8001', 'w3:8001'])
  await members.leave('w2')
  t.same(closed, ['w2:8001'])
  t.not(peers.callerOf(memberOf('w2')), caller)
})

t.test('a worker that is started again at its address keeps the caller', async (t) => {
  const { members, peers, closed } = setUp()
  const caller = peers.callerOf(memberOf('w2'))
  const again = memberOf('w4', { address: 'w2:8001' })
  await members.join(again)
  await members.leave('w2')
  t.same(closed, [])
  t.equal(peers.callerOf(again), caller)
})

t.test('callers of members that have left do not add up', async (t) => {
  const { peers, opened, closed } = setUp()
  for (let n = 0; n < 20; n++) peers.callerOf(memberOf(`gone${n}`))
  t.equal(opened.length, 20)
  t.equal(closed.length, 19)
})

t.test('closing closes all, and the view is not followed any more', async (t) => {
  const { members, peers, closed } = setUp()
  peers.callerOf(memberOf('w2'))
  peers.callerOf(memberOf('w3'))
  peers.close()
  t.same(closed.sort(), ['w2:8001', 'w3:8001'])
  await members.leave('w2')
  t.equal(closed.length, 2)
})
