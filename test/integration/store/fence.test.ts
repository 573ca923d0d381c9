import t from 'tap'
import { bootstrap } from '../../../src/access/bootstrap.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { projectId, shardId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import {
  changeFenced,
  createShardStore,
  removeFenced,
  SHARD_SQL_OPTIONS,
} from '../../../src/store/projects/postgres-shard-store.ts'
import { loadProject } from '../../../src/store/projects/project-state-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = projectId(1)
const SHARD = shardId(7)

async function setUp(t: import('tap').Test) {
  const { sql, connection } = await testDatabase(t)
  const shardStore = () => {
    const open = () => createSql(connection, { ...SHARD_SQL_OPTIONS, log })
    const store = createShardStore({ open, clock })
    t.teardown(() => store.close())
    return store
  }
  const shards = shardStore()
  await bootstrap(sql, { email: undefined, projectApiKey: undefined, personalApiKey: undefined })
  const claim = async (owner: string) => {
    const seen = (await shards.list()).filter(({ shard }) => shard === SHARD)
    const epoch = (await shards.claim(owner, seen)).get(SHARD)
    if (epoch === undefined) throw new Error('the shard was not claimed')
    return { shard: SHARD, epoch, project: PROJECT }
  }
  const rename =
    (name: string) => async (tx: Parameters<Parameters<typeof changeFenced>[2]>[0]) => {
      await tx`update projects set name = ${name} where id = ${PROJECT}`
      return name
    }
  const nameNow = async () => (await sql`select name from projects where id = 1`)[0]?.['name']
  return { sql, shardStore, claim, rename, nameNow }
}

t.test('a change under an old epoch is fenced and leaves nothing', async (t) => {
  const { sql, claim, rename, nameNow } = await setUp(t)
  const old = await claim('one')
  await claim('two')
  await t.rejects(changeFenced(sql, old, rename('stale')), { code: 'fenced' })
  t.not(await nameNow(), 'stale')
})

t.test('a change raises the revision and answers the state that it leaves', async (t) => {
  const { sql, claim, rename, nameNow } = await setUp(t)
  const place = await claim('one')
  const before = await loadProject(sql, PROJECT)
  const { result, left } = await changeFenced(sql, place, rename('new'))
  t.equal(result, 'new')
  t.equal(left.revision, before.revision + 1)
  t.equal(await nameNow(), 'new')
})

t.test('the flags that a change leaves are judged before it is committed', async (t) => {
  const { sql, claim, rename, nameNow } = await setUp(t)
  const place = await claim('one')
  const seen: string[][] = []
  const adding = (key: string) =>
    changeFenced(sql, place, async (tx) => {
      tx.judgeFlags(({ flags }) => {
        seen.push(flags.map((flag) => flag.key))
        if (key === 'refused') throw new AppError('invalid_argument', 'no')
      })
      await tx`insert into feature_flags (project_id, key, name, filters)
        values (${PROJECT}, ${key}, '', '{}')`
      return await rename(key)(tx)
    })
  await adding('kept')
  await t.rejects(adding('refused'), { code: 'invalid_argument' })
  t.strictSame(seen, [['kept'], ['kept', 'refused']])
  t.equal(await nameNow(), 'kept')
})

t.test('a failing change leaves neither its writes nor a new revision', async (t) => {
  const { sql, claim, rename, nameNow } = await setUp(t)
  const place = await claim('one')
  const before = await loadProject(sql, PROJECT)
  const failing = changeFenced(sql, place, async (tx) => {
    await rename('half')(tx)
    throw new AppError('invalid_argument', 'no')
  })
  await t.rejects(failing, { code: 'invalid_argument' })
  t.not(await nameNow(), 'half')
  t.equal((await loadProject(sql, PROJECT)).revision, before.revision)
})

