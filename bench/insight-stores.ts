/**
 * How long does each question take with the events in Postgres and in ClickHouse? Both get the same
 * events of a made-up shop; each question is asked of one and the other in turns, past everything
 * that is kept, and the answers are compared. ClickHouse's engine is that of the tests of columns
 * (`npm run test:columns` installs it), unless `--url` names a server.
 *
 *   npx tsx bench/insight-stores.ts [--events 1000000] [--runs 5] [--folder DIR [--fill]] [--url URL]
 *     [--columns '$browser,amount'] [--only funnel]
 *
 * `--folder` keeps both stores for the next run; `--fill` only fills them. `--columns` gives properties
 * columns of their own first, as the product does by itself where they are asked for often.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import { insertBlock } from '../src/clickhouse/block.ts'
import { ColumnError } from '../src/clickhouse/column-error.ts'
import { type ColumnStore, connectColumns } from '../src/clickhouse/connect.ts'
import { sendIds } from '../src/clickhouse/distinct-ids.ts'
import { ensureSchema } from '../src/clickhouse/schema.ts'
import { systemClock as clock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import type { Json } from '../src/core/json.ts'
import { silentLog as log } from '../src/core/log.ts'
import { packageRoot } from '../src/core/package-root.ts'
import { createReleasers, type Releasers } from '../src/core/releasers.ts'
import { clickhouseInsights } from '../src/event-store/clickhouse/insights/clickhouse-insights.ts'
import { addTextColumn } from '../src/event-store/clickhouse/text-columns.ts'
import type { OpenInsightEvents } from '../src/event-store/insight-events.ts'
import { createSql, type Sql } from '../src/postgres/connect.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { answerQuestion } from '../src/query/insights/answer.ts'
import { eventsOf, idsOf } from '../test/support/columns/copy-project.ts'
import { startEngine } from '../test/support/columns/engine.ts'
import { anyScans } from '../test/support/query/any-scans.ts'
import { DATA_DAYS, writeDataSet } from './insights/data-set.ts'
import { BENCH_QUESTIONS, MORE_QUESTIONS } from './insights/questions.ts'
import { COUNT_MS_MAX } from './load/machine/database.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { startOwnPostgres } from './load/machine/own-store.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'

type Options = {
  readonly events: number
  readonly runs: number
  readonly folder?: string
  readonly fill?: true
  readonly url?: string
  readonly columns: string
  readonly only: string
}

const DAY_MS = 86_400_000
/** Time of the newest event: constant, so that a kept folder matches the questions. */
const UNTIL_MS = Date.parse('2026-10-28T12:00:00Z')
const TIMEOUT_MS = 120_000

await new Command('insight-stores')
  .option('--events <count>', 'in each store', wholeNumber(1_000, 100_000_000), 1_000_000)
  .option('--runs <count>', 'of each question', wholeNumber(1, 100), 5)
  .option('--folder <dir>', 'of both stores, kept; filled when it is new')
  .option('--fill', 'fill the stores and end')
  .option('--columns <keys>', 'properties that get columns, with commas', '')
  .option('--only <words>', 'only questions whose names have these words', '')
  .option('--url <url>', 'of a ClickHouse server, whose default database is filled')
  .action(run)
  .parseAsync()

async function run(options: Options): Promise<void> {
  const releasers = createReleasers(log)
  const interrupt = () => {
    void releasers.release().then(() => process.exit(1))
  }
  process.once('SIGINT', interrupt)
  try {
    print(JSON.stringify({ ...readEnvironment(), ...options }))
    const isNew = options.folder === undefined || !existsSync(join(options.folder, 'postgres'))
    const { sql, store } = await open(releasers, options)
    if (isNew) await fill(sql, store, options.events)
    const keys = options.columns.split(',').filter((key) => key !== '')
    await makeColumns(store, keys)
    if (options.fill === undefined) await measure(sql, store, options, keys)
  } finally {
    await releasers.release()
    process.off('SIGINT', interrupt)
  }
}

async function open(
  releasers: Releasers,
  { folder, url: given }: Options,
): Promise<{ sql: Sql; store: ColumnStore }> {
  const folderOf = (name: string) => {
    if (folder === undefined) return undefined
    const own = join(folder, name)
    mkdirSync(own, { recursive: true })
    return own
  }
  const { url } = await startOwnPostgres(releasers, folderOf('postgres'))
  const sql = createSql(url, {
    applicationName: 'bench',
    log,
    connectionsMax: 2,
    statementTimeoutMs: COUNT_MS_MAX,
  })
  releasers.push('connections', () => sql.end({ timeout: 1 }))
  await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
  const ending = {
    teardown: (end: () => unknown) => releasers.push('engine', async () => void (await end())),
  }
  const own = folderOf('clickhouse')
  const server = given ?? (await startEngine(ending, own === undefined ? {} : { folder: own })).url
  const store = await connectColumns(server)
  releasers.push('clickhouse', () => store.close())
  await ensureSchema(store)
  return { sql, store }
}

