/** Reading events that only ClickHouse holds: the suite of all readers through the router, and when nobody answers. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { ColumnError } from '../../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createReplicaReads } from '../../../src/event-store/clickhouse/replica/replica-reads.ts'
import { moveHome } from '../../../src/event-store/months/home.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { createRoutedEvents } from '../../../src/event-store/routed-events.ts'
import type { EventReader } from '../../../src/events/ports.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { askedOf } from '../../../src/query/list/event-list-query.ts'
import { beginReplication } from '../../../src/replication/lease.ts'
import { openOwnReplica } from '../../../src/replication/replication.ts'
import { copyToColumns } from '../../support/columns/both-stores.ts'
import { columnServer, columnStore } from '../../support/columns/column-store.ts'
import { replicatedSite } from '../../support/columns/replicated-site.ts'
import { testReader } from '../../support/events/reader-suite.ts'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

t.setTimeout(300_000)

const server = await columnServer(t)
const CALL = { signal: new AbortController().signal, time: { left: () => 60_000 } }
const PAGE = { order: 'newest', limit: 100, offset: 0, bytesMax: 1e6, personBytesMax: 1e6 } as const

function routed(t: Test, sql: Sql, open: () => Promise<ColumnStore>): EventReader {
  const columns = createReplicaReads({
    ...{ clock, log, open, onRead: () => {}, onKeys: () => {} },
  })
  t.teardown(columns.close)
  return createRoutedEvents({ sql, postgres: createPostgresEvents(sql), columns })
}

testReader(t, 'what only ClickHouse holds', async (t) => {
  const { sql } = await testDatabase(t)
  const columns = await columnStore(t, server)
  await beginReplication(sql)
  let blocks = 0
  return {
    sql,
    reader: routed(t, sql, async () => ({ ...columns, close: async () => {} })),
    copy: async (project) => {
      blocks += await copyToColumns({ sql, columns }, project, blocks + 1)
      await sql`delete from events where project_id = ${project}`
      await moveHome(sql)
      await sql`update event_shipper set last_block = ${blocks}`
      await sql`
        update event_keeper set state = 'shipping', expires_at = now() + interval '1 hour'`
    },
  }
})

/** Events are flushed into the ledger, and shipped. */
async function kept(t: Test) {
  const site = await replicatedSite(t, server, { connectionsMax: 4, isAlone: true })
  const { sql, url, columns, project, ship } = site
  const every = {
    ...{ project, before: '253402300800000000', after: undefined, event: undefined },
    ...{ distinctId: undefined, person: undefined, where: undefined },
    filter: { kind: 'and', nodes: [] },
  } as const satisfies ReturnType<typeof askedOf>
  const flush = async (timestamp = '2026-03-04T05:06:07.123456Z') => {
    const event = makeEvent({ uuid: randomUUID(), timestamp })
    await site.flush([event])
    return event
  }
  return { sql, url, columns, project, every, flush, ship }
}

t.test('acknowledged events are read, and nothing while nobody ships them', async (t) => {
  const { sql, url, every, project, flush, ship } = await kept(t)
  const reader = routed(t, sql, () => openOwnReplica(sql, url))
  const hurried = { signal: CALL.signal, time: { left: () => 400 } }
  const away = { code: 'unavailable', detail: { retryAfterS: 5, code: 'service_unavailable' } }
  const first = await flush()
  await t.rejects(reader.list(every, PAGE, hurried), away, 'nobody keeps the copy')
  const replicator = ship()
  for (let nth = 1; nth <= 5; nth++) {
    const { uuid } = await flush()
    const list = await reader.list(every, PAGE, CALL)
    t.match(list, { count: nth + 1 })
    t.match(await reader.find(project, uuid, CALL), { uuid })
  }
  t.match(await reader.find(project, first.uuid, CALL), { uuid: first.uuid })
  await replicator.stop()
  await sql`update event_keeper set state = 'shipping', expires_at = now() + interval '1 hour'`
  await flush()
  await t.rejects(reader.list(every, PAGE, hurried), away, 'it is behind')
  await t.rejects(reader.find(project, first.uuid, hurried), away)
})

