/**
 * Measures what a statement costs this process: through our pool, through the bare driver, and
 * through node-postgres where `--pg` names a folder in which it is installed. The rounds alternate,
 * so that disturbances of the machine hit all alike.
 *
 *   npx tsx bench/driver.ts [--rounds 40] [--pg FOLDER]
 */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { silentLog as log } from '../src/core/log.ts'
import { createReleasers } from '../src/core/releasers.ts'
import { createSql } from '../src/postgres/connect.ts'
import { type BareDriver, openBareDriver, placeOf } from './load/machine/bare-driver.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { startOwnPostgres } from './load/machine/own-postgres.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'

const CONNECTIONS = 4
const ROWS = 2_000
const FLUSH_ROWS = 500
const LOOKUPS = 32
const SEPARATOR = '\u001f'

/** A driver of Postgres, as far as this measures it. */
type Contender = {
  /** Prepared, with its parameters. */
  run(statement: Statement, parameters: readonly (string | number)[]): Promise<unknown>
  /** Begin, a select, an update, commit. */
  transact(id: number): Promise<unknown>
}

const STATEMENTS = {
  point: 'select id, name, properties from items where id = $1::int',
  lookups: `select q.n::integer as n, i.id, i.properties from rows from (
      jsonb_to_recordset($1::text::jsonb) as ("id" integer)) with ordinality as q (id, n)
    join items i on i.id = q.id`,
  flush: `insert into stored select uuid, timestamp, event, distinct_id, properties::jsonb
    from unnest(string_to_array($1, $6)::uuid[], string_to_array($2, $6)::timestamptz[],
      string_to_array($3, $6), string_to_array($4, $6), string_to_array($5, $6))
    as i (uuid, timestamp, event, distinct_id, properties) on conflict do nothing`,
  name: 'select name from items where id = $1::int',
  rename: 'update items set name = name where id = $1::int',
} as const
type Statement = keyof typeof STATEMENTS

type Scenario = {
  readonly name: string
  /** Statements at a time. */
  readonly width: number
  readonly count: number
  readonly work: (contender: Contender) => Promise<unknown>
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'point', width: 1, count: 400, work: (by) => by.run('point', [someId()]) },
  { name: 'point', width: 64, count: 1_600, work: (by) => by.run('point', [someId()]) },
  { name: 'lookups', width: 8, count: 240, work: (by) => by.run('lookups', [someLookups()]) },
  { name: 'flush', width: 2, count: 10, work: (by) => by.run('flush', someEvents()) },
  { name: 'transaction', width: 8, count: 160, work: (by) => by.transact(someId()) },
]

const PROPERTIES = JSON.stringify({
  $lib: 'web',
  $current_url: `https://example.com/${'x'.repeat(200)}`,
})

let ids = 0

await new Command('driver')
  .option('--rounds <count>', 'of each scenario', wholeNumber(2, 1_000), 40)
  .option('--pg <folder>', 'with node_modules/pg in it')
  .action(compare)
  .parseAsync()

async function compare({ rounds, pg }: { rounds: number; pg?: string }): Promise<void> {
  const releasers = createReleasers(log)
  try {
    const { url } = await startOwnPostgres(releasers)
    const options = { applicationName: 'bench', log, connectionsMax: CONNECTIONS }
    const sql = createSql(url, options)
    releasers.push('pool', () => sql.end({ timeout: 1 }))
    const bare = openBareDriver(url, CONNECTIONS)
    releasers.push('driver', () => bare.end({ timeout: 1 }))
    await createTables(bare)
    const contenders: [string, Contender][] = [
      [
        'our pool',
        {
          run: (name, parameters) => sql.unsafe(STATEMENTS[name], parameters, { prepare: true }),
          transact: (id) =>
            sql.begin(async (tx) => {
              await tx`select name from items where id = ${id}`
              await tx`update items set name = name where id = ${id}`
            }),
        },
      ],
      ['postgres.js', bareContender(bare)],
    ]
    if (pg !== undefined) contenders.push(['node-postgres', nodePostgres(url, pg, releasers.push)])
    process.stdout.write(`${JSON.stringify(readEnvironment())}\n`)
    process.stdout.write(`${'scenario'.padEnd(28)}CPU us a statement: median, lower quartile\n`)
    for (const scenario of SCENARIOS) await measure(scenario, contenders, bare, rounds)
  } finally {
    await releasers.release()
  }
}

