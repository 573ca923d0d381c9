/**
 * How many rows a second does Postgres alone store? Inserts into the real `events` table with its
 * indexes, with each statement that can skip duplicates. The product's writer is compared with it.
 * `pages` writes page views with their persons, the other statements plain events.
 *
 *   npx tsx bench/roofline.ts [--database-url URL] [--seconds 2] [--runs 3] [--json FILE]
 *
 * Creates a database and drops it afterwards. Without a URL it starts its own Postgres.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { systemClock } from '../src/core/clock.ts'
import { silentLog } from '../src/core/log.ts'
import { packageRoot } from '../src/core/package-root.ts'
import { createReleasers, type Releasers } from '../src/core/releasers.ts'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { createSql, type Sql } from '../src/postgres/connect.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { type BareDriver, openBareDriver } from './load/machine/bare-driver.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { type ProcessGroup, treeGroup } from './load/machine/process-usage.ts'
import { decimalNumber, textList, wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'
import { type Cell, measureCell, type Sample } from './roofline/measure.ts'
import { STATEMENTS, type StatementName } from './roofline/statements.ts'

type Options = {
  databaseUrl?: string
  seconds: number
  runs: number
  batches: number[]
  connections: number[]
  statements: StatementName[]
  json?: string
}

const numbers = (text: string) => textList(text).map(wholeNumber(1, 100_000))
const statementNames = Object.keys(STATEMENTS).filter(isStatement)

function isStatement(name: string): name is StatementName {
  return name in STATEMENTS
}

await new Command('roofline')
  .description('rows a second of Postgres alone')
  .addOption(new Option('--database-url <url>', 'server to use').env('DATABASE_URL'))
  .option('--seconds <seconds>', 'each measurement', decimalNumber(0.1, 600), 2)
  .option('--runs <count>', 'of which the median counts', wholeNumber(1, 100), 3)
  .option('--batches <list>', 'rows in a transaction', numbers, [64, 500, 2000])
  .option('--connections <list>', 'at the same time', numbers, [1, 2, 3])
  .option(
    '--statements <list>',
    statementNames.join(', '),
    (text) => textList(text).filter(isStatement),
    statementNames,
  )
  .option('--json <file>', 'write every sample there')
  .action(run)
  .parseAsync()

async function run(options: Options): Promise<void> {
  const releasers = createReleasers(silentLog)
  // The Postgres and the database made for this must not outlive it.
  const interrupt = () => {
    void releasers.release().then(() => process.exit(1))
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    const { url, server } = await openDatabase(options, releasers)
    const sql = connect(url, 1)
    releasers.push('connection', () => sql.end({ timeout: 1 }))
    await migrate(sql, { dir: join(packageRoot, 'migrations'), log: silentLog })
    await createPartition(sql)
    const environment = { ...readEnvironment(), postgres: await readSettings(sql) }
    // The driver itself: our pools offer no COPY.
    const driver = openBareDriver(url, Math.max(...options.connections) + 1)
    releasers.push('connections', () => driver.end({ timeout: 1 }))
    const samples = await measureAll(driver, options, server)
    process.stdout.write(`${render(environment, samples)}\n`)
    if (options.json !== undefined) {
      const report = { schema: 'sluice-roofline/1', environment, samples }
      writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)
    }
  } finally {
    await releasers.release()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

async function openDatabase(
  options: Options,
  releasers: Releasers,
): Promise<{ url: string; server: ProcessGroup | undefined }> {
  const { url, server } = await openServer(options, releasers)
  const name = `sluice_roofline_${randomBytes(6).toString('hex')}`
  const admin = connect(url, 1)
  releasers.push('administration', () => admin.end({ timeout: 1 }))
  await admin`create database ${admin(name)}`
  releasers.push('database', async () => {
    await admin`drop database ${admin(name)} with (force)`
  })
  const place = new URL(url)
  place.pathname = `/${name}`
  return { url: place.href, server }
}

async function openServer(
  options: Options,
  releasers: Releasers,
): Promise<{ url: string; server: ProcessGroup | undefined }> {
  if (options.databaseUrl !== undefined) return { url: options.databaseUrl, server: undefined }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-roofline-'))
  // Postgres does not run as root and must reach its own folder in here.
  chmodSync(folder, 0o711)
  releasers.push('folder', () => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, clock: systemClock })
  releasers.push('postgres', postgres.stop)
  return { url: postgres.url, server: treeGroup('postgres', postgres.pid) }
}

function connect(url: string, connectionsMax: number): Sql {
  const statementTimeoutMs = 60_000
  const applicationName = 'sluice roofline'
  return createSql(url, { applicationName, log: silentLog, connectionsMax, statementTimeoutMs })
}

/** Makes one partition around now: rows are of today, or of tomorrow when the day ends. */
async function createPartition(sql: Sql): Promise<void> {
  await sql.unsafe(`do $$ begin
    execute format('create table events_roofline partition of events for values from (%L) to (%L)',
      current_date - 1, current_date + 2);
  end $$`)
}

async function readSettings(sql: Sql): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name in ('server_version', 'fsync',
      'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size',
      'wal_compression')`
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

/** Each run measures all cells, so that disturbances of the machine hit them alike. */
async function measureAll(
  driver: BareDriver,
  options: Options,
  server: ProcessGroup | undefined,
): Promise<Sample[]> {
  const cells: Cell[] = options.batches.flatMap((batch) =>
    options.connections.flatMap((connections) =>
      options.statements.map((statement) => ({ statement, batch, connections })),
    ),
  )
  const samples: Sample[] = []
  for (let run = 1; run <= options.runs; run++) {
    for (const cell of cells) {
      const durationMs = options.seconds * 1000
      samples.push(await measureCell(driver, cell, { durationMs, seed: run, server }))
      process.stderr.write(`\rrun ${run}/${options.runs}: ${samples.length} samples`)
    }
  }
  process.stderr.write('\n')
  return samples
}

function render(environment: object, samples: readonly Sample[]): string {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const key = `${sample.statement.padEnd(16)}${pad(sample.batch, 6)}${pad(sample.connections, 6)}`
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  const lines = [...groups].map(([key, group]) => {
    const rate = spreadOf(group.map((sample) => sample.rowsPerS))
    const batchMs = spreadOf(group.map((sample) => sample.batchMs)).median
    const client = spreadOf(group.map((sample) => sample.clientMsPerThousand)).median
    const server = spreadOf(group.map((sample) => sample.serverCpuPercent ?? Number.NaN)).median
    const rates = pad(rate.median, 10) + pad(rate.min, 10) + pad(rate.max, 10)
    return `${key}${rates}${pad(batchMs, 10, 2)}${pad(client, 12, 2)}${pad(server, 10)}`
  })
  const head =
    `${'statement'.padEnd(16)} batch conns    rows/s       min       max  batch ms` +
    '  client ms/k  server %'
  const facts = Object.entries(environment).map(
    ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return [...facts, '', head, ...lines].join('\n')
}

function pad(value: number, width: number, digits = 0): string {
  return (Number.isNaN(value) ? '-' : value.toFixed(digits)).padStart(width)
}
