import t from 'tap'
import type { ShardId } from '../../../../src/core/ids.ts'
import { createClusterHandlers } from '../../../../src/rpc/cluster/cluster-handlers.ts'
import { createMemberAuth, sameToken } from '../../../../src/rpc/server/member-auth.ts'
import type { CallContext } from '../../../../src/wire/call.ts'

const TOKEN = 'of the cluster'

function setUp() {
  const released: { shards: readonly ShardId[]; to: string }[] = []
  let drains = 0
  const handlers = createClusterHandlers({
    memberAuth: createMemberAuth(sameToken(TOKEN)),
    self: { id: 'w2', address: '127.0.0.1:8001' },
    shards: {
      async release(shards, to) {
        released.push({ shards, to })
        return shards.slice(0, 1)
      },
    },
    async drain() {
      drains++
      return 7
    },
    describe: async () => ({ id: 'w2', shards: 3 }),
  })
  return { handlers, released, drains: () => drains }
}

function contextOf(token: string): CallContext {
  const metadata = new Map([['authorization', `Bearer ${token}`]])
  return { metadata, signal: new AbortController().signal, timeoutMs: 1_000 }
}

const MEMBER = contextOf(TOKEN)

t.test('nobody but a member is answered', async (t) => {
  const { handlers, released, drains } = setUp()
  const stranger = contextOf('of the operator')
  const code = 'unauthenticated'
  const request = { from: 'w1', to: 'w2', shards: [1] }
  await t.rejects(handlers.ReleaseShards(request, stranger), { code })
  await t.rejects(handlers.DrainSelf({ to: 'w2' }, stranger), { code })
  await t.rejects(handlers.GetMember({ to: 'w2' }, stranger), { code })
  t.same(released, [])
  t.equal(drains(), 0)
})

t.test('a call meant for another incarnation is refused', async (t) => {
  const { handlers, released, drains } = setUp()
  const code = 'failed_precondition'
  await t.rejects(handlers.ReleaseShards({ from: 'w1', to: 'w1', shards: [] }, MEMBER), { code })
  await t.rejects(handlers.DrainSelf({ to: '' }, MEMBER), { code })
  await t.rejects(handlers.GetMember({ to: 'w3' }, MEMBER), { code })
  t.same(released, [])
  t.equal(drains(), 0)
})

t.test('shards that there are not, or twice, or for nobody, are refused', async (t) => {
  const { handlers, released } = setUp()
  const code = 'invalid_argument'
  for (const shards of [[-1], [256], [1.5], [4, 4], Array(300).fill(1)]) {
    await t.rejects(handlers.ReleaseShards({ from: 'w1', to: 'w2', shards }, MEMBER), { code })
  }
  await t.rejects(handlers.ReleaseShards({ from: '', to: 'w2', shards: [1] }, MEMBER), { code })
  t.same(released, [])
})

t.test('shards are released to whoever asks, and the answer names those let go of', async (t) => {
  const { handlers, released } = setUp()
  const request = { from: 'w1', to: 'w2', shards: [0, 255] }
  t.same(await handlers.ReleaseShards(request, MEMBER), { released: [0] })
  t.same(released, [{ shards: [0, 255], to: 'w1' }])
})

t.test('a drain says what was given back, and a member how it is', async (t) => {
  const { handlers } = setUp()
  const drained = { member_id: 'w2', address: '127.0.0.1:8001', released: 7 }
  t.same(await handlers.DrainSelf({ to: 'w2' }, MEMBER), drained)
  t.same(await handlers.GetMember({ to: 'w2' }, MEMBER), { id: 'w2', shards: 3 })
})