async function createTables(bare: BareDriver): Promise<void> {
  await bare`create unlogged table items (id int primary key, name text, properties jsonb)`
  await bare`insert into items select i, 'name ' || i, jsonb_build_object('plan', 'pro', 'n', i)
    from generate_series(0, ${ROWS}::int - 1) as i`
  await bare`create unlogged table stored
    (uuid uuid primary key, timestamp timestamptz, event text, distinct_id text, properties jsonb)`
}

async function measure(
  { name, width, count, work }: Scenario,
  contenders: readonly [string, Contender][],
  bare: BareDriver,
  rounds: number,
): Promise<void> {
  const used = new Map(contenders.map(([who]) => [who, Array.from<number>({ length: 0 })]))
  // The first round prepares the statements of every connection.
  for (let round = -1; round < rounds; round++) {
    const turn = round % 2 === 0 ? contenders : [...contenders].reverse()
    for (const [who, contender] of turn) {
      const before = process.cpuUsage()
      await drive(width, count, () => work(contender))
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) used.get(who)?.push((user + system) / count)
      await bare`truncate stored`
    }
  }
  for (const [who, micros] of used) {
    const sorted = micros.sort((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)
    const head = `${name}, ${width} at a time`.padEnd(28) + who.padEnd(14)
    process.stdout.write(`${head}${at(0.5).padStart(7)}${at(0.25).padStart(7)}\n`)
  }
}

async function drive(width: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  const client = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: width }, client))
}

function bareContender(bare: BareDriver): Contender {
  return {
    run: (name, parameters) => bare.unsafe(STATEMENTS[name], [...parameters], { prepare: true }),
    transact: (id) =>
      bare.begin(async (tx) => {
        await tx`select name from items where id = ${id}`
        await tx`update items set name = name where id = ${id}`
      }),
  }
}

type Query = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }
type Client = { query(query: Query): Promise<unknown>; release(): void }
type Pool = {
  query(query: Query): Promise<unknown>
  connect(): Promise<Client>
  end(): Promise<void>
}
type NodePostgres = { readonly Pool: new (options: object) => Pool }

function nodePostgres(
  url: string,
  folder: string,
  release: (name: string, end: () => Promise<void>) => void,
): Contender {
  const { Pool }: NodePostgres = createRequire(join(resolve(folder), 'package.json'))('pg')
  const { path, host, ...place } = placeOf(url)
  const pool = new Pool({ ...place, host: path?.replace(/\/[^/]*$/, '') ?? host, max: CONNECTIONS })
  release('node-postgres', () => pool.end())
  const prepared = (name: Statement, values: readonly unknown[]): Query => ({
    name,
    text: STATEMENTS[name],
    values,
  })
  return {
    run: (name, parameters) => pool.query(prepared(name, parameters)),
    transact: async (id) => {
      const client = await pool.connect()
      await client.query({ text: 'begin' })
      await client.query(prepared('name', [id]))
      await client.query(prepared('rename', [id]))
      await client.query({ text: 'commit' })
      client.release()
    },
  }
}

function someId(): number {
  ids = (ids + 7) % ROWS
  return ids
}

function someLookups(): string {
  return JSON.stringify(Array.from({ length: LOOKUPS }, () => ({ id: someId() })))
}

function someEvents(): string[] {
  const uuids = Array.from({ length: FLUSH_ROWS }, () => randomUUID())
  const column = (value: (uuid: string) => string) => uuids.map(value).join(SEPARATOR)
  return [
    column((uuid) => uuid),
    column(() => '2026-01-01T00:00:00Z'),
    column(() => '$pageview'),
    column((uuid) => `user ${uuid}`),
    column(() => PROPERTIES),
    SEPARATOR,
  ]
}
