import t, { type Test } from 'tap'
import type { ShardRow } from '../../../cluster/shards/shard-store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { type Epoch, epoch, type ShardId, shardId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import {
  createShardStore,
  SHARD_ATTEMPT_MS,
  SHARD_SQL_OPTIONS,
} from '../../../src/store/projects/postgres-shard-store.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { testDatabase } from '../../support/servers/database.ts'

const SEVEN = shardId(7)

async function setUp(t: Test, { clock = systemClock, lockTimeoutMs = 3_000 } = {}) {
  const { sql, connection, pg } = await testDatabase(t)
  const open = () => createSql(connection, { ...SHARD_SQL_OPTIONS, lockTimeoutMs, log })
  const store = createShardStore({ open, clock })
  t.teardown(() => store.close())
  return { sql, pg, store }
}

/** A change that holds its shard's epoch until `end`. */
async function holdEpoch(sql: Sql, shard: ShardId): Promise<{ end(): Promise<void> }> {
  let finish: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  let begun: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  const running = sql.begin(async (tx) => {
    await tx`select from shard_epochs where shard = ${shard} for share`
    begun()
    await gate
  })
  await started
  return {
    async end() {
      finish()
      await running
    },
  }
}

/** Resolves once a statement waits for a lock, by Postgres's own word. */
async function someoneWaits(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as waiting from pg_locks where not granted`
    if (row?.['waiting'] > 0) return
  }
}

const byOwner = (rows: readonly ShardRow[]) => {
  const counts: Record<string, number> = {}
  for (const { owner } of rows) counts[owner] = (counts[owner] ?? 0) + 1
  return counts
}

t.test('a change that does not end holds up the claim of its own shard only', async (t) => {
  const { sql, store } = await setUp(t)
  const change = await holdEpoch(sql, SEVEN)
  const claim = store.claim('a', await store.list())
  await someoneWaits(sql)
  t.strictSame(byOwner(await store.list()), { a: 255, '': 1 }, 'the others are claimed')
  await change.end()
  const claimed: ReadonlyMap<ShardId, Epoch> = await claim
  t.equal(claimed.size, 256)
  t.strictSame(byOwner(await store.list()), { a: 256 })
})

t.test('a claim that waits for too long is given up, and can be made again', async (t) => {
  const { sql, store } = await setUp(t, { lockTimeoutMs: 50 })
  const change = await holdEpoch(sql, SEVEN)
  const seen = [{ shard: SEVEN, epoch: epoch(0n) }]
  await t.rejects(store.claim('a', seen), { code: 'unavailable' })
  t.strictSame(byOwner(await store.list()), { '': 256 })
  await change.end()
  t.strictSame(await store.claim('a', seen), new Map([[SEVEN, epoch(1n)]]))
})

t.test('a database that hangs is given up in time, and asked again when it is back', async (t) => {
  const clock = createFakeClock()
  const { pg, store } = await setUp(t, { clock })
  const rows = await store.list()
  await pg.freeze()
  t.teardown(() => pg.resume())
  const listed = t.rejects(store.list(), { code: 'unavailable' })
  await clock.advance(SHARD_ATTEMPT_MS)
  await listed
  const claimed = t.rejects(store.claim('a', rows), { code: 'unavailable' })
  await clock.advance(SHARD_ATTEMPT_MS)
  await claimed
  await pg.resume()
  t.equal((await store.list()).length, 256)
})

t.test('a database that is away is unavailable, for claims and releases too', async (t) => {
  const { pg, store } = await setUp(t)
  const rows = await store.list()
  const held = await store.claim('a', rows)
  await pg.kill('SIGKILL')
  t.teardown(() => pg.restart())
  await t.rejects(store.list(), { code: 'unavailable' })
  await t.rejects(store.claim('b', rows), { code: 'unavailable' })
  await t.rejects(store.release('a', held), { code: 'unavailable' })
  await pg.restart()
  t.strictSame(byOwner(await store.list()), { a: 256 }, 'what was claimed is still claimed')
  await store.release('a', held)
  t.ok((await store.list()).every(({ released }) => released))
})
