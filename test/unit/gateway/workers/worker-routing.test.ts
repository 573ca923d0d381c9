import t from 'tap'
import type { Member } from '../../../../cluster/members/view.ts'
import { candidates } from '../../../../cluster/shards/rendezvous.ts'
import {
  createWorkerRouting,
  type Routed,
  SPREAD_WAITING_BYTES,
} from '../../../../gateway/workers/worker-routing.ts'
import { shardId } from '../../../../src/core/ids.ts'
import { member } from '../../../support/workers/fake-workers.ts'

const SHARD = shardId(3)

type Fake = Routed & { readonly id: string }

function setUp(members: readonly Member[]) {
  const state = {
    suspects: new Set<string>(),
    waiting: new Map<string, number>(),
    owner: undefined as string | undefined,
  }
  const view = { version: 1, members }
  const workers = new Map(
    members.map(({ id }) => [
      id,
      {
        id,
        suspect: () => state.suspects.has(id),
        ingestWaitingBytes: () => state.waiting.get(id) ?? 0,
      },
    ]),
  )
  const routing = createWorkerRouting<Fake>(() => state.owner)
  routing.apply(view, workers)
  const order = candidates(SHARD, view).map(({ id }) => id)
  const worker = (id: string) => workers.get(id) ?? { id, ...NOBODY }
  return { routing, state, order, worker, workers }
}

const NOBODY = { suspect: () => true, ingestWaitingBytes: () => 0 }

t.test('in an empty view there is nobody', async (t) => {
  const { routing } = setUp([])
  t.equal(routing.best(SHARD), undefined)
  t.equal(routing.bestForEvents(SHARD), undefined)
  t.equal(routing.next(SHARD, []), undefined)
})

t.test('suspect workers come after all others, the owner first among its like', async (t) => {
  const { routing, state, order, worker } = setUp([member('a'), member('b'), member('c')])
  const [first = '', second = '', third = ''] = order
  const all = () => {
    const tried: Fake[] = []
    for (;;) {
      const next = routing.next(SHARD, tried)
      if (next === undefined) return tried.map(({ id }) => id)
      tried.push(next)
    }
  }
  t.strictSame(all(), [first, second, third])
  state.owner = third
  t.strictSame(all(), [third, first, second])
  t.equal(routing.best(SHARD)?.id, third)
  state.suspects.add(third)
  t.strictSame(all(), [first, second, third])
  t.equal(routing.best(SHARD)?.id, first)
  state.suspects.add(second)
  t.strictSame(all(), [first, third, second])
  t.equal(routing.next(SHARD, [worker(first)], 'healthy'), undefined)
  state.suspects.add(first)
  t.strictSame(all(), [third, first, second])
  t.equal(routing.best(SHARD)?.id, third)
  t.equal(routing.next(SHARD, [worker(third)])?.id, first)
})

t.test('an order is forgotten with its view', async (t) => {
  const { routing, order, workers } = setUp([member('a'), member('b')])
  const [first = '', second = ''] = order
  t.equal(routing.best(SHARD)?.id, first)
  workers.delete(first)
  t.equal(routing.best(SHARD)?.id, first, 'nobody has told')
  routing.apply({ version: 2, members: [member(second)] }, workers)
  t.equal(routing.best(SHARD)?.id, second)
})

t.test('events spread to the least loaded worker that is heard and does not drain', async (t) => {
  const members = ['a', 'b', 'c', 'd'].map((id) => member(id))
  const { routing, state, order, workers } = setUp(members)
  const [first = '', second = '', third = '', fourth = ''] = order
  for (const id of order) state.waiting.set(id, SPREAD_WAITING_BYTES)
  t.equal(routing.bestForEvents(SHARD)?.id, first, 'it has room')
  state.waiting.set(first, SPREAD_WAITING_BYTES + 1)
  state.waiting.set(second, SPREAD_WAITING_BYTES - 1)
  state.waiting.set(third, 0)
  state.waiting.set(fourth, 0)
  state.suspects.add(third)
  const draining = members.map((each) =>
    each.id === fourth ? ({ ...each, state: 'draining' } as const) : each,
  )
  routing.apply({ version: 2, members: draining }, workers)
  t.equal(routing.bestForEvents(SHARD)?.id, second)
  state.waiting.set(second, SPREAD_WAITING_BYTES + 1)
  t.equal(routing.bestForEvents(SHARD)?.id, first, 'nobody has less')
  t.equal(routing.best(SHARD)?.id, first, 'questions are asked of the best')
})
