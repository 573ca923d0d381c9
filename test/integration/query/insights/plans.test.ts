/** Plans of questions on tables that Postgres knows nothing about: a fresh import is asked at once. */
import t, { type Test } from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { InsightEvents } from '../../../../src/event-store/insight-events.ts'
import { createPartitions, partitionOf } from '../../../../src/event-store/months/partitions.ts'
import { postgresInsights } from '../../../../src/event-store/postgres/insights/postgres-insights.ts'
import { joinsMany } from '../../../../src/event-store/postgres/reads/event-page.ts'
import {
  countEvents,
  pageOfEvents,
} from '../../../../src/event-store/postgres/reads/event-query-store.ts'
import { pageOfEventRows } from '../../../../src/event-store/postgres/reads/event-table-store.ts'
import { readWithin } from '../../../../src/postgres/bounded-reads.ts'
import type { Db } from '../../../../src/postgres/db.ts'
import { everyEvent, until, within } from '../../../../src/query/insights/reader.ts'
import { conditionOf } from '../../../support/conditions/conditions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const PROJECT = projectId(1)
const DAY_MS = 86_400_000
const FROM_MS = Date.parse('2026-10-01T00:00:00Z')
const EDGES = Array.from({ length: 15 }, (_, day) => FROM_MS + day * DAY_MS)
const ROLE = { event: 'view', where: undefined, needsPerson: false }

const RANGE = { fromMs: FROM_MS, untilMs: EDGES.at(-1) ?? 0 }
const TEAM = {
  ...({ kind: 'group', index: 0, key: 'plan' } as const),
  condition: conditionOf('exact', 'pro'),
}

const { sql } = await testDatabase(t)
await importEvents()

/** 20,000 events of 4,000 persons and 2,000 groups, in tables that nobody analyzes. */
async function importEvents(): Promise<void> {
  await createPartitions(sql, [partitionOf('2026-10-01T00:00:00Z')])
  const partitions = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`
  for (const name of [
    'distinct_ids',
    'persons',
    'groups',
    ...partitions.map((each) => each.name),
  ]) {
    await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`)
  }
  await sql`
    with made as (
      insert into persons (project_id, uuid, properties, created_at)
      select ${PROJECT}, gen_random_uuid(), '{}', now() from generate_series(1, 4000)
      returning id
    )
    insert into distinct_ids (project_id, distinct_id, person_id)
    select ${PROJECT}, 'user-' || row_number() over (), id from made`
  await sql`insert into group_types (project_id, group_type, type_index) values (${PROJECT}, 'team', 0)`
  await sql`
    insert into groups (project_id, type_index, group_key, properties, created_at)
    select ${PROJECT}, 0, nth, '{"plan": "pro"}', now() from generate_series(1, 2000) nth`
  await sql`
    insert into events
      (project_id, day, uuid, timestamp, event, distinct_id, properties, elements_chain)
    select ${PROJECT}, (at at time zone 'UTC')::date, gen_random_uuid(), at, 'view',
      'user-' || (1 + nth % 4000), jsonb_build_object('$groups', jsonb_build_object('team', nth % 2000)), ''
    from (
      select nth, timestamptz '2026-10-01 00:00Z' + nth * interval '1 minute' as at
      from generate_series(1, 20000) nth
    ) x`
}

/** The plans of the statements that `ask` makes: they are planned with its hints, and do not run. */
async function plansOf(ask: (events: InsightEvents, db: Db) => Promise<unknown>): Promise<string> {
  const plans: unknown[] = []
  await sql.begin('read only', async (tx) => {
    const db = new Proxy(tx, {
      get(target, name) {
        if (name !== 'unsafe') return Reflect.get(target, name)
        return async (...[text, values, options]: Parameters<Db['unsafe']>) => {
          plans.push(await target.unsafe(`explain (format json) ${text}`, values, options))
          return []
        }
      },
    })
    await ask(
      postgresInsights(db, () => 60_000),
      db,
    )
  })
  return JSON.stringify(plans)
}

t.test(
  'a question over all events joins their actors at once, before Postgres has analyzed them',
  async (t) => {
    const read = until({ ...everyEvent(PROJECT), event: 'view' }, EDGES.at(-1) ?? 0)
    const parts = { edges: EDGES, breakdown: undefined }
    const first = { kind: 'first_ever' } as const
    const asked: Asked = {
      'life cycle': (events) => events.bucketsByActor(read, [ROLE], EDGES, { isNamed: false }),
      'its actors': (events) => events.bucketsByActor(read, [ROLE], EDGES, { isNamed: true }),
      'first events': (events) => events.countTrend(read, first, parts),
      'first matches': (events) => events.countTrend(read, { kind: 'first_matching' }, parts),
      'their actors': (events) =>
        events.actorsBehind(PROJECT, [{ selection: read, measure: first, parts, value: '' }], {
          ...{ limit: 100, offset: 0 },
        }),
    }
    await checkPlans(t, asked)
  },
)