t.test(
  'a question that ClickHouse cannot answer is refused, and not to be tried again',
  async (t) => {
    const { sql, url, every, flush, ship } = await kept(t)
    const reader = routed(t, sql, () => openOwnReplica(sql, url))
    ship()
    await flush()
    const tree = { kind: 'field', type: 'UUID', field: 'person.id' } as const
    const isNull = { kind: 'apply', operation: 'is_null', type: 'Bool', args: [tree] } as const
    const filter = { kind: 'expression', tree: isNull } as const
    await t.rejects(reader.list({ ...every, filter }, PAGE, CALL), {
      code: 'invalid_argument',
      detail: { code: 'not_supported', detail: /cannot answer this: persons and groups are in/ },
    })
  },
)

t.test('months that ClickHouse lacks are not answered for, others are', async (t) => {
  const { sql, url, project, every, flush, ship } = await kept(t)
  const reader = routed(t, sql, () => openOwnReplica(sql, url))
  ship()
  const { uuid } = await flush()
  const lacked = await flush('2026-05-04T05:06:07.123456Z')
  const until = (time: string) => ({ ...every, before: String(Date.parse(time) * 1_000) })
  await sql`insert into event_gaps (month, reason, asked) values ('persons', 'told anew', false)`
  t.match(await reader.list(every, PAGE, CALL), { count: 2 }, 'of distinct ids it need not know')
  await sql`delete from event_gaps`
  await sql`
    insert into event_gaps (month, reason, asked) values ('y2026m05', 'they are lost', false)`
  const away = { code: 'unavailable', message: /lacks events of y2026m05/ }
  await t.rejects(reader.list(every, PAGE, CALL), away)
  t.match(await reader.list(until('2026-04-01T00:00:00Z'), PAGE, CALL), { count: 1 })
  t.match(await reader.find(project, uuid, CALL), { uuid }, 'what is found is there')
  await t.rejects(reader.find(project, randomUUID(), CALL), away, 'what is not may be lacking')
  const place = (id: string, timestamp: string) => ({ id, timestamp })
  const here = place(uuid, '2026-03-04T05:06:07.123456Z')
  const there = place(lacked.uuid, '2026-05-04T05:06:07.123456Z')
  const { filter } = every
  t.same(await reader.matching(project, [here], filter, CALL), new Set([uuid]))
  await t.rejects(reader.matching(project, [here, there], filter, CALL), away)
  await sql`update event_gaps set reason = 'ClickHouse refuses events: see dead letters'`
  t.match(await reader.list(every, PAGE, CALL), { count: 2 }, 'a dead letter is no event')
})

t.test('a failure of ClickHouse is no answer', async (t) => {
  const { sql, every } = await kept(t)
  await sql`update event_keeper set state = 'shipping', expires_at = now() + interval '1 hour'`
  let opens = 0
  const reader = routed(t, sql, () => {
    opens += 1
    return Promise.reject(new ColumnError('unreachable', 'it is away'))
  })
  await t.rejects(reader.list(every, PAGE, CALL), { code: 'unavailable' })
  await t.rejects(reader.list(every, PAGE, CALL), { code: 'unavailable' })
  t.equal(opens, 2, 'it is asked each time')
})

t.test('an answer of Postgres does not count once a month has left it meanwhile', async (t) => {
  const { sql, every } = await kept(t)
  const columns = await columnStore(t, server)
  await sql`update event_keeper set keeps = 'both'`
  await sql`update event_keeper set state = 'shipping', expires_at = now() + interval '1 hour'`
  const reads = createReplicaReads({
    ...{ clock, log, onRead: () => {}, onKeys: () => {} },
    open: async () => ({ ...columns, close: async () => {} }),
  })
  t.teardown(reads.close)
  const answered: string[] = []
  const postgres: EventReader = {
    ...createPostgresEvents(sql),
    async list() {
      answered.push('postgres')
      await moveHome(sql)
      return { count: 7, events: [] }
    },
  }
  const reader = createRoutedEvents({ sql, postgres, columns: reads })
  t.match(await reader.list(every, PAGE, CALL), { count: 0, events: [] })
  t.same(answered, ['postgres'])
})