async function fill(sql: Sql, store: ColumnStore, events: number): Promise<void> {
  await sql`
    with made as (
      insert into organizations (id, name, slug) values (gen_random_uuid(), 'o', 'o') returning id
    )
    insert into projects (id, uuid, organization_id, api_token)
    select 1, gen_random_uuid(), id, 'token' from made`
  const persons = Math.ceil(events / 25)
  let from = clock.monotonic()
  await writeDataSet(sql, { project: 1, events, persons, untilMs: UNTIL_MS })
  print(`Postgres filled: ${seconds(from)} s, ${persons} persons`)
  from = clock.monotonic()
  let number = 0
  for (let ago = DATA_DAYS; ago >= 0; ago--) {
    const day = new Date(UNTIL_MS - ago * DAY_MS).toISOString().slice(0, 10)
    const found = await eventsOf(sql, 1, day)
    if (found.length === 0) continue
    number += 1
    await insertBlock(store, { number, events: found })
  }
  await sendIds(store, await idsOf(sql, 1), String(number + 1))
  print(`ClickHouse filled: ${seconds(from)} s, ${number} blocks`)
}

function seconds(from: number): string {
  return ((clock.monotonic() - from) / 1_000).toFixed(1)
}

/** Resolves when they are filled. */
async function makeColumns(store: ColumnStore, keys: readonly string[]): Promise<void> {
  const from = clock.monotonic()
  for (const key of keys) await addTextColumn(store, key)
  for (;;) {
    const [[left] = []] = await store.rows(
      'select count() from system.mutations where database = {database: String} and not is_done',
      { database: store.database },
    )
    if (Number(left) === 0) break
    await clock.sleep(200)
  }
  if (keys.length > 0) print(`${keys.length} columns made and filled: ${seconds(from)} s`)
}

async function measure(
  sql: Sql,
  store: ColumnStore,
  { runs, only }: Options,
  keys: readonly string[],
): Promise<void> {
  const stores = {
    Postgres: undefined,
    ClickHouse: clickhouseInsights({ store, snapshotBlock: Number.MAX_SAFE_INTEGER, keys }),
  }
  print(
    `${'question, ms: median (lowest to highest)'.padEnd(46)}${Object.keys(stores)
      .map((name) => name.padStart(26))
      .join('')}     ratio  answers`,
  )
  const asked = [...BENCH_QUESTIONS, ...MORE_QUESTIONS].filter(({ name }) => name.includes(only))
  for (const { name, query } of asked) {
    const times: number[][] = [[], []]
    const answers: unknown[] = []
    for (let round = 0; round <= runs; round++) {
      for (const [index, openEvents] of Object.values(stores).entries()) {
        const from = clock.monotonic()
        answers[index] = await answer(sql, query as Json, openEvents).catch(leftToPostgres)
        // The first round warms the caches.
        if (round > 0) times[index]?.push(clock.monotonic() - from)
      }
    }
    const [postgres, clickhouse] = times.map((each) => spreadOf(each))
    if (postgres === undefined || clickhouse === undefined) continue
    const shown = [postgres, clickhouse].map(({ median, min, max }) =>
      `${median.toFixed(0)} (${min.toFixed(0)} to ${max.toFixed(0)})`.padStart(26),
    )
    const ratio = (postgres.median / clickhouse.median).toFixed(1).padStart(10)
    if (answers[1] === undefined) {
      print(`${name.padEnd(46)}${shown[0]}${'left to Postgres'.padStart(26)}`)
      continue
    }
    const same = isDeepStrictEqual(answers[0], answers[1]) ? 'same' : 'DIFFER'
    print(`${name.padEnd(46)}${shown.join('')}${ratio}  ${same}`)
  }
}

function leftToPostgres(error: unknown): undefined {
  if (error instanceof ColumnError && error.kind === 'not_here') return undefined
  throw error
}

/** One after another, as one connection would ask; nothing is kept. */
async function answer(
  sql: Sql,
  query: Json,
  openEvents: OpenInsightEvents | undefined,
): Promise<unknown> {
  const now = { ...clock, now: () => UNTIL_MS }
  const where = openEvents && { openEvents }
  const deps = { sql, clock: now, scans: anyScans(), timeoutMs: TIMEOUT_MS, ...where }
  const project = { id: projectId(1), timezone: 'UTC', testAccountFilters: [] }
  const answers: unknown[] = []
  for (const one of Array.isArray(query) ? query : [query]) {
    const signal = new AbortController().signal
    const found = await answerQuestion(deps, project, one, { path: 'query' }, signal)
    if (!found.ok) throw new Error(`${found.error.attr}: ${found.error.detail}`)
    answers.push(JSON.parse(JSON.stringify(found.value['results'])))
  }
  return answers
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
