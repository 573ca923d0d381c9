/** When questions may read the copy, and up to which block. ClickHouse itself is not asked here. */
import t, { type Test } from 'tap'
import { ColumnError } from '../../../../src/clickhouse/column-error.ts'
import type { ColumnStore } from '../../../../src/clickhouse/connect.ts'
import { systemClock as clock } from '../../../../src/core/clock.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import {
  createReplicaReads,
  type ReadOutcome,
} from '../../../../src/event-store/clickhouse/replica/replica-reads.ts'
import type { OpenInsightEvents } from '../../../../src/event-store/insight-events.ts'
import { createHomeLook, moveHome } from '../../../../src/event-store/months/home.ts'
import { REFUSES } from '../../../../src/event-store/outbox/gaps.ts'
import { everyEvent } from '../../../../src/query/insights/reader.ts'
import { beginReplication, recordState, takeLease } from '../../../../src/replication/lease.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { until } from '../../../support/until.ts'

/** A ClickHouse that holds the events, with an outbox that is empty. */
async function copied(t: Test) {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const project = await createProject(sql)
  await beginReplication(sql)
  await sql`update event_keeper set state = 'shipping', expires_at = now() + interval '1 hour'`
  await moveHome(sql)
  const asked: string[] = []
  const store: ColumnStore = {
    database: 'd',
    command: async () => {},
    rows: async (text) => {
      asked.push(text)
      return [[0, 0]]
    },
    bytes: async () => Buffer.alloc(0),
    async *stream() {},
    insert: async () => {},
    close: async () => {},
  }
  const outcomes: ReadOutcome[] = []
  let opens: () => Promise<ColumnStore> = async () => store
  const reads = createReplicaReads({
    ...{ clock, log, open: () => opens() },
    onKeys: () => {},
    onRead: (outcome) => outcomes.push(outcome),
  })
  const open = (leftMs = 60_000, signal = new AbortController().signal) =>
    reads.open(sql, leftMs, signal)
  /** The blocks that a question reads. */
  const pinOf = async (open: OpenInsightEvents) => {
    await sql.begin(async (tx) => {
      const events = open(tx, () => 1_000, new AbortController().signal)
      await events.firstEventMs(everyEvent(project))
    })
    return /e\.block <= (\d+)/.exec(asked.at(-1) ?? '')?.[1]
  }
  const opening = (next: () => Promise<ColumnStore>) => {
    opens = next
  }
  return { sql, project, reads, open, pinOf, outcomes, opening }
}

type Copied = Awaited<ReturnType<typeof copied>>

const isAwaited = async ({ sql }: Copied) => {
  const [row] = await sql`select from event_keeper where waited_at > now() - interval '1 minute'`
  return row !== undefined
}

async function addFlush({ sql }: Copied): Promise<void> {
  await sql`insert into event_outbox (month, rows) values ('y2026m03', 1)`
}

/** Makes the waiting rows a block. */
async function record({ sql }: Copied): Promise<number> {
  const [row] = await sql<{ number: number }[]>`
    with next as (
      update event_shipper set last_block = last_block + 1 returning last_block as number
    ), taken as (
      update event_outbox set block = number from next where block is null
    )
    insert into event_blocks (number, month, rows, lease)
    select number, 'y2026m03', 1, 1 from next returning number::float8 as number`
  return row?.number ?? 0
}

async function finish({ sql }: Copied, block: number): Promise<void> {
  await sql`update event_blocks set stored_at = now(), done_at = now()
    where number = ${String(block)}::text::bigint`
}

const AWAY = { code: 'unavailable', detail: { code: 'service_unavailable', retryAfterS: 5 } }
const LACKS_MARCH = { code: 'unavailable', message: /it lacks events of y2026m03/ }

/** States that make a replica unfit to be read, and their repair. */
const UNFIT = [
  ["update event_keeper set state = 'failed'", "update event_keeper set state = 'shipping'"],
  [
    "update event_keeper set expires_at = now() - interval '1 second'",
    "update event_keeper set expires_at = now() + interval '1 hour'",
  ],
  [
    "insert into event_gaps (month, reason, asked) values ('persons', 'any', false)",
    'delete from event_gaps',
  ],
] as const

t.test('a question waits for what was committed before it, and for nothing later', async (t) => {
  const copy = await copied(t)
  t.equal(await copy.pinOf(await copy.open()), '0', 'nothing waits')
  await addFlush(copy)
  const waiting = copy.open()
  await until('the replicator is told', () => isAwaited(copy))
  const block = await record(copy)
  await finish(copy, block)
  await addFlush(copy)
  t.equal(await copy.pinOf(await waiting), '1', 'without the later one')
  const next = await record(copy)
  const later = copy.open()
  await finish(copy, next)
  t.equal(await copy.pinOf(await later), '2')
  t.strictSame(new Set(copy.outcomes), new Set(['clickhouse']))
})

t.test('the blocks that a refused one becomes are waited for', async (t) => {
  const copy = await copied(t)
  await addFlush(copy)
  const refused = await record(copy)
  let isDone = false
  const waiting = copy.open().then((opened) => {
    isDone = true
    return opened
  })
  await until('the replicator is told', () => isAwaited(copy))
  await copy.sql.begin(async (tx) => {
    await tx`update event_shipper set last_block = 3, splits = splits + 1`
    await tx`update event_blocks set done_at = now() where number = 1`
    await tx`insert into event_blocks (number, month, rows, lease)
      values (2, 'y2026m03', 1, 1), (3, 'y2026m03', 1, 1)`
  })
  t.equal(refused, 1)
  await finish(copy, 2)
  t.notOk(isDone)
  await finish(copy, 3)
  t.equal(await copy.pinOf(await waiting), '3')
})

