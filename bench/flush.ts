import { Command } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import { silentLog as log } from '../src/core/log.ts'
import { createReleasers, type Releasers } from '../src/core/releasers.ts'
import { moveHome } from '../src/event-store/months/home.ts'
import type { PostgresIngestStore } from '../src/event-store/postgres/flush/ingest-store.ts'
import type { IngestEvent } from '../src/events/event.ts'
import type { FlushRow } from '../src/ingest/store-port.ts'
import type { Sql } from '../src/postgres/connect.ts'
import { beginReplication } from '../src/replication/lease.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { openOwnStore } from './load/machine/own-store.ts'
import { type ProcessGroup, treeGroup, watchGroups } from './load/machine/process-usage.ts'
import { textList, wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'
import { createEventMaker, RETURNING } from './load/workload/parsed-events.ts'
import { EVENT_SHAPES, type EventShape } from './load/workload/payload.ts'

type Options = {
  shapes: EventShape[]
  rows: number
  flushes: number
  runs: number
  seen: number
  copies?: boolean
  ledger?: boolean
}

type Bench = {
  readonly sql: Sql
  readonly store: PostgresIngestStore
  readonly server: ProcessGroup
}

type Sample = {
  readonly micros: number
  readonly server: number
  readonly client: number
  readonly walBytes: number
  /** Pages that the log holds whole, since they changed for the first time after a checkpoint. */
  readonly walPages: number
  readonly updates: number
  readonly hot: number
}

const COLUMNS = ['micros', 'server', 'client', 'walBytes', 'walPages', 'updates', 'hot'] as const
const PRIME_ROWS = 480
/** Least time between two reports of a connection's statistics, with a margin. */
const STATS_MS = 1_200

await new Command('flush')
  .description('cost of a flush in the store alone')
  .option('--shapes <list>', EVENT_SHAPES.join(', '), shapesOf, [...EVENT_SHAPES])
  .option('--rows <count>', 'events of a flush', wholeNumber(1, 10_000), 128)
  .option('--flushes <count>', 'of a run', wholeNumber(1, 100_000), 100)
  .option('--runs <count>', 'of each kind', wholeNumber(1, 100), 5)
  .option('--seen <count>', 'page views of a person before, in the middle', wholeNumber(1, 100), 5)
  .option('--copies', 'fill the outbox of a copy in ClickHouse too')
  .option('--ledger', 'the same, of events that only ClickHouse is to hold')
  .action(run)
  .parseAsync()

function shapesOf(text: string): EventShape[] {
  return textList(text).flatMap((name) => EVENT_SHAPES.find((shape) => shape === name) ?? [])
}

async function run(options: Options): Promise<void> {
  const releasers = createReleasers(log)
  const interrupt = () => {
    void releasers.release().then(() => process.exit(1))
  }
  process.once('SIGINT', interrupt)
  try {
    process.stdout.write(`${JSON.stringify({ ...readEnvironment(), ...options })}\n`)
    const bench = await open(releasers, options)
    const prime = createEventMaker({ shape: 'pages', prime: true, seed: 1, batch: PRIME_ROWS })
    for (let stored = 0; stored < RETURNING; stored += PRIME_ROWS) {
      await bench.store.flush(0, prime(PRIME_ROWS).map(toRow))
    }
    const again = createEventMaker({ shape: 'pages', seed: 3, batch: PRIME_ROWS })
    for (let stored = RETURNING; stored < options.seen * RETURNING; stored += PRIME_ROWS) {
      await bench.store.flush(0, again(PRIME_ROWS).map(toRow))
    }
    await measureAll(bench, options)
  } finally {
    await releasers.release()
    process.off('SIGINT', interrupt)
  }
}

async function measureAll(bench: Bench, options: Options): Promise<void> {
  const makers = options.shapes.map((shape) => ({
    shape,
    make: createEventMaker({ shape, seed: 2 }),
    samples: [] as Sample[],
  }))
  for (let round = 0; round <= options.runs; round++) {
    for (const { make, samples } of makers) {
      const sample = await measure(bench, options, make)
      // The first round warms up.
      if (round > 0) samples.push(sample)
    }
  }
  const head = ['shape', ...COLUMNS].map((name) => name.padStart(10)).join('')
  const lines = makers.map(({ shape, samples }) => {
    const figures = COLUMNS.map((column) => spreadOf(samples.map((each) => each[column])).median)
    const texts = figures.map((value) => value.toFixed(value < 10 ? 2 : 0).padStart(10))
    return `${shape.padStart(10)}${texts.join('')}`
  })
  process.stdout.write(`${[head, ...lines].join('\n')}\n`)
}

async function measure(
  { sql, store, server }: Bench,
  { rows, flushes }: Options,
  make: (count: number) => IngestEvent[],
): Promise<Sample> {
  const events = make(rows * flushes).map(toRow)
  // A connection reports its statistics with a later statement.
  const settle = async () => {
    await clock.sleep(STATS_MS)
    await store.flush(0, make(1).map(toRow))
  }
  await sql`checkpoint`
  const before = await counts(sql, settle)
  const watched = watchGroups(clock, [server])
  const cpu = process.cpuUsage()
  const startedAt = clock.monotonic()
  await flushAll(store, events, rows)
  const elapsedMs = clock.monotonic() - startedAt
  const used = process.cpuUsage(cpu)
  const [usage] = await watched.stop()
  const after = await counts(sql, settle)
  const count = events.length
  const updates = after.updates - before.updates
  return {
    micros: (elapsedMs * 1_000) / count,
    server: ((usage?.cpuPercent ?? Number.NaN) / 100) * ((elapsedMs * 1_000) / count),
    client: (used.user + used.system) / count,
    walBytes: (after.wal - before.wal) / count,
    walPages: (after.pages - before.pages) / count,
    updates: updates / count,
    hot: updates === 0 ? 0 : (after.hot - before.hot) / updates,
  }
}

async function flushAll(
  store: PostgresIngestStore,
  events: readonly FlushRow[],
  rows: number,
): Promise<void> {
  for (let from = 0; from < events.length; from += rows) {
    await store.flush(0, events.slice(from, from + rows))
  }
}

type Counts = {
  readonly wal: number
  readonly pages: number
  readonly updates: number
  readonly hot: number
}

async function counts(sql: Sql, settle: () => Promise<void>): Promise<Counts> {
  await settle()
  const [row] = await sql<Counts[]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select wal_fpi::float8 from pg_stat_wal) as pages,
      n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot
    from pg_stat_user_tables where relname = 'persons'`
  return row ?? { wal: 0, pages: 0, updates: 0, hot: 0 }
}

function toRow(event: IngestEvent): FlushRow {
  return { projectId: projectId(1), event, batch: 0 }
}

async function open(
  releasers: Releasers,
  { copies = false, ledger = false }: Options,
): Promise<Bench> {
  const { sql, store, pid } = await openOwnStore(releasers, copies || ledger)
  if (ledger) {
    await beginReplication(sql)
    await moveHome(sql)
  }
  return { sql, store, server: treeGroup('postgres', pid) }
}
