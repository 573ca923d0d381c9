import fc from 'fast-check'
import t from 'tap'
import type { Member, View } from '../../../../cluster/members/view.ts'
import { candidates, preferredOwners } from '../../../../cluster/shards/rendezvous.ts'
import { shardOf } from '../../../../cluster/shards/shard.ts'
import { projectId, shardId } from '../../../../src/core/ids.ts'
import { SHARD_COUNT } from '../../../../src/core/limits/limits.ts'

const SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shardId(shard))

function member(id: string, change: Partial<Member> = {}): Member {
  const base = { role: 'worker', state: 'active', weight: 1, version: '0.1.0' } as const
  return { id, address: `${id}:8001`, ...base, ...change }
}

function view(...members: Member[]): View {
  return { version: 1, members }
}

t.test('the shard of a project is a stored format', (t) => {
  const golden = [
    [1, 183],
    [2, 6],
    [3, 39],
    [4, 133],
    [100, 234],
    [65_536, 98],
    [2_147_483_647, 168],
  ] as const
  for (const [project, shard] of golden) {
    t.equal(shardOf(projectId(project)), shard, `project ${project}`)
  }
  t.end()
})

t.test('consecutive projects spread evenly over the shards', (t) => {
  const counts = new Map<number, number>()
  const projects = 25_600
  for (let id = 1; id <= projects; id++) {
    const shard = shardOf(projectId(id))
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
  }
  t.equal(counts.size, SHARD_COUNT, 'every shard has projects')
  t.ok(Math.max(...counts.values()) < 160, 'no shard has 1.6 times its share of 100')
  t.end()
})

t.test('an empty view has no owner', (t) => {
  t.equal(preferredOwners(view())(shardId(0)), undefined)
  t.end()
})

t.test('a member that drains comes after every active one', (t) => {
  const busy = view(member('a', { state: 'draining' }), member('b'), member('c'))
  for (const shard of SHARDS) t.equal(candidates(shard, busy)[2]?.id, 'a')
  t.equal(
    preferredOwners(view(member('a', { state: 'drained' })))(shardId(7))?.id,
    'a',
    'better than nobody',
  )
  t.end()
})

t.test('one member more moves only shards to it, about 1 / N of them', (t) => {
  const before = view(member('a'), member('b'), member('c'))
  const after = view(member('a'), member('b'), member('c'), member('d'))
  const moved = SHARDS.filter(
    (shard) => preferredOwners(before)(shard)?.id !== preferredOwners(after)(shard)?.id,
  )
  for (const shard of moved) t.equal(preferredOwners(after)(shard)?.id, 'd')
  t.ok(moved.length <= SHARD_COUNT / 4 + SHARD_COUNT / 10, `${moved.length} moved`)
  t.end()
})

t.test('twice the weight owns about twice the shards', (t) => {
  const uneven = view(member('a', { weight: 2 }), member('b'), member('c'))
  const owned = SHARDS.filter((shard) => preferredOwners(uneven)(shard)?.id === 'a').length
  t.ok(owned > 100 && owned < 156, `${owned} of 256`)
  t.end()
})

t.test('the order of the view does not matter', (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: SHARD_COUNT - 1 }),
      (ids, shard) => {
        const forward = candidates(shardId(shard), view(...ids.map((id) => member(id))))
        const backward = candidates(shardId(shard), view(...ids.reverse().map((id) => member(id))))
        t.strictSame(forward, backward)
      },
    ),
    { numRuns: 50 },
  )
  t.end()
})

t.test('the preferred owner is the first candidate', (t) => {
  const weight = fc.constantFrom(1, 2, 7)
  const state = fc.constantFrom('active' as const, 'draining' as const, 'drained' as const)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1 }), weight, state }), {
        selector: ({ id }) => id,
        maxLength: 8,
      }),
      fc.integer({ min: 0, max: SHARD_COUNT - 1 }),
      (workers, shard) => {
        const seen = view(...workers.map(({ id, ...rest }) => member(id, rest)))
        t.equal(preferredOwners(seen)(shardId(shard)), candidates(shardId(shard), seen)[0])
      },
    ),
    { numRuns: 200 },
  )
  t.end()
})