t.test('a change of a distinct id is waited for', async (t) => {
  const copy = await copied(t)
  await copy.sql`insert into distinct_id_changes (project_id, distinct_id) values (1, 'a')`
  const waiting = copy.open()
  await until('the replicator is told', () => isAwaited(copy))
  await copy.sql`delete from distinct_id_changes`
  t.ok(await waiting)
})

t.test('a caller that leaves is waited for no longer', async (t) => {
  const copy = await copied(t)
  await addFlush(copy)
  const leaving = new AbortController()
  const waiting = copy.open(60_000, leaving.signal)
  leaving.abort()
  await t.rejects(waiting, { code: 'cancelled' })
})

t.test(
  'after a takeover of the lease nothing is read until the new holder has looked',
  async (t) => {
    const copy = await copied(t)
    t.ok(await copy.open())
    await copy.sql`update event_keeper set expires_at = now() - interval '1 second'`
    const lease = await takeLease(copy.sql, 'successor')
    if (lease === undefined) throw new Error('the lease is free')
    await t.rejects(copy.open(200), AWAY)
    await recordState(copy.sql, lease, 'shipping', '')
    t.ok(await copy.open())
  },
)

t.test('questions that reach into a month that lacks events are refused', async (t) => {
  const copy = await copied(t)
  await copy.sql`
    insert into event_gaps (month, reason, asked) values ('y2026m03', 'refused', false)`
  const opened = await copy.open()
  const first = (after: string, before: string) =>
    copy.sql.begin(async (tx) => {
      const events = opened(tx, () => 1_000, new AbortController().signal)
      const micros = (text: string) => String(Date.parse(text) * 1_000)
      const read = { ...everyEvent(copy.project), after: micros(after), before: micros(before) }
      return await events.firstEventMs(read)
    })
  await first('2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z')
  await first('2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z')
  const inside = first('2026-02-01T00:00:00Z', '2026-03-01T00:00:01Z')
  await t.rejects(inside, LACKS_MARCH)
  await copy.sql`delete from event_gaps`
  const whole = await copy.open()
  t.ok(await copy.pinOf(whole))
})

t.test('a month that loses events while a question waits is not answered for', async (t) => {
  const copy = await copied(t)
  await addFlush(copy)
  const waiting = copy.open()
  await until('the replicator is told', () => isAwaited(copy))
  await copy.sql.begin(async (tx) => {
    await tx`delete from event_outbox`
    await tx`insert into event_gaps (month, reason, asked) values ('y2026m03', 'full', false)`
  })
  const first = copy.pinOf(await waiting)
  await t.rejects(first, LACKS_MARCH)
})

t.test('ClickHouse alone answers', async (t) => {
  const copy = await copied(t)
  const { sql } = copy
  t.ok(await copy.reads.isHome(sql))
  await t.test('not while it is behind', async (t) => {
    await addFlush(copy)
    await t.rejects(copy.open(200), AWAY)
    t.equal(copy.outcomes.at(-1), 'behind')
    await finish(copy, await record(copy))
    t.ok(await copy.open())
  })
  for (const [spoil, mend] of UNFIT) {
    await sql.unsafe(spoil)
    await t.rejects(copy.open(200), AWAY, spoil)
    await sql.unsafe(mend)
    t.ok(await copy.open(), mend)
  }
  await t.test('not for months that lack events, but for dead letters', async (t) => {
    await sql`insert into event_gaps (month, reason, asked) values ('y2026m03', 'any', false)`
    await t.rejects(copy.pinOf(await copy.open()), AWAY)
    await sql`update event_gaps set reason = ${REFUSES}`
    t.ok(await copy.pinOf(await copy.open()))
    await sql`update event_gaps set asked = true`
    await t.rejects(copy.pinOf(await copy.open()), AWAY, 'it is being filled')
    await sql`delete from event_gaps`
  })
  await t.test('not after a failure, and the next question asks it again', async (t) => {
    const refuse = (error: Error) => async () => copy.reads.refuse(error)
    await t.rejects(refuse(new ColumnError('unreachable', 'it is away')), AWAY)
    await t.rejects(refuse(new ColumnError('not_here', 'too many')), {
      ...{ code: 'invalid_argument', detail: { code: 'not_supported', detail: /too many/ } },
    })
    await t.rejects(refuse(new Error('of Postgres')), { message: 'of Postgres' })
    t.ok(await copy.open())
    await copy.reads.close()
    copy.opening(() => Promise.reject(new ColumnError('unreachable', 'it is away')))
    await t.rejects(copy.open(), AWAY)
    t.equal(copy.outcomes.at(-1), 'failed')
  })
})

t.test('the events have moved with the home, and with a month that left before', async (t) => {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const look = createHomeLook()
  t.notOk(await look(sql), 'there is no ClickHouse')
  await beginReplication(sql)
  t.notOk(await look(sql))
  await sql`create table event_ledger_y2026m03 partition of event_ledger
    for values from ('2026-03-01') to ('2026-04-01')`
  t.ok(await createHomeLook()(sql))
  await sql`drop table event_ledger_y2026m03`
  await moveHome(sql)
  t.ok(await look(sql))
})
