/**
 * How long do filtered lists of a million stored events take, each with its exact count? Starts its
 * own Postgres and reads in this process; `sluice bench management` measures HTTP and gRPC too.
 *
 *   npx tsx bench/event-filters.ts [--events 1000000] [--runs 7]
 */

import { join } from 'node:path'
import { Command } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { organizationId, projectId } from '../src/core/ids.ts'
import { silentLog as log } from '../src/core/log.ts'
import { packageRoot } from '../src/core/package-root.ts'
import { createReleasers } from '../src/core/releasers.ts'
import { createPartitions, partitionOf } from '../src/event-store/months/partitions.ts'
import { createPostgresEvents } from '../src/event-store/postgres/reads/event-reader.ts'
import { createSql, type Sql } from '../src/postgres/connect.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { type EventListRequest, parseEventList } from '../src/query/list/event-list-query.ts'
import { listEventValues } from '../src/query/list/event-values.ts'
import { listEvents } from '../src/query/list/events-list.ts'
import { createQueryLimiter } from '../src/query/query-limiter.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { startOwnPostgres } from './load/machine/own-postgres.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { spreadOf } from './load/report/stats.ts'

const SCANS = createQueryLimiter(clock).of(organizationId('01900000-0000-7000-8000-000000000000'))
const PROJECT = projectId(1)
const PERSONS = 100_000
const DAYS = 30
const DAY_MS = 86_400_000
const STATEMENT_MS_MAX = 600_000

const filter = (key: string, operator: string, value: unknown, type = 'event') => ({
  properties: JSON.stringify([{ key, operator, value, type }]),
})

type Asked = Partial<EventListRequest> & { limit?: number; offset?: number }

/** The lists that are measured, with the share of events that each one finds. */
const LISTS: Readonly<Record<string, Asked>> = {
  'page 1': {},
  'offset 10,000': { offset: 10_000 },
  'one day, 1,000 events': { after: '1d', limit: 1_000 },
  'event, 1 in 10': { event: 'event 3' },
  'distinct id': { distinctId: 'user-50000' },
  'property, 1 in 3': filter('plan', 'exact', 'pro'),
  'property, 1 in 1,000': filter('experiment', 'exact', 'rare'),
  'property, none': filter('order', 'exact', 'none'),
  'part of a text, 1 in 10': filter('url', 'icontains', 'Q=4'),
  'number, 1 in 100': filter('amount', 'gt', 990),
  'pattern, 2 in 3': filter('plan', 'regex', '^(pro|team)'),
  'pattern, 1 in 10': filter('url', 'regex', 'q=4[0-9]$'),
  'pattern, none': filter('order', 'regex', '^zz'),
  'person, 3 in 5': filter('plan', 'exact', 'free', 'person'),
  'person, not 3 in 5': filter('plan', 'is_not', 'free', 'person'),
  'person, 1 in 2,000': filter('vip', 'exact', 'yes', 'person'),
  'person by pattern, 1 in 10': filter('email', 'regex', '7@example', 'person'),
}

await new Command('event-filters')
  .option('--events <count>', 'stored events', wholeNumber(1_000, 100_000_000), 1_000_000)
  .option('--runs <count>', 'of each question', wholeNumber(1, 100), 7)
  .action(run)
  .parseAsync()

async function run({ events, runs }: { events: number; runs: number }): Promise<void> {
  const releasers = createReleasers(log)
  const interrupt = () => {
    void releasers.release().then(() => process.exit(1))
  }
  process.once('SIGINT', interrupt)
  try {
    const postgres = await startOwnPostgres(releasers)
    const sql = createSql(postgres.url, {
      applicationName: 'sluice bench',
      log,
      connectionsMax: 4,
      statementTimeoutMs: STATEMENT_MS_MAX,
    })
    releasers.push('connections', () => sql.end({ timeout: 1 }))
    await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
    await store(sql, events)
    process.stdout.write(`${JSON.stringify({ ...readEnvironment(), events, runs })}\n`)
    process.stdout.write(
      'question                        count    median       min       max  ms\n',
    )
    for (const [name, asked] of Object.entries(LISTS)) {
      await measure(name, runs, () => countOf(sql, asked))
    }
    const choose = async (key: string) => (await valuesOf(sql, key)).length
    await measure('values of plan', runs, () => choose('plan'))
    await measure('values of order, all different', runs, () => choose('order'))
  } finally {
    await releasers.release()
    process.off('SIGINT', interrupt)
  }
}

