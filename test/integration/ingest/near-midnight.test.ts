import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import { ensurePartitions } from '../../../src/event-store/months/partitions.ts'
import type { FlushRow } from '../../../src/ingest/store-port.ts'
import { createProject, makeEvent, openStore } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

const BEFORE = '2026-02-28T22:00:00.000000Z'
const AFTER = '2026-03-01T01:59:59.999999Z'
const NOON = '2026-03-01T12:00:00.000000Z'

t.test('an event that is sent again across midnight', async (t) => {
  const db = await testDatabase(t)
  await ensurePartitions(db.sql, Date.parse(BEFORE))
  const project = await createProject(db.sql)
  const store = openStore(t, db)
  const at = (uuid: string, timestamp: string, projectId: ProjectId = project): FlushRow => ({
    projectId,
    event: makeEvent({ uuid, timestamp, event: 'paid' }),
    batch: 0,
  })
  const timesOf = async (uuid: string) => {
    const rows = await db.sql<{ at: string }[]>`
      select to_char(timestamp at time zone 'UTC', 'DD HH24') as at from events
      where uuid = ${uuid} order by timestamp`
    return rows.map((row) => row.at)
  }

  for (const [name, times, kept] of [
    ['a later attempt', [BEFORE, AFTER], '28 22'],
    ['an earlier attempt that was late', [AFTER, BEFORE], '01 01'],
  ] as const) {
    await t.test(`${name} is known by its uuid`, async (t) => {
      const uuid = randomUUID()
      const [first, second] = times
      t.same((await store.flush(0, [at(uuid, first)])).duplicates, [])
      const again = await store.flush(1, [at(randomUUID(), NOON), at(uuid, second)])
      t.same(again.duplicates, [1], 'and what comes with it is stored')
      t.same(await timesOf(uuid), [kept])
    })
    await t.test(`${name} of the same flush as well`, async (t) => {
      const uuid = randomUUID()
      const flushed = await store.flush(
        0,
        times.map((time) => at(uuid, time)),
      )
      t.same(flushed.duplicates, [1])
      t.same(await timesOf(uuid), [kept])
    })
  }

  await t.test('repeats change no counter and no person', async (t) => {
    const uuid = randomUUID()
    const counted = async () => {
      const [row] = await db.sql<{ count: number }[]>`
        select sum(count)::int as count from event_counts where project_id = ${project}`
      return row?.count ?? 0
    }
    const person = { set: '{"plan":"old"}' }
    const setting = (timestamp: string, set: string): FlushRow => ({
      projectId: project,
      event: makeEvent({ uuid, timestamp, distinctId: 'setter', person: { set } }),
      batch: 0,
    })
    await store.flush(0, [setting(BEFORE, person.set)])
    const before = await counted()
    const again = await store.flush(0, [setting(AFTER, '{"plan":"repeated"}')])
    t.same(again.duplicates, [0])
    t.equal(await counted(), before)
    const [row] = await db.sql`
      select p.properties from persons p join distinct_ids d on d.person_id = p.id
      where d.distinct_id = 'setter'`
    t.same(row?.['properties'], { plan: 'old' })
  })

  await t.test('another project has uuids of its own', async (t) => {
    const uuid = randomUUID()
    const other = await createProject(db.sql)
    await store.flush(0, [at(uuid, BEFORE)])
    t.same((await store.flush(0, [at(uuid, AFTER, other)])).duplicates, [])
    t.same(await timesOf(uuid), ['28 22', '01 01'])
  })
})
