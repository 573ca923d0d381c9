/** ClickHouse knows whose each distinct id is, whatever becomes of it in Postgres. */
import t, { type Test } from 'tap'
import { ColumnError } from '../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../src/clickhouse/connect.ts'
import { sendIds } from '../../src/clickhouse/distinct-ids.ts'
import type { Sql } from '../../src/postgres/connect.ts'
import { requestBackfill } from '../../src/replication/backfill.ts'
import { beginReplication } from '../../src/replication/lease.ts'
import { readSummary } from '../../src/replication/replica-summary.ts'
import { comparePersons, forgetOldIds } from '../../src/replication/replicate-ids.ts'
import { columnServer, freshDatabase, openColumns } from '../support/columns/column-store.ts'
import {
  type ReplicatorOptions,
  startReplicator,
  untilShipped,
} from '../support/columns/replication.ts'
import { putPerson } from '../support/ingest/events.ts'
import { createProject } from '../support/ingest/ingest-store.ts'
import { testDatabase } from '../support/servers/database.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

const server = await columnServer(t)

async function copied(t: Test, options: ReplicatorOptions & { readonly filled?: number } = {}) {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  for (let nth = 0; nth < (options.filled ?? 0); nth++) {
    await putPerson(sql, project, { distinctIds: [`before-${nth}`], properties: {} })
  }
  await beginReplication(sql)
  const url = await freshDatabase(t, server)
  const columns = await openColumns(t, url)
  startReplicator(t, sql, url, options)
  return { sql, project, columns }
}

/** The person of each id in ClickHouse: 0 for none. */
async function owners(columns: ColumnStore, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of ids) {
    const [[person] = ['0']] = await columns.rows(
      `select toString(person_id) from ${columns.database}.distinct_ids final
      where id = sipHash128({id: String})`,
      { id },
    )
    found.push(String(person))
  }
  return found
}

async function owned(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of ids) {
    const [row] = await sql<{ person: string }[]>`
      select person_id::text as person from distinct_ids where distinct_id = ${id}`
    found.push(row?.person ?? '0')
  }
  return found
}

t.test('new ids, merged ones and deleted ones are told', async (t) => {
  const { sql, project, columns } = await copied(t)
  const ids = ['a', 'b', 'é\u{1f600}', "it's"]
  const one = await putPerson(sql, project, { distinctIds: ids.slice(0, 2), properties: {} })
  const other = await putPerson(sql, project, { distinctIds: ids.slice(2), properties: {} })
  await untilShipped(sql)
  t.strictSame(await owners(columns, ids), await owned(sql, ids))
  t.notSame(one.id, other.id)
  await sql`update distinct_ids set person_id = ${other.id} where distinct_id = 'a'`
  await sql`delete from distinct_ids where distinct_id = 'b'`
  await untilShipped(sql)
  t.strictSame(await owners(columns, ids), await owned(sql, ids))
  t.equal((await owners(columns, ['b']))[0], '0')
  t.strictSame(await comparePersons(sql, columns), {
    events: 3,
    differences: [],
    missingBlocks: [],
  })
  await sql`insert into distinct_ids (project_id, distinct_id, person_id)
    values (${project}, 'b', ${one.id})`
  await untilShipped(sql)
  t.strictSame(await owners(columns, ids), await owned(sql, ids))
})

t.test('ids from before the copy are told when that is asked for', async (t) => {
  const { sql, columns } = await copied(t, { filled: 30 })
  const ids = Array.from({ length: 30 }, (_, nth) => `before-${nth}`)
  await until('the table is there', async () => (await readSummary(sql))?.state === 'shipping')
  t.match(await comparePersons(sql, columns), { differences: [{ wanted: 30, found: 0 }] })
  t.strictSame(await requestBackfill(sql, []), ['persons'])
  await untilShipped(sql)
  t.strictSame(await owners(columns, ids), await owned(sql, ids))
  await columns.command(`truncate table ${columns.database}.distinct_ids`)
  await requestBackfill(sql, ['persons'])
  await untilShipped(sql)
  t.strictSame((await comparePersons(sql, columns)).differences, [])
})

t.test('a row that arrives late, or twice, does not win over a newer one', async (t) => {
  let fails = 2
  const { sql, project, columns } = await copied(t, {
    wrap: (store) => ({
      ...store,
      insert: async (...args) => {
        await store.insert(...args)
        fails -= 1
        if (fails >= 0) throw new ColumnError('unreachable', 'the answer is lost')
      },
    }),
  })
  await putPerson(sql, project, { distinctIds: ['twice'], properties: {} })
  await untilShipped(sql)
  t.strictSame(await owners(columns, ['twice']), await owned(sql, ['twice']))
  const late = { projectId: Number(project), distinctId: 'twice', personId: '77' }
  await sendIds(columns, [late], '1')
  t.strictSame(await owners(columns, ['twice']), await owned(sql, ['twice']))
})

t.test('changed by many at once while replicators come and go, both know the same', async (t) => {
  const { sql } = await testDatabase(t, { connectionsMax: 8 })
  const project = await createProject(sql)
  await beginReplication(sql)
  const url = await freshDatabase(t, server)
  const columns = await openColumns(t, url)
  const persons: string[] = []
  for (let nth = 0; nth < 5; nth++) {
    persons.push((await putPerson(sql, project, { distinctIds: [`p${nth}`] })).id)
  }
  const ids = Array.from({ length: 40 }, (_, nth) => `id-${nth}`)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T // Not empty.
  const change = async () => {
    const [id, person] = [pick(ids), pick(persons)]
    if (Math.random() < 0.3) return await sql`delete from distinct_ids where distinct_id = ${id}`
    return await sql`
      insert into distinct_ids as d (project_id, distinct_id, person_id)
      values (${project}, ${id}, ${person})
      on conflict (project_id, distinct_id) do update set person_id = excluded.person_id`
  }
  let replicator = startReplicator(t, sql, url)
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      [0, 1, 2, 3].map(async () => {
        for (let nth = 0; nth < 100; nth++) await change()
      }),
    )
    await replicator.stop()
    replicator = startReplicator(t, sql, url)
  }
  await untilShipped(sql)
  t.strictSame(await owners(columns, ids), await owned(sql, ids))
})

t.test('no trace is left of an id that is gone', async (t) => {
  const { sql, project, columns } = await copied(t)
  await putPerson(sql, project, { distinctIds: ['stays', 'goes'], properties: {} })
  await untilShipped(sql)
  await sql`delete from distinct_ids where distinct_id = 'goes'`
  await untilShipped(sql)
  const [lease] = await sql<{ number: bigint; copyId: string }[]>`
    select lease as number, copy_id::text as "copyId" from event_shipper`
  if (lease === undefined) throw new Error('there is a copy')
  await forgetOldIds({ sql, store: columns, lease }, 0)
  const rows = await columns.rows(`select count() from ${columns.database}.distinct_ids`)
  t.equal(Number(rows[0]?.[0]), 1)
  t.strictSame(await owners(columns, ['stays']), await owned(sql, ['stays']))
})
