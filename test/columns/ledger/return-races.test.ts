/** A month leaves Postgres or comes back while events of it are deleted: none is missed, none is old. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { tellCopyOfMonth } from '../../../src/store/event-copy/tell-removals.ts'
import { leavePostgres } from '../../../src/store/event-home/leave-postgres.ts'
import { setKeepers } from '../../../src/store/event-home/ledger.ts'
import { returnToPostgres } from '../../../src/store/event-home/return-to-postgres.ts'
import { createSql } from '../../../src/store/pool/connect.ts'
import type { Db } from '../../../src/store/pool/db.ts'
import { SERIALIZATION_FAILURE } from '../../../src/store/pool/sqlstate.ts'
import { deleteFound } from '../../../src/store/privacy/deletion-chunks.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { deletionOf, keptSite, left, of, small } from '../../support/columns/ledger-site.ts'
import { askForPerson, findWithout } from '../../support/store/deletions.ts'
import { createGate } from '../../support/workers/gate.ts'

t.setTimeout(600_000)

const APRIL = '2026-04-04T05:06:07.000000Z'
const server = await columnServer(t)
const kept = (t: Test) => keptSite(t, server)

/** Twenty events of March are in ClickHouse alone, and may come back. `again` is one of them. */
async function mayReturn(t: Test) {
  const site = await kept(t)
  const events = of('ann', 20)
  const [again] = events
  if (again === undefined) throw new Error('there are none')
  await site.flush(events)
  await site.leave()
  await setKeepers(site.sql, 'both')
  const { uuid, event } = again
  const remove = (tx: Db) => deleteFound(tx, site.project, [{ day: '2026-03-04', uuid, event }])
  /** Sent again, with other content. */
  const send = (plan: string) => site.flush([{ ...again, properties: `{"plan":"${plan}"}` }])
  return { ...site, uuid, remove, send }
}

t.test('events of a month that moves in the middle of a chunk are not missed', async (t) => {
  const site = await kept(t)
  const { sql, columns, project, flush, deleting, leave } = site
  const deps = { sql, store: columns, clock }
  for (const event of ['ann', 'ben']) await flush([...of(event, 20), ...of(event, 20, APRIL)])
  await leave()
  const gone = await askForPerson(sql, project, 'ann')
  // It is told once the snapshot of the chunk is taken.
  await deleting({
    onPersonDeleted: async () => {
      await leavePostgres(deps, 'y2026m04')
    },
  })
  t.match(await deletionOf(sql, gone.id), { state: 'running', deleted: 0, error: null })
  await deleting()
  t.match(await deletionOf(sql, gone.id), { state: 'completed', deleted: 40 })
  const late = await askForPerson(sql, project, 'ben')
  await deleting({
    onPersonDeleted: async () => {
      await returnToPostgres(deps, 'y2026m04')
    },
  })
  t.match(await deletionOf(sql, late.id), { state: 'running', deleted: 0, error: null })
  await setKeepers(sql, 'both')
  await returnToPostgres(deps, 'y2026m03')
  await deleting({ findKeys: findWithout(sql) })
  t.match(
    await deletionOf(sql, late.id),
    { state: 'completed', deleted: 40 },
    'in Postgres by then',
  )
  t.match(await left(site), { all: 0, counted: 0, keys: 0, whole: 0 })
})

