import t, { type Test } from 'tap'
import type { ShardRow, ShardStore } from '../../cluster/shards/shard-store.ts'
import { systemClock as clock } from '../../src/core/clock.ts'
import { epoch, type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'
import { silentLog as log } from '../../src/core/log.ts'
import { createSql } from '../../src/postgres/connect.ts'
import {
  createShardStore,
  SHARD_SQL_OPTIONS,
} from '../../src/store/projects/postgres-shard-store.ts'
import { createMemoryShardStore } from '../support/cluster/memory-shard-store.ts'
import { testDatabase } from '../support/servers/database.ts'

/** Every implementation of the port runs the same suite. */
const IMPLEMENTATIONS: Readonly<Record<string, (t: Test) => Promise<ShardStore>>> = {
  memory: async () => createMemoryShardStore(),
  postgres: async (t) => {
    const { connection } = await testDatabase(t)
    const open = () => createSql(connection, { ...SHARD_SQL_OPTIONS, log })
    const store = createShardStore({ open, clock })
    t.teardown(() => store.close())
    return store
  },
}

const SEVEN = shardId(7)
const EIGHT = shardId(8)
const ALL = Array.from({ length: SHARD_COUNT }, (_, index) => shardId(index))

async function rowOf(store: ShardStore, shard: ShardId): Promise<ShardRow | undefined> {
  return (await store.list()).find((row) => row.shard === shard)
}

function seen(shards: readonly ShardId[], at: bigint) {
  return shards.map((shard) => ({ shard, epoch: epoch(at) }))
}

for (const [name, create] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    t.test('a claim on an epoch that has passed changes nothing', async (t) => {
      const store = await create(t)
      await store.claim('a', seen([SEVEN], 0n))
      t.strictSame(await store.claim('b', seen([SEVEN], 0n)), new Map())
      t.strictSame(await store.claim('b', seen([SEVEN], 2n)), new Map(), 'nor on one to come')
      t.strictSame(await rowOf(store, SEVEN), {
        shard: SEVEN,
        epoch: epoch(1n),
        owner: 'a',
        released: false,
      })
    })

    t.test('the shards that can be claimed are claimed, of several', async (t) => {
      const store = await create(t)
      await store.claim('a', seen([SEVEN], 0n))
      const claimed = await store.claim('b', seen([SEVEN, EIGHT], 0n))
      t.strictSame(claimed, new Map([[EIGHT, epoch(1n)]]))
      t.equal((await rowOf(store, SEVEN))?.owner, 'a')
    })

    t.test('only who holds a shard under its epoch gives it back', async (t) => {
      const store = await create(t)
      await store.claim('a', seen([SEVEN], 0n))
      await store.release('b', new Map([[SEVEN, epoch(1n)]]))
      await store.release('a', new Map([[SEVEN, epoch(0n)]]))
      await store.release('a', new Map([[SEVEN, epoch(2n)]]))
      t.equal((await rowOf(store, SEVEN))?.released, false)
      await store.release('a', new Map([[SEVEN, epoch(1n)]]))
      const row = await rowOf(store, SEVEN)
      t.strictSame(row, { shard: SEVEN, epoch: epoch(1n), owner: 'a', released: true })
    })

    t.test('a shard that was given back is claimed under a newer epoch', async (t) => {
      const store = await create(t)
      await store.claim('a', seen([SEVEN], 0n))
      await store.release('a', new Map([[SEVEN, epoch(1n)]]))
      t.strictSame(await store.claim('b', seen([SEVEN], 1n)), new Map([[SEVEN, epoch(2n)]]))
      await store.release('a', new Map([[SEVEN, epoch(1n)]]))
      t.strictSame(await rowOf(store, SEVEN), {
        shard: SEVEN,
        epoch: epoch(2n),
        owner: 'b',
        released: false,
      })
    })

    t.test('a claim and a release of nothing do nothing', async (t) => {
      const store = await create(t)
      const before = await store.list()
      t.strictSame(await store.claim('a', []), new Map())
      await store.release('a', new Map())
      t.strictSame(await store.list(), before)
    })

    t.test('at first nobody has any shard, and all can be claimed at once', async (t) => {
      const store = await create(t)
      const rows = await store.list()
      t.strictSame(
        rows,
        ALL.map((shard) => ({ shard, epoch: epoch(0n), owner: '', released: true })),
      )
      const claimed = await store.claim('a', rows)
      t.strictSame(claimed, new Map(ALL.map((shard) => [shard, epoch(1n)])))
      t.ok((await store.list()).every(({ owner, released }) => owner === 'a' && !released))
    })

    t.test('one of many that claim the same epochs gets each', async (t) => {
      const store = await create(t)
      const owners = ['a', 'b', 'c', 'd', 'e', 'f']
      // Each in another order: no claim may wait for one that waits for it.
      const answers = await Promise.all(
        owners.map((owner, turn) => {
          const turned = [...ALL.slice(turn * 40), ...ALL.slice(0, turn * 40)]
          return store.claim(owner, seen(turn % 2 === 0 ? turned : turned.reverse(), 0n))
        }),
      )
      const winners = new Map<ShardId, string[]>()
      for (const [turn, answer] of answers.entries()) {
        for (const [shard, won] of answer) {
          t.equal(won, 1n)
          winners.set(shard, [...(winners.get(shard) ?? []), owners[turn] ?? ''])
        }
      }
      for (const { shard, epoch: now, owner } of await store.list()) {
        t.equal(now, 1n)
        t.strictSame(winners.get(shard), [owner], `shard ${shard} has the owner that was told so`)
      }
    })
  })
}
