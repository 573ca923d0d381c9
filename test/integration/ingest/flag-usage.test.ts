/** Counts that a flush keeps of the reports of flags. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { removeOldFlagUsage } from '../../../src/store/projects/flag-usage-store.ts'
import { createProject, makeEvent, openStore, rowOf } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { clearOfMidnight } from '../../support/until.ts'

const DAY_MS = 86_400_000
const SPLIT = { multivariate: { variants: [{ key: 'red' }, { key: 'blue' }] } }

/** Noon of so many days ago, where no midnight is near. */
function noon(daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  return `${day}T12:00:00.000000Z`
}

async function setUp(t: Test) {
  await clearOfMidnight()
  const db = await testDatabase(t)
  const { sql } = db
  const project = await createProject(sql)
  const flag = async (key: string, filters: Json, deleted = false) => {
    await sql`insert into feature_flags (project_id, key, filters, deleted)
      values (${project}, ${key}, ${JSON.stringify(filters)}::text::json, ${deleted})`
  }
  await flag('beta', {})
  return { db, sql, project, flag, store: openStore(t, db) }
}

/** A report that a program asked for a flag. */
function call(project: ProjectId, properties: object, timestamp = noon(0)) {
  const text = JSON.stringify(properties)
  return rowOf(project, makeEvent({ event: '$feature_flag_called', properties: text, timestamp }))
}

function got(project: ProjectId, key: string, value: unknown, timestamp?: string) {
  return call(project, { $feature_flag: key, $feature_flag_response: value }, timestamp)
}

/** Counts by project, key, days ago and value, over the slots. */
async function counts(sql: Sql) {
  const rows = await sql<{ at: string; count: number }[]>`
    select concat_ws(' ', key, (now() at time zone 'UTC')::date - day, nullif(value, '')) as at,
      sum(count)::int as count
    from flag_usage group by 1 order by 1`
  return Object.fromEntries(rows.map(({ at, count }) => [at, count]))
}

t.test('calls are counted by flag, day and value as they are stored, and once', async (t) => {
  const { db, sql, project, store } = await setUp(t)
  const rows = [
    got(project, 'beta', true),
    got(project, 'beta', true),
    got(project, 'beta', false),
    got(project, 'beta', true, noon(3)),
    rowOf(project, makeEvent({ event: 'paid', properties: '{"$feature_flag":"beta"}' })),
  ]
  await store.flush(0, rows)
  const known = { 'beta 0 true': 2, 'beta 0 false': 1, 'beta 3 true': 1 }
  t.strictSame(await counts(sql), known)
  await store.flush(1, rows)
  t.strictSame(await counts(sql), known, 'a repeat counts nothing')
  await openStore(t, db, 7).flush(0, [got(project, 'beta', true)])
  t.strictSame(await counts(sql), { ...known, 'beta 0 true': 3 }, 'writers add up')
  const [last] = await sql`select max(last_at) <= now() as past from flag_usage`
  t.ok(last?.['past'], 'no call is in the future')
})

t.test('a person who is planned, and a midnight that is near, change nothing of it', async (t) => {
  const { sql, project, store } = await setUp(t)
  const midnight = noon(1).replace('T12:', 'T00:')
  const person = { set: '{"plan":"pro"}' }
  const properties = '{"$feature_flag":"beta","$feature_flag_response":true}'
  const event = { event: '$feature_flag_called', properties, timestamp: midnight }
  await store.flush(0, [rowOf(project, makeEvent(event))])
  await store.flush(0, [rowOf(project, makeEvent({ ...event, person }))])
  t.strictSame(await counts(sql), { 'beta 1 true': 2 })
})

t.test('clients cannot fill the table', async (t) => {
  const { sql, project, flag, store } = await setUp(t)
  const other = await createProject(sql)
  await flag('split', SPLIT)
  await flag('gone', {}, true)
  // As older releases may have stored them.
  for (const [at, filters] of [
    null,
    [],
    { multivariate: 1 },
    { multivariate: { variants: {} } },
    {
      multivariate: { variants: [null, 1, { key: {} }] },
    },
  ].entries()) {
    await flag(`odd-${at}`, filters as Json)
    await store.flush(0, [got(project, `odd-${at}`, 'red')])
  }
  await sql`delete from flag_usage`
  await store.flush(0, [
    ...['red', 'blue', 'green', 'x'.repeat(5_000), 7, null, { a: [1] }, undefined].map((value) =>
      got(project, 'split', value),
    ),
    ...['gone', 'nobody', '', 7, null, ['beta']].map((key) =>
      call(project, { $feature_flag: key, $feature_flag_response: true }),
    ),
    ...[-400, -90, 2].map((days) => got(project, 'beta', true, noon(-days))),
    got(other, 'beta', true),
  ])
  t.strictSame(await counts(sql), { 'split 0 red': 1, 'split 0 blue': 1, 'split 0': 6 })
})

t.test('events stored already were counted by the migration in the same way', async (t) => {
  const { sql, project, flag, store } = await setUp(t)
  await flag('split', SPLIT)
  await store.flush(0, [
    ...['red', 'green', undefined].map((value) => got(project, 'split', value)),
    got(project, 'beta', true, noon(3)),
    got(project, 'nobody', true),
  ])
  const counted = await counts(sql)
  await sql`delete from flag_usage`
  const migration = readFileSync(join(packageRoot, 'migrations/0018_flag_usage.sql'), 'utf8')
  await sql.unsafe(migration.slice(migration.indexOf('insert into flag_usage')))
  t.strictSame(await counts(sql), counted)
})

t.test('days go after 90, and sooner where a project keeps its events for less', async (t) => {
  const { sql, project, store } = await setUp(t)
  const days = [0, 10, 11, 89]
  await store.flush(
    0,
    days.map((each) => got(project, 'beta', true, noon(each))),
  )
  await sql`update flag_usage set day = day - 1 where day < (now() at time zone 'UTC')::date - 80`
  await removeOldFlagUsage(sql)
  t.strictSame(Object.keys(await counts(sql)), ['beta 0 true', 'beta 10 true', 'beta 11 true'])
  await sql`update projects set events_retention_days = 10 where id = ${project}`
  await removeOldFlagUsage(sql)
  t.strictSame(Object.keys(await counts(sql)), ['beta 0 true', 'beta 10 true'])
})
