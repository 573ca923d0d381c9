/**
 * How fast does a worker bring to ClickHouse what has waited for it, how many bytes does an event
 * take there, and how long does a question wait for the event that was stored just before it? Fills
 * the outbox of a Postgres of its own with flushes of the load generator, then ships them into a
 * database of its own that is dropped at the end. Without `--url` ClickHouse is the engine of the
 * tests of columns, which `npm run test:columns` installs.
 *
 *   npx tsx bench/replication.ts [--url http://127.0.0.1:8123] [--events 200000] [--rows 500]
 *     [--shape site] [--questions 50] [--ledger] [--move]
 */
import { Command, Option } from 'commander'
import { connectColumns } from '../src/clickhouse/connect.ts'
import { systemClock as clock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import { silentLog as log } from '../src/core/log.ts'
import { createReleasers, type Releasers } from '../src/core/releasers.ts'
import { listMonths, moveHome } from '../src/event-store/months/home.ts'
import type { Sql } from '../src/postgres/connect.ts'
import { beginReplication } from '../src/replication/lease.ts'
import { leavePostgres } from '../src/replication/move/leave-postgres.ts'
import type { MoveDeps } from '../src/replication/move/move-month.ts'
import { measureOutbox } from '../src/replication/outbox-bounds.ts'
import {
  createReplicaReads,
  openOwnReplica,
  openReplica,
  runReplicator,
} from '../src/replication/replication.ts'
import { startEngine } from '../test/support/columns/engine.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { openOwnStore } from './load/machine/own-store.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { createEventMaker } from './load/workload/parsed-events.ts'
import { EVENT_SHAPES, type EventShape } from './load/workload/payload.ts'

type Options = {
  readonly url?: string
  readonly events: number
  readonly rows: number
  readonly shape: EventShape
  readonly questions: number
  readonly ledger?: boolean
  readonly move?: boolean
}

const LOOK_MS = 20
const PROJECT = projectId(1)
const PAUSE_MS = 300
const TIMEOUT_MS = 60_000

await new Command('replication')
  .option('--url <url>', 'of a ClickHouse server')
  .option('--events <count>', 'that wait', wholeNumber(1, 10_000_000), 200_000)
  .option('--rows <count>', 'events of a flush', wholeNumber(1, 10_000), 500)
  .addOption(new Option('--shape <shape>', 'of the events').choices(EVENT_SHAPES).default('site'))
  .option('--questions <count>', 'that follow an event each', wholeNumber(1, 10_000), 50)
  .option('--ledger', 'events that only ClickHouse is to hold')
  .option('--move', 'have them leave Postgres, while one is stored after the other')
  .action(run)
  .parseAsync()

async function run(options: Options): Promise<void> {
  const { url: given, events, rows, shape, questions, ledger = false } = options
  const releasers = createReleasers(log)
  try {
    process.stdout.write(
      `${JSON.stringify({ ...readEnvironment(), events, rows, shape, ledger })}\n`,
    )
    const { sql, store, connect } = await openOwnStore(releasers, true)
    await beginReplication(sql)
    if (ledger) await moveHome(sql)
    const make = createEventMaker({ shape, seed: 1 })
    for (let stored = 0; stored < events; stored += rows) {
      const batch = make(rows).map((event) => ({ projectId: PROJECT, event, batch: 0 }))
      await store.flush(0, batch)
    }
    const before = await measureOutbox(sql)
    print('bytes an event in the outbox', before.bytes / before.events)
    const url = given ?? (await startEngine(withSignal(releasers))).url
    const server = await connectColumns(url)
    releasers.push('server', () => server.close())
    const database = `sluice_bench_${process.pid}`
    await server.command(`create database ${database}`)
    releasers.push('database', () => server.command(`drop database ${database}`))
    const target = new URL(url)
    target.pathname = database
    const abort = new AbortController()
    const cpu = process.cpuUsage()
    const startedAt = clock.monotonic()
    const shipping = runReplicator(
      {
        sql: connect(2),
        scans: connect(1),
        clock,
        log,
        random: Math.random,
        holder: 'bench',
        open: (lease) => openReplica(sql, target.href, lease),
        outboxBytesMax: Number.POSITIVE_INFINITY,
        onShipped: () => {},
      },
      abort.signal,
    )
    while ((await measureOutbox(sql)).rows > 0) await clock.sleep(LOOK_MS)
    const ms = clock.monotonic() - startedAt
    const { user, system } = process.cpuUsage(cpu)
    print('events/s to ClickHouse', (before.events * 1_000) / ms)
    print('us an event of this process', (user + system) / before.events)
    const [[bytes] = []] = await server.rows(
      `select sum(bytes_on_disk) from system.parts
       where active and table = 'events' and database = {database: String}`,
      { database },
    )
    print('bytes an event in ClickHouse', Number(bytes) / before.events)
    await printSizes(sql, before.events)
    const flushOne = () =>
      store.flush(
        0,
        make(1).map((event) => ({ projectId: PROJECT, event, batch: 0 })),
      )
    await askAfterEach({ sql, url: target.href, questions, flushOne })
    if (options.move === true) {
      const deps = { sql: connect(4), store: await openOwnReplica(sql, target.href), clock }
      await moveAll(deps, flushOne)
      await deps.store.close()
    }
    abort.abort()
    await shipping
  } finally {
    await releasers.release()
  }
}

/** Prints the sizes of the event tables of Postgres with their indexes; no persons, no counters. */
async function printSizes(sql: Sql, events: number): Promise<void> {
  const [row] = await sql<{ whole: number; keys: number }[]>`
    select coalesce(sum(size) filter (where parent = 'events'), 0)::float8 as whole,
      coalesce(sum(size) filter (where parent = 'event_ledger'), 0)::float8 as keys
    from (
      select inhparent::regclass::text as parent, pg_total_relation_size(inhrelid) as size
      from pg_inherits where inhparent in ('events'::regclass, 'event_ledger'::regclass)
    ) sizes`
  print('bytes an event in Postgres', (row?.whole ?? 0) / events)
  print('bytes an event in the ledger', (row?.keys ?? 0) / events)
}

type AskedAfter = {
  readonly sql: Sql
  readonly url: string
  readonly questions: number
  readonly flushOne: () => Promise<unknown>
}

/** Measures the duration of a move, and the longest wait of a flush meanwhile. */
async function moveAll(deps: MoveDeps, flushOne: () => Promise<unknown>): Promise<void> {
  let isOver = false
  let longest = 0
  const storing = async () => {
    while (!isOver) {
      const from = clock.monotonic()
      // As the writer does: a flush that failed temporarily is repeated.
      await flushOne().catch(flushOne)
      longest = Math.max(longest, clock.monotonic() - from)
      await clock.sleep(LOOK_MS)
    }
  }
  await moveHome(deps.sql)
  const stored = storing()
  const from = clock.monotonic()
  try {
    for (const month of await listMonths(deps.sql)) await leavePostgres(deps, month)
  } finally {
    isOver = true
    await stored
  }
  print('s to leave Postgres', (clock.monotonic() - from) / 1_000)
  print('s that a flush waited at most', longest / 1_000)
}

/** Stores one event, then asks a question that must find it, with pauses, as users do. */
async function askAfterEach({ sql, url, questions, flushOne }: AskedAfter): Promise<void> {
  const outcomes: string[] = []
  const reads = createReplicaReads({
    clock,
    log,
    open: () => openOwnReplica(sql, url),
    onKeys: () => {},
    onRead: (outcome) => outcomes.push(outcome),
  })
  const waited: number[] = []
  for (let question = 0; question < questions; question++) {
    await clock.sleep(PAUSE_MS)
    await flushOne()
    const from = clock.monotonic()
    await reads.open(sql, TIMEOUT_MS, new AbortController().signal)
    waited.push(clock.monotonic() - from)
  }
  await reads.close()
  const inOrder = waited.toSorted((one, other) => one - other)
  const at = (share: number) => inOrder[Math.ceil(share * inOrder.length) - 1] ?? 0
  print('ms that a question waits, p50', at(0.5))
  print('ms that a question waits, p95', at(0.95))
  print('questions refused', outcomes.filter((each) => each !== 'clickhouse').length)
}

function withSignal(releasers: Releasers) {
  return {
    teardown: (end: () => unknown) => releasers.push('engine', async () => void (await end())),
  }
}

function print(words: string, value: number): void {
  process.stdout.write(`${words.padEnd(44)}${value.toFixed(value < 100 ? 1 : 0).padStart(12)}\n`)
}
