/**
 * Workers, the engine and Postgres are killed at random moments: nothing is lost or doubled, also
 * while the events move.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { systemClock as clock } from '../../src/core/clock.ts'
import { listMonths, moveHome } from '../../src/event-store/months/home.ts'
import { compareMonth } from '../../src/replication/compare-days.ts'
import { beginReplication } from '../../src/replication/lease.ts'
import { leavePostgres } from '../../src/replication/move/leave-postgres.ts'
import type { MoveDeps } from '../../src/replication/move/move-month.ts'
import { freshDatabase, openColumns } from '../support/columns/column-store.ts'
import { startEngine } from '../support/columns/engine.ts'
import { eventsOfColumns, untilShipped } from '../support/columns/replication.ts'
import { createProject, makeEvent, openStore, rowOf } from '../support/ingest/ingest-store.ts'
import { moduleArgs } from '../support/module-url.ts'
import { testDatabase } from '../support/servers/database.ts'
import { pause, until } from '../support/until.ts'

/** `KILLS=50 npm run test:columns -- replication-kills` is the long form. */
const KILLS = Number(process.env['KILLS'] ?? 9)
const EVENTS_A_FLUSH = 40

t.setTimeout(240_000 + KILLS * 60_000)

/** A process that ships, as a worker does; `kill` is SIGKILL. */
function startShipping(t: Test, database: string, events: string) {
  const args = moduleArgs('../support/columns/replicator-child.ts', import.meta.url)
  const start = () =>
    spawn(process.execPath, [...args, database, events], { stdio: ['pipe', 'ignore', 'inherit'] })
  let child = start()
  const kill = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  t.teardown(kill)
  return {
    kill,
    start: () => {
      child = start()
    },
  }
}

t.test('killed at any moment, ClickHouse has in the end what Postgres has', async (t) => {
  const { sql, columns, found } = await killed(t, async () => {})
  const stored = await sql<{ uuid: string }[]>`select uuid::text from events order by uuid::text`
  t.same(
    found,
    stored.map(({ uuid }) => uuid),
    'and those are the events of Postgres',
  )
  for (const month of await listMonths(sql)) {
    t.same((await compareMonth(sql, columns, month)).differences, [])
  }
})

t.test('so it has while the events move, and after that', async (t) => {
  let moves = 0
  const { sql, columns, found } = await killed(t, async (deps) => {
    await moveHome(deps.sql)
    for (const month of await listMonths(deps.sql)) await leavePostgres(deps, month)
    moves += 1
  })
  t.ok(moves > 0, 'a move has ended')
  const stored = await sql<{ uuid: string }[]>`
    select uuid::text from event_ledger order by uuid::text`
  t.same(
    found,
    stored.map(({ uuid }) => uuid),
    'and those are the keys that Postgres keeps',
  )
  t.same(await sql`select from events`, [], 'which has no event any more')
  for (const month of await listMonths(sql)) {
    t.same((await compareMonth(sql, columns, month)).differences, [])
  }
  const [row] = await sql`select sum(count)::int as count from event_counts`
  t.match(row, { count: stored.length })
})

/** @param work done again and again meanwhile; it may fail. */
async function killed(t: Test, work: (deps: MoveDeps) => Promise<void>) {
  const db = await testDatabase(t, { fsync: true })
  const { sql } = db
  await beginReplication(sql)
  const engine = await startEngine(t)
  const url = await freshDatabase(t, engine.url)
  const columns = await openColumns(t, url)
  const project = await createProject(sql)
  const replicators = [startShipping(t, db.url, url), startShipping(t, db.url, url)]
  const store = openStore(t, db, 0, undefined, true)
  const acked = new Set<string>()
  let isOver = false
  const capture = async () => {
    let rows: ReturnType<typeof rowOf>[] = []
    while (!isOver) {
      if (rows.length === 0) {
        rows = Array.from({ length: EVENTS_A_FLUSH }, () => rowOf(project, makeEvent()))
      }
      try {
        await store.flush(0, rows)
        for (const { event } of rows) acked.add(event.uuid)
        // Now and then all of them come again.
        if (Math.random() < 0.8) rows = []
      } catch {
        await pause(50) // Postgres is away: the same events are tried again.
      }
      await pause(5)
    }
  }
  const working = async () => {
    while (!isOver) {
      // Whatever is killed meanwhile ends it: it is begun anew.
      await work({ sql, store: columns, clock }).catch(() => {})
      await pause(50)
    }
  }
  const capturing = Promise.all([capture(), working()])
  const victims = [
    async () => {
      const [one] = replicators.filter(() => Math.random() < 0.5)
      const replicator = one ?? replicators[0]
      await replicator?.kill()
      replicator?.start()
    },
    async () => {
      await engine.kill()
      await pause(Math.random() * 500)
      await engine.start()
    },
    async () => {
      await db.pg.kill('SIGQUIT')
      await db.pg.restart()
    },
  ]
  await until('events are stored', async () => acked.size > 0)
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(500 + Math.random() * 2_500)
    await victims[kill % victims.length]?.()
  }
  isOver = true
  await capturing
  await until('Postgres answers', async () => (await sql`select 1`).length === 1)
  await untilShipped(sql)
  const found = (await eventsOfColumns(columns)).map(({ uuid }) => uuid)
  const there = new Set(found)
  const lost = [...acked].filter((uuid) => !there.has(uuid))
  t.same(lost, [], `${acked.size} acknowledged, none is lost`)
  t.equal(found.length, there.size, 'none is doubled')
  return { sql, columns, found: found.sort() }
}