t.test('events that are gone are not counted again when a return brings them', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, find, deleting, leave } = site
  await flush([...of('ann', 50), ...of('cid', 50), ...of('ben', 5)])
  await sql`create table brought as select * from events`
  await leave()
  /** A piece that was under way as keys of the ledger went. */
  const bring = () =>
    sql.begin(async (tx) => {
      await tx`set local sluice.brings_month = 'yes'`
      await tx`insert into events_y2026m03 select * from brought b where not exists (
        select from event_ledger l where l.uuid = b.uuid) on conflict do nothing`
    })
  const remove = async (id: string, findKeys = find) => {
    let done = 0
    await deleting({
      findKeys,
      onChunk: async () => {
        if (++done === 2) await bring()
      },
      ...small(id),
    })
  }
  /** Later than what is found, and brought as well. */
  const bringLate = () =>
    sql.begin(async (tx) => {
      await tx`set local sluice.brings_month = 'yes'`
      await tx`
        insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
        select project_id, day, uuid, day, 'seen', 'dan', '{}' from event_ledger l
        where not exists (select from brought b where b.uuid = l.uuid)`
    })
  const { id } = await askForPerson(sql, project, 'ann')
  await remove(id)
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 50 })
  t.match(await left(site), { counts: { cid: 50, ben: 5 }, counted: 55, keys: 55, whole: 0 })
  const old = randomUUID()
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  await sql`insert into deletions (id, project_id, kind, cutoff)
    values (${old}, ${project}, 'retention', '2026-04-01')`
  await remove(old, async (deletion, walk) => {
    const found = await find(deletion, walk)
    await flush(of('dan', 3))
    await bringLate()
    return found
  })
  t.match(await deletionOf(sql, old), { state: 'completed', deleted: 55 })
  t.match(await left(site), { counts: { dan: 3 }, all: 3, counted: 3, keys: 3, whole: 3 })
})

t.test('an event that is deleted as it returns, and sent again, is the new one', async (t) => {
  const { sql, columns, db, uuid, remove, send } = await mayReturn(t)
  const released = createGate()
  const reading = createGate()
  // While it reads the month, the rest of it does not come.
  const reader = sql.begin(async (tx) => {
    await tx`select from event_ledger_y2026m03`
    reading.open()
    await released.opened
  })
  await reading.opened
  const other = createSql(db.connection, { applicationName: 'other', connectionsMax: 1, log })
  t.teardown(() => other.end({ timeout: 0 }))
  let late: Promise<unknown> | undefined
  /** It has looked before the piece comes, and deletes as soon as it may. */
  const deleteLate = async () => {
    const seen = createGate()
    late = t.rejects(
      other.begin('isolation level repeatable read', async (tx) => {
        await tx`select from events`
        seen.open()
        await remove(tx)
      }),
      { code: SERIALIZATION_FAILURE },
    )
    await seen.opened
  }
  const store: typeof columns = {
    ...columns,
    async *stream(...asked) {
      if (late === undefined) await deleteLate()
      yield* columns.stream(...asked)
    },
  }
  const sleep = async () => {
    await late
    t.equal(await sql.begin(remove), 1, 'now it is seen')
    await send('new')
    released.open()
    await reader
  }
  t.equal(await returnToPostgres({ sql, store, clock: { ...clock, sleep } }, 'y2026m03'), 20)
  const plans = await sql`
    select count(*)::int as count, count(*) filter (where uuid = ${uuid})::int as again
    from events where properties->>'plan' = 'new'`
  t.same([...plans], [{ count: 1, again: 1 }])
})

t.test('a row deleted and sent again, and not in ClickHouse yet, is the new one', async (t) => {
  const { sql, columns, shipper, remove, send } = await mayReturn(t)
  await shipper.stop()
  for (const plan of ['new', 'newer', 'newest']) {
    await sql.begin(remove)
    await send(plan)
  }
  const deps = { sql, store: columns, clock }
  t.equal(await returnToPostgres(deps, 'y2026m03'), 20)
  const plans = await sql`
      select count(*)::int as count from events where properties->>'plan' = 'newest'`
  t.same([...plans], [{ count: 1 }])
})

t.test('nothing old returns to a month that was dropped and made anew', async (t) => {
  const { sql, columns, shipper, send } = await mayReturn(t)
  await shipper.stop()
  await sql.begin(async (tx) => {
    await tx`delete from event_ledger`
    await tellCopyOfMonth(tx, 'events_y2026m03')
  })
  await send('new')
  t.equal(await returnToPostgres({ sql, store: columns, clock }, 'y2026m03'), 1)
  t.same([...(await sql`select properties->>'plan' as plan from events`)], [{ plan: 'new' }])
})
