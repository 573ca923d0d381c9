import t from 'tap'
import { openClusterToken } from '../../../../cluster/members/cluster-token.ts'
import { createFaultyRegistry } from '../../../support/cluster/faulty-registry.ts'
import { createMemoryRegistry } from '../../../support/cluster/memory-registry.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

function store() {
  const clock = createFakeClock()
  const registry = createMemoryRegistry({ clock, ttlMs: 0 })
  return { clock, registry, client: () => createFaultyRegistry(registry.client(), clock) }
}

t.test('without the registry there is no token', async (t) => {
  const { client } = store()
  const registry = client()
  registry.fault = 'away'
  await t.rejects(openClusterToken(registry), { code: 'unavailable' })
})

t.test('all that start at once get one token of 256 bits', async (t) => {
  const { client } = store()
  const tokens = await Promise.all([1, 2, 3, 4].map(() => openClusterToken(client())))
  const texts = new Set(tokens.map((token) => token.current()))
  t.equal(texts.size, 1)
  t.equal(Buffer.from([...texts][0] ?? '', 'base64url').length, 32)
  t.not((await openClusterToken(store().client())).current(), [...texts][0])
})

t.test('a text that is no token is refused, and replaced when it is stored', async (t) => {
  const { client } = store()
  const hand = client()
  await hand.create('token', 'by hand')
  const token = await openClusterToken(client())
  t.match(token.current(), /^[A-Za-z0-9_-]{43}$/)
  for (const wrong of ['', 'by hand', token.current().slice(1), `${token.current()}x`]) {
    t.notOk(token.accepts(wrong), wrong)
  }
  t.ok(token.accepts(token.current()))
})

t.test('a token that the store has lost is written again', async (t) => {
  const { registry, client } = store()
  const tokens = [await openClusterToken(client()), await openClusterToken(client())]
  const before = tokens[0]?.current()
  registry.wipe()
  await Promise.all(tokens.map((token) => token.keep()))
  t.equal((await openClusterToken(client())).current(), before)
})

t.test('another token that was first in a new store is taken over', async (t) => {
  const { registry, client } = store()
  const old = await openClusterToken(client())
  const before = old.current()
  registry.wipe()
  const young = await openClusterToken(client())
  t.not(young.current(), before)
  t.notOk(old.accepts(young.current()))
  await old.keep()
  t.equal(old.current(), young.current())
  t.ok(old.accepts(before), 'others may not have heard yet')
  t.notOk(young.accepts(before))
})

t.test('a write whose answer was lost is found', async (t) => {
  const { clock, client } = store()
  const registry = client()
  const opening = openClusterToken({
    ...registry,
    async create(key, value) {
      registry.fault = 'answers lost'
      try {
        return await registry.create(key, value)
      } finally {
        registry.fault = 'none'
      }
    },
  })
  for (let step = 0; step < 100; step++) await clock.advance(50)
  const token = await opening
  t.equal((await client().get('token'))?.value, token.current())
})