t.test('a takeover waits for a change that is under way, and fences the next one', async (t) => {
  const { sql, claim, rename, nameNow } = await setUp(t)
  const old = await claim('one')
  let finish: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  let begun: () => void = () => undefined
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  const running = changeFenced(sql, old, async (tx) => {
    await rename('last')(tx)
    begun()
    await gate
  })
  await started
  let taken = false
  const takeover = claim('two').then((place) => {
    taken = true
    return place
  })
  // The lock is what it waits for, and Postgres says so.
  for (;;) {
    const [row] = await sql`select count(*)::int as waiting from pg_locks where not granted`
    if (row?.['waiting'] > 0) break
  }
  t.equal(taken, false)
  finish()
  await running
  const place = await takeover
  t.equal(await nameNow(), 'last')
  await t.rejects(changeFenced(sql, old, rename('stale')), { code: 'fenced' })
  await changeFenced(sql, place, rename('new owner'))
  t.equal(await nameNow(), 'new owner')
})

t.test('two takeovers race for a shard under change: one wins, under one epoch', async (t) => {
  const { sql, shardStore, claim, rename, nameNow } = await setUp(t)
  const old = await claim('one')
  const seen = [{ shard: SHARD, epoch: old.epoch }]
  const stores = [shardStore(), shardStore()]
  let takeovers: ReturnType<(typeof stores)[0]['claim']>[] = []
  await changeFenced(sql, old, async (tx) => {
    await rename('last')(tx)
    takeovers = stores.map((store, index) => store.claim(`racer ${index}`, seen))
    for (;;) {
      const [row] = await tx`select count(*)::int as waiting from pg_locks where not granted`
      if (row?.['waiting'] > 1) break
    }
  })
  const epochs = (await Promise.all(takeovers)).flatMap((claimed) => [...claimed.values()])
  t.strictSame(epochs, [old.epoch + 1n])
  t.equal(await nameNow(), 'last')
  await t.rejects(changeFenced(sql, old, rename('stale')), { code: 'fenced' })
})

t.test('a project that is gone is not found', async (t) => {
  const { sql, claim } = await setUp(t)
  const place = { ...(await claim('one')), project: projectId(999) }
  await t.rejects(
    changeFenced(sql, place, async () => undefined),
    { code: 'not_found' },
  )
})

t.test('a removal under an old epoch is fenced, and the project stays', async (t) => {
  const { sql, claim, nameNow } = await setUp(t)
  const old = await claim('one')
  const place = await claim('two')
  await t.rejects(
    removeFenced(sql, old, async () => undefined),
    { code: 'fenced' },
  )
  const failing = removeFenced(sql, place, async (tx) => {
    await tx`update projects set name = 'half' where id = ${PROJECT}`
    throw new AppError('invalid_argument', 'no')
  })
  await t.rejects(failing, { code: 'invalid_argument' })
  t.not(await nameNow(), 'half')
  t.equal((await sql`select from projects where id = ${PROJECT}`).length, 1)
  t.equal((await sql`select from deleted_projects`).length, 0)
})

t.test('after a removal there is nothing to change and nothing to remove', async (t) => {
  const { sql, claim, rename } = await setUp(t)
  const place = await claim('one')
  const seen: unknown[] = []
  await removeFenced(sql, place, async (tx) => {
    seen.push(...(await tx`select id from projects where id = ${PROJECT}`))
  })
  t.same(seen, [{ id: PROJECT }], 'it is there for the last time')
  t.same(await sql`select project_id from deleted_projects`, [{ project_id: PROJECT }])
  const flag = changeFenced(sql, place, async (tx) => {
    await tx`insert into feature_flags (project_id, key, filters) values (${PROJECT}, 'f', '{}')`
  })
  await t.rejects(flag, { code: 'not_found' }, 'and no foreign key fails')
  await t.rejects(changeFenced(sql, place, rename('late')), { code: 'not_found' })
  await t.rejects(
    removeFenced(sql, place, async () => undefined),
    { code: 'not_found' },
  )
})

t.test('a removal waits for a change that is under way', async (t) => {
  const { sql, claim } = await setUp(t)
  const place = await claim('one')
  let removal: Promise<void> = Promise.resolve()
  await changeFenced(sql, place, async (tx) => {
    removal = removeFenced(sql, place, async () => undefined)
    for (;;) {
      const [row] = await tx`select count(*)::int as waiting from pg_locks where not granted`
      if (row?.['waiting'] > 0) break
    }
    await tx`insert into feature_flags (project_id, key, filters) values (${PROJECT}, 'f', '{}')`
  })
  await removal
  t.equal((await sql`select from feature_flags`).length, 0)
})
