/**
 * Measures deletions, and captures beside them. Sends captures of one project at a fixed rate,
 * alternately alone and while events of another project are deleted: a retention pass in chunks,
 * whole months that are dropped, and the events of one person. Prints p50 and p99 of both, and how
 * many events were deleted.
 * Run: `npx tsx bench/privacy.ts [--rows 1000000] [--rounds 3] [--rate 500] [--seconds 6]
 * [--only pass|months|person]`, after `npm run build`.
 */
import { Command, Option } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { createPartitions, partitionOf } from '../src/event-store/months/partitions.ts'
import type { Sql } from '../src/postgres/connect.ts'
import { startRetention } from '../src/privacy/retention-store.ts'
import { ageLog, withDatabase } from './load/machine/database.ts'
import { readEnvironment } from './load/machine/environment.ts'
import type { Product } from './load/machine/product.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'
import { runOnce, startSplit, WORKLOADS } from './load/single-run.ts'
import { callManagement, isManaged, type ManagedProject } from './load/workload/management-api.ts'

const POLL_MS = 100
const FILL_ROWS = 100_000
const PERSON_EVENTS = 100_000
const MONTHS = ['2020-01', '2020-02', '2020-03', '2020-04']

type Options = {
  readonly rows: number
  readonly rounds: number
  readonly rate: number
  readonly seconds: number
  /** All of them when absent. */
  readonly only?: keyof typeof DELETIONS
}

const DELETIONS = {
  pass: { name: 'a retention pass', begin: passInChunks },
  months: { name: 'months dropped', begin: dropMonths },
  person: { name: 'a person deleted', begin: deletePerson },
} as const

await new Command('privacy')
  .option('--rows <count>', 'old events, in all rounds together', wholeNumber(1, 1e9), 1_000_000)
  .option('--rounds <count>', 'of each question', wholeNumber(1, 100), 3)
  .option('--rate <count>', 'captures a second', wholeNumber(1, 100_000), 500)
  .option('--seconds <count>', 'of a measurement', wholeNumber(1, 600), 6)
  .addOption(new Option('--only <deletion>', 'one of them').choices(Object.keys(DELETIONS)))
  .action(measureAll)
  .parseAsync()

async function measureAll(options: Options): Promise<void> {
  const { product } = await startSplit({ projects: 3 })
  try {
    process.stdout.write(`${JSON.stringify({ ...readEnvironment(), ...options })}\n`)
    const [captured, old, keeping] = product.projects
    if (captured === undefined || old === undefined || keeping === undefined || !isManaged(old)) {
      throw new AppError('internal', 'three projects are needed')
    }
    const capture = () => captures(product, captured, options)
    await ageLog(product.databaseUrl)
    await capture() // Warms the code up; not counted.
    await withDatabase(product.databaseUrl, async (sql) => {
      const bench = { product, sql, capture, old, keeping: keeping.projectId ?? 0, options }
      const { only } = options
      for (const { name, begin } of only ? [DELETIONS[only]] : Object.values(DELETIONS)) {
        await compare(name, bench, begin)
      }
    })
  } finally {
    await product.stop()
  }
}

async function captures(
  product: Product,
  project: Product['projects'][number],
  { rate, seconds }: Options,
) {
  const { run } = await runOnce({
    product,
    projects: [project],
    workload: WORKLOADS.capture,
    warmupMs: 2_000,
    model: { kind: 'open', ratePerS: rate, arrivals: 'poisson' },
    durationMs: 1_000 * seconds,
    distinctIds: 10_000,
  })
  return run.figures
}

type Bench = {
  readonly product: Product
  readonly sql: Sql
  readonly capture: () => ReturnType<typeof captures>
  readonly old: ManagedProject
  /** A project that keeps an event of each month, so that none is dropped. */
  readonly keeping: number
  readonly options: Options
}

/** Starts a deletion and resolves with a wait for its end. Its preparation is not measured. */
type Deletion = (bench: Bench) => Promise<() => Promise<void>>

async function compare(name: string, bench: Bench, begin: Deletion): Promise<void> {
  const rows = []
  for (let round = 1; round <= bench.options.rounds; round++) {
    const fillFrom = clock.monotonic()
    const prepared = await begin(bench)
    const filledMs = clock.monotonic() - fillFrom
    const alone = await bench.capture()
    const before = await countOld(bench)
    const startedAt = clock.monotonic()
    let tookMs = 0
    const deleting = prepared().then(() => {
      tookMs = clock.monotonic() - startedAt
    })
    const beside = await bench.capture()
    const goneBeside = before - (await countOld(bench))
    rows.push({ round, alone, beside })
    const latencies = { p99Alone: alone.p99, p99Beside: beside.p99 }
    say({ name, round, ...latencies, events: before, filledMs, goneBeside })
    await deleting
    say({ name, round, tookMs })
  }
  for (const figure of ['p50', 'p99'] as const) {
    const alone = spreadOf(rows.map((row) => row.alone[figure])).median
    const beside = spreadOf(rows.map((row) => row.beside[figure])).median
    process.stdout.write(
      `${name}: ${figure} ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside it\n`,
    )
  }
}