t.test(
  'a question over a range joins its actors at once, before Postgres has analyzed them',
  async (t) => {
    const range = { fromMs: FROM_MS, untilMs: EDGES.at(-1) ?? 0 }
    const views = within({ ...everyEvent(PROJECT), event: 'view' }, range)
    const every = within(everyEvent(PROJECT), range)
    const source = { kind: 'event', property: 'plan' } as const
    const parts = { edges: EDGES, breakdown: undefined }
    const byPlan = { edges: EDGES, breakdown: { source, shown: ['pro'] } }
    const dau = { kind: 'actors' } as const
    const steps = [ROLE, { ...ROLE, event: 'paid' }]
    const followed = { keepsOthers: false, eventsMax: 3_000_000, isBounded: true }
    const members = { kind: 'members', of: 'actors', edges: EDGES, listedMax: 100_000 } as const
    const number = { selection: views, measure: dau, parts, value: '' }
    await checkPlans(t, {
      'actors by day': (events) => events.countTrend(views, dau, parts),
      'actors by day and value': (events) => events.countTrend(views, dau, byPlan),
      'actors of a week': (events) => events.rollingActors(views, 7, parts),
      'actors of days and of all': (events) => events.countInOnePass(views, [members], undefined),
      'their list': (events) => events.actorsBehind(PROJECT, [number], { limit: 100, offset: 0 }),
      'a funnel': (events) => events.eventsByActor(every, steps, { ...followed, isNamed: false }),
      'its actors': (events) => events.eventsByActor(every, steps, { ...followed, isNamed: true }),
      'a funnel by value': (events) =>
        events.eventsByActor(every, steps, { ...followed, ...byPlan, isNamed: false }),
      'a strict funnel': (events) =>
        events.eventsByActor(every, steps, { ...followed, keepsOthers: true, isNamed: false }),
      retention: (events) => events.bucketsByActor(every, steps, EDGES, { isNamed: false }),
      'who came back': (events) => events.bucketsByActor(every, steps, EDGES, { isNamed: true }),
      paths: (events) =>
        events.itemsByActor(every, [], { eventsMax: 3_000_000, itemsMax: 1_000, isNamed: false }),
    })
  },
)

t.test(
  'events are joined with the groups that they name at once, before Postgres has analyzed these',
  async (t) => {
    const views = { ...within(everyEvent(PROJECT), RANGE), where: TEAM }
    const plans = await plansOf(async (events, db) => {
      await events.countTrend(views, { kind: 'events' }, { edges: EDGES, breakdown: undefined })
      const hints = { joinsMany: joinsMany(views) }
      await readWithin(
        db,
        () => 60_000,
        () => countEvents(db, views),
        hints,
      )
    })
    t.equal(plans.match(/"Relation Name":"groups"/g)?.length, 2)
    t.notMatch(plans, /Nested Loop/)
  },
)

t.test(
  'a list looks up the group of one event after the other, before Postgres has analyzed them',
  async (t) => {
    const page = { limit: 100, offset: 0, bytesMax: 1_000_000, personBytesMax: 1_000_000 } as const
    const tests = [TEAM, { ...TEAM, condition: conditionOf('is_not', 'pro') }]
    for (const where of tests) {
      const views = { ...within(everyEvent(PROJECT), RANGE), where }
      const walks: Asked = {
        'a first page': (_, db) =>
          pageOfEvents(db, views, { ...page, order: 'newest' }, { kind: 'first', rows: 2_000 }),
        'a walk': (_, db) =>
          pageOfEvents(db, views, { ...page, order: 'newest' }, { kind: 'walk' }),
        'a table': (_, db) =>
          pageOfEventRows(db, views, { ...page, cells: [], order: 'newest', isSparse: false }),
      }
      for (const [name, ask] of Object.entries(walks)) {
        const plans = await plansOf(ask)
        const scan = /"Relation Name":"groups",.*?"Index Cond":"([^"]*)/.exec(plans)
        t.match(scan?.[1], /group_key = /, name)
        t.equal(plans.match(/"Relation Name":"groups"/g)?.length, 1, name)
      }
    }
  },
)

type Asked = Readonly<Record<string, (events: InsightEvents, db: Db) => Promise<unknown>>>

/** One row after the other would be looked up in a loop. */
async function checkPlans(t: Test, asked: Asked): Promise<void> {
  const known =
    await sql`select from pg_class where oid = 'distinct_ids'::regclass and reltuples >= 0`
  t.equal(known.length, 0, 'nothing was analyzed')
  for (const [name, ask] of Object.entries(asked)) {
    const plans = await plansOf(ask)
    t.match(plans, /"Relation Name":"distinct_ids"/, name)
    t.notMatch(plans, /Nested Loop/, name)
  }
}