async function measure(name: string, runs: number, ask: () => Promise<number>): Promise<void> {
  const times: number[] = []
  let count = 0
  for (let run = 0; run < runs; run++) {
    const startedAt = clock.monotonic()
    count = await ask()
    times.push(clock.monotonic() - startedAt)
  }
  const { median, min, max } = spreadOf(times)
  const figures = [median, min, max].map((each) => each.toFixed(1).padStart(10)).join('')
  process.stdout.write(`${name.padEnd(32)}${String(count).padStart(8)}${figures}\n`)
}

async function countOf(sql: Sql, { limit = 100, offset = 0, ...asked }: Asked): Promise<number> {
  const none = { event: undefined, distinctId: undefined, personId: undefined }
  const texts = { after: '', before: '', properties: '', orderBy: '' }
  const query = parseEventList({ ...none, ...texts, ...asked }, clock.now())
  if (!query.ok) throw new Error(query.error.detail)
  const deps = { sql, events: createPostgresEvents(sql), clock, scans: SCANS }
  const { signal } = new AbortController()
  const list = await listEvents(deps, PROJECT, query.value, { limit, offset }, signal)
  if (!list.ok) throw new Error(list.error.detail)
  return list.value.count
}

async function valuesOf(sql: Sql, key: string): Promise<readonly string[]> {
  const deps = { sql, events: createPostgresEvents(sql), clock, scans: SCANS }
  const { signal } = new AbortController()
  const values = await listEventValues(deps, PROJECT, { key, value: '', events: [] }, signal)
  if (!values.ok) throw new Error(values.error.detail)
  return values.value
}

/** Stores events of the last days in random order: the worst case for reads in order of time. */
async function store(sql: Sql, events: number): Promise<void> {
  const days = Array.from({ length: DAYS + 1 }, (_, ago) =>
    partitionOf(new Date(clock.now() - ago * DAY_MS).toISOString()),
  )
  await createPartitions(sql, [...new Map(days.map((each) => [each.name, each])).values()])
  await sql`
    with made as (
      insert into persons (project_id, uuid, properties, is_identified, created_at)
      select ${PROJECT}, gen_random_uuid(), jsonb_build_object(
          'email', 'user' || i || '@example.com', 'city', 'city ' || i % 500,
          'plan', (array['free', 'free', 'free', 'pro', 'team'])[1 + i % 5],
          'vip', case when i % 2000 = 0 then 'yes' else 'no' end), true, now()
      from generate_series(1, ${PERSONS}::integer) i returning id
    )
    insert into distinct_ids
    select ${PROJECT}, 'user-' || row_number() over (order by id), id from made`
  await sql`
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select ${PROJECT}, (at at time zone 'UTC')::date, gen_random_uuid(), at,
      'event ' || floor(random() * 10)::integer,
      'user-' || 1 + floor(random() * ${PERSONS}::integer)::integer,
      jsonb_build_object(
        'plan', (array['free', 'pro', 'team'])[1 + floor(random() * 3)::integer],
        'url', 'https://example.com/' || md5(floor(random() * 2000)::text)
          || '?q=' || floor(random() * 100)::integer,
        'amount', round((random() * 1000)::numeric, 2), 'order', md5(random()::text),
        'p5', md5(random()::text), 'p6', md5(random()::text), 'p7', random() < 0.5,
        'p8', left(md5(random()::text), 16), 'p9', left(md5(random()::text), 16))
      || case when random() < 0.001 then '{"experiment": "rare"}' else '{}' end::jsonb
    from (
      select now() - random() * ${DAYS}::integer * interval '1 day' as at
      from generate_series(1, ${events}::integer)
    ) t`
  await sql`insert into event_counts
    select project_id, event, day, 0, count(*) from events group by 1, 2, 3`
  await sql`vacuum analyze`
}