function say(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function countOld({ sql, old }: Bench): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::float8 as count from event_counts
    where project_id = ${old.projectId} and day < '2021-01-01'`
  return row?.count ?? 0
}

/** Deletes each event by itself, because another project keeps the months. */
async function passInChunks(bench: Bench): Promise<() => Promise<void>> {
  const { sql, old, keeping } = bench
  await fillMonths(bench)
  for (const month of MONTHS) await fill(sql, keeping, { distinctId: 'k', month, events: 1 })
  await settle(sql)
  return () => passOf(bench, old.projectId)
}

async function dropMonths(bench: Bench): Promise<() => Promise<void>> {
  const { sql, old, keeping } = bench
  await sql`delete from events where project_id = ${keeping} and day < '2021-01-01'`
  await sql`delete from event_counts where project_id = ${keeping} and day < '2021-01-01'`
  await fillMonths(bench)
  await settle(sql)
  return () => passOf(bench, old.projectId)
}

async function fillMonths({ sql, old, options }: Bench): Promise<void> {
  const events = Math.ceil(options.rows / options.rounds / MONTHS.length)
  await sql`update projects set events_retention_days = null where id = ${old.projectId}`
  for (const month of MONTHS) {
    await fill(sql, old.projectId, { distinctId: `old ${month}`, month, events })
  }
}

/** Runs the retention pass that a worker runs every ten minutes. */
async function passOf({ sql, old }: Bench, project: number): Promise<void> {
  await sql`
    update projects set events_retention_days = case when id = ${project} then 30 end`
  await startRetention(sql, new AbortController().signal)
  await untilDeleted(sql, old.projectId)
}

async function deletePerson({ product, sql, old }: Bench): Promise<() => Promise<void>> {
  await sql`
    with made as (
      insert into persons (project_id, uuid, created_at, properties)
      values (${old.projectId}, gen_random_uuid(), now(), '{}') returning id
    )
    insert into distinct_ids select ${old.projectId}, 'p', id from made`
  const month = MONTHS[0] ?? ''
  await fill(sql, old.projectId, { distinctId: 'p', month, events: PERSON_EVENTS })
  await settle(sql)
  return async () => {
    const path = `/api/projects/${old.projectId}/persons/p/?by=distinct_id&delete_events=true`
    const { status } = await callManagement(product.url, old, 'DELETE', path)
    if (status !== 202) throw new AppError('unavailable', `the deletion: ${status}`)
    await untilDeleted(sql, old.projectId)
  }
}

async function untilDeleted(sql: Sql, project: number): Promise<void> {
  const running = async () =>
    (await sql`select from deletions where project_id = ${project} and state = 'running'`).count
  while ((await running()) > 0) await clock.sleep(POLL_MS)
}

/** Brings the database to its state months later, when maintenance after the fill is done. */
async function settle(sql: Sql): Promise<void> {
  await sql`vacuum analyze events`
  await sql`checkpoint`
}

type Filled = { readonly distinctId: string; readonly month: string; readonly events: number }

/** Fills in the order in which events arrive: those of a day are adjacent. */
async function fill(sql: Sql, project: number, { distinctId, month, events }: Filled) {
  const first = `${month}-01`
  await createPartitions(sql, [partitionOf(first)])
  for (let made = 0; made < events; made += FILL_ROWS) {
    const until = Math.min(made + FILL_ROWS, events)
    await sql`
      with written as (
        insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
        select ${project}, day, gen_random_uuid(), day::timestamptz, 'old', ${distinctId},
          jsonb_build_object('n', n, 'text', repeat('x', 160))
        from (
          select n, ${first}::text::date + (28 * (n - 1) / ${events}::bigint)::integer as day
          from generate_series(${made + 1}::bigint, ${until}::bigint) as n
        ) numbered returning day
      )
      insert into event_counts as c (project_id, event, day, slot, count)
      select ${project}, 'old', day, 0, count(*) from written group by day
      on conflict (project_id, event, day, slot) do update set count = c.count + excluded.count`
  }
}
