/** Migration 28 on instances in each state that the release before knew. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { isInClickHouse, listMovedMonths } from '../../../src/event-store/months/home.ts'
import {
  attachKeyIndex,
  createPartitions,
  makeKeyIndex,
  partitionOf,
} from '../../../src/event-store/months/partitions.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Db } from '../../../src/postgres/db.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { beginReplication } from '../../../src/replication/lease.ts'
import { testDatabase } from '../../support/servers/database.ts'

const MIGRATIONS = join(packageRoot, 'migrations')
const MARCH = partitionOf('2026-03')

/** A database of the release before, with an event in March, and the step to this one. */
async function before(t: Test) {
  const { sql } = await testDatabase(t, { migrated: false })
  const dir = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(dir, { recursive: true }))
  for (const name of await readdir(MIGRATIONS)) {
    if (name < '0028') await copyFile(join(MIGRATIONS, name), join(dir, name))
  }
  await migrate(sql, { dir, log })
  await createPartitions(sql, [MARCH])
  await beginReplication(sql)
  const upgrade = async () => {
    await migrate(sql, { dir: MIGRATIONS, log })
    const [row] = await sql<{ keeps: string; events: number; keys: number }[]>`
      select keeps, (select count(*)::int from events) as events,
        (select count(*)::int from event_ledger) as keys
      from event_keeper`
    return row
  }
  return { sql, upgrade }
}

async function insertEvent(sql: Db): Promise<void> {
  await sql`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    values (1, '2026-03-04', gen_random_uuid(), '2026-03-04T05:00:00Z', 'seen', 'ann', '{}')`
}

/** Puts the keys of March into the ledger, and leaves its events. */
async function moveKeys(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await makeKeyIndex(tx, MARCH)
    await tx`insert into event_ledger_y2026m03 select project_id, day, uuid from events`
    await attachKeyIndex(tx, MARCH)
  })
}

t.test('a copy beside a full Postgres is a move under way', async (t) => {
  const { sql, upgrade } = await before(t)
  await insertEvent(sql)
  await sql`update event_keeper set reads = 'clickhouse'`
  t.match(await upgrade(), { keeps: 'both', events: 1, keys: 0 })
  t.notOk(await isInClickHouse(sql), 'Postgres answers until the move has ended')
})

t.test('events in ClickHouse alone have moved', async (t) => {
  const { sql, upgrade } = await before(t)
  await insertEvent(sql)
  await moveKeys(sql)
  await sql`truncate events`
  await sql`update event_keeper set keeps = 'clickhouse'`
  t.match(await upgrade(), { keeps: 'clickhouse', events: 0, keys: 1 })
  t.ok(await isInClickHouse(sql))
})

t.test('a return to Postgres that was interrupted is undone, and cannot continue', async (t) => {
  const { sql, upgrade } = await before(t)
  await insertEvent(sql)
  await moveKeys(sql)
  await createPartitions(sql, [partitionOf('2026-04')])
  t.match(await upgrade(), { keeps: 'clickhouse', events: 0, keys: 1 })
  t.same(await listMovedMonths(sql), ['y2026m03'])
  await t.rejects(
    sql.begin(async (tx) => {
      await tx`set local sluice.brings_month = 'yes'`
      await insertEvent(tx)
    }),
    { code: '23514' },
    'what an older worker brings is refused',
  )
})
