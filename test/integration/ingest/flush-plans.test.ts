import t from 'tap'
import { createProject, makeEvent, openStore } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

t.test('no statement of a flush scans a table, whatever it held when it was planned', async (t) => {
  const db = await testDatabase(t)
  const projectId = await createProject(db.sql)
  const store = openStore(t, db)
  for (let flush = 0; flush < 6; flush++) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      projectId,
      event: makeEvent({ distinctId: `id ${flush} ${index}` }),
      batch: 0,
    }))
    await store.flush(0, rows)
  }
  // The writer's own session reports when it ends.
  await store.close()
  const read = async () => {
    const rows = await db.sql<{ relname: string; read: string }[]>`
      select relname, seq_tup_read::text as read from pg_stat_user_tables
      where relname in ('distinct_ids', 'persons', 'event_definitions', 'event_counts')
        and idx_scan > 0 order by relname`
    return rows.map((row) => ({ ...row }))
  }
  let tables = await read()
  while (tables.length < 3) tables = await read()
  for (const { relname, read: rows } of tables) t.equal(rows, '0', `rows of ${relname} scanned`)
})

for (const [what, person] of [
  ['plain events', {}],
  ['changes of persons', { set: '{"plan":"free"}' }],
] as const) {
  t.test(`nor does the look across midnight scan the events or their times: ${what}`, async (t) => {
    const db = await testDatabase(t)
    const projectId = await createProject(db.sql)
    const store = openStore(t, db)
    for (let flush = 0; flush < 30; flush++) {
      const rows = Array.from({ length: 100 }, () => ({
        projectId,
        event: makeEvent({ timestamp: '2026-03-04T00:30:00.000000Z', person }),
        batch: 0,
      }))
      await store.flush(0, rows)
    }
    await store.close()
    const read = async () => {
      const [row] = await db.sql<{ scanned: string; probes: number; others: number }[]>`
        select seq_tup_read::text as scanned, idx_scan::integer as probes,
          (select sum(idx_scan)::integer from pg_stat_user_indexes
            where relname = 'events_y2026m03' and indexrelname not like '%_day_uuid_key') as others
        from pg_stat_user_tables where relname = 'events_y2026m03'`
      return row ?? { scanned: '', probes: 0, others: 0 }
    }
    let figures = await read()
    while (figures.probes < 3_000) figures = await read()
    t.equal(figures.scanned, '0')
    t.equal(figures.others, 0, 'looks into indexes that do not find an event by its uuid')
  })
}

t.test('nor do calls of flags scan the flags', async (t) => {
  const db = await testDatabase(t)
  const projectId = await createProject(db.sql)
  await db.sql`insert into feature_flags (project_id, key, filters)
    select ${projectId}, 'flag-' || n, '{}' from generate_series(0, 9) as n`
  const store = openStore(t, db)
  for (let flush = 0; flush < 6; flush++) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      projectId,
      event: makeEvent({
        event: '$feature_flag_called',
        timestamp: new Date().toISOString().replace('Z', '000Z'),
        properties: `{"$feature_flag":"flag-${index % 10}","$feature_flag_response":true}`,
      }),
      batch: 0,
    }))
    await store.flush(0, rows)
  }
  await store.close()
  const read = async () => {
    const rows = await db.sql<{ relname: string; read: string }[]>`
      select relname, seq_tup_read::text as read from pg_stat_user_tables
      where relname in ('feature_flags', 'flag_usage') and idx_scan > 0 order by relname`
    return rows.map((row) => ({ ...row }))
  }
  let tables = await read()
  while (tables.length < 2) tables = await read()
  for (const { relname, read: rows } of tables) t.equal(rows, '0', `rows of ${relname} scanned`)
})
