/** Changes of distinct ids that wait for ClickHouse. */
import t from 'tap'
import type { ColumnStore } from '../../../../src/clickhouse/connect.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createSql } from '../../../../src/postgres/connect.ts'
import { LeaseLost } from '../../../../src/replication/blocks.ts'
import { beginReplication, takeLease } from '../../../../src/replication/lease.ts'
import {
  boundChanges,
  REPLICA_IDS_ROWS,
  sendChangedIds,
} from '../../../../src/replication/replicate-ids.ts'
import { putPerson } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../../support/servers/database.ts'

t.test('without a copy nothing is written down; with one every change is', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  const changes = async () => {
    const rows = await sql<{ id: string }[]>`
      select distinct_id as id from distinct_id_changes order by distinct_id_changes.id`
    await sql`delete from distinct_id_changes`
    return rows.map(({ id }) => id)
  }
  const one = await putPerson(sql, project, { distinctIds: ['before'] })
  t.strictSame(await changes(), [])
  await beginReplication(sql)
  await putPerson(sql, project, { distinctIds: ['a', 'b'] })
  t.strictSame(await changes(), ['a', 'b'])
  await sql`update distinct_ids set person_id = ${one.id} where distinct_id = 'a'`
  t.strictSame(await changes(), ['a'])
  await sql`delete from distinct_ids`
  t.strictSame(new Set(await changes()), new Set(['before', 'a', 'b']))
  await Promise.all([beginReplication(sql), beginReplication(sql), beginReplication(sql)])
  await putPerson(sql, project, { distinctIds: ['c'] })
  t.strictSame(await changes(), ['c'], 'once, however often it begins')
  for (const change of ['insert', 'update', 'delete']) {
    await sql.unsafe(`drop trigger distinct_ids_tell_${change} on distinct_ids`)
  }
  await sql`delete from event_gaps`
  await beginReplication(sql)
  const gaps = [...(await sql`select month, reason from event_gaps`)]
  t.strictSame(gaps, [{ month: 'persons', reason: 'before the copy' }], 'of an older release')
  await sql`update event_keeper set expires_at = now() - interval '8 days'`
  await putPerson(sql, project, { distinctIds: ['d'] })
  t.strictSame(await changes(), [], 'a copy that nobody keeps is told nothing')
})

t.test('workers that begin a copy together begin one', async (t) => {
  const { sql } = await testDatabase(t, { connectionsMax: 6 })
  await Promise.all(Array.from({ length: 6 }, () => beginReplication(sql)))
  t.strictSame([...(await sql`select month from event_gaps`)], [])
  const project = await createProject(sql)
  await putPerson(sql, project, { distinctIds: ['a'] })
  t.equal((await sql`select from distinct_id_changes`).length, 1)
})

t.test(
  'as many changes as are told at a time are told within the time of a statement',
  async (t) => {
    const { sql, connection } = await testDatabase(t)
    const project = await createProject(sql)
    await beginReplication(sql)
    const lease = await takeLease(sql, 'test')
    if (lease === undefined) throw new Error('the lease is free')
    await sql`
    insert into distinct_id_changes (project_id, distinct_id)
    select ${project}, 'id ' || nth from generate_series(1, ${REPLICA_IDS_ROWS}) as nth`
    const told: string[] = []
    const store: Pick<ColumnStore, 'database' | 'insert'> = {
      database: 'd',
      insert: async (_, data) => void told.push(String((await data.toArray()).join(''))),
    }
    // A worker's connections cut statements. Reading all ids again for each change took twice that.
    const own = createSql(connection, { applicationName: 'test', connectionsMax: 1, log })
    t.teardown(() => own.end({ timeout: 0 }))
    const deps = { sql: own, store: store as ColumnStore, lease }
    t.ok(await sendChangedIds(deps))
    t.equal(told.join('').split('\n').length - 1, REPLICA_IDS_ROWS)
    t.notOk(await sendChangedIds(deps), 'all are told')
  },
)

t.test('changes that wait are bounded: beyond it all distinct ids are told anew', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  await beginReplication(sql)
  const lease = await takeLease(sql, 'test')
  if (lease === undefined) throw new Error('the lease is free')
  await putPerson(sql, project, { distinctIds: ['a', 'b', 'c'] })
  t.notOk(await boundChanges(sql, lease, 3))
  await putPerson(sql, project, { distinctIds: ['d'] })
  const lost = boundChanges(sql, { ...lease, number: lease.number - 1n }, 3)
  await t.rejects(lost, LeaseLost)
  t.ok(await boundChanges(sql, lease, 3))
  t.strictSame([...(await sql`select from distinct_id_changes`)], [])
  t.match(
    [...(await sql`select month, asked from event_gaps`)],
    [{ month: 'persons', asked: true }],
  )
})
