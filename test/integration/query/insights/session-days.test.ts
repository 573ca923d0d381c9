import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import type { ProjectId } from '../../../../src/core/ids.ts'
import type { Json } from '../../../../src/core/json.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { removeLeftovers } from '../../../../src/privacy/retention-store.ts'
import { keepSessionDays } from '../../../../src/query/insights/precompute/session-days.ts'
import { countChange, OTHER_SLOT } from '../../../../src/store/answers/change-counts.ts'
import { forgetAnswers, readForgotten } from '../../../../src/store/answers/forget-answers.ts'
import { keepBlock } from '../../../../src/store/answers/session-block-store.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { asker, toldBy } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { askFiltered, work } from '../../../support/store/deletions.ts'

const NOW = '2026-11-25T12:00:00Z'
const PAGE = [
  { kind: 'WebOverviewQuery', dateRange: { date_from: '-7d' } },
  { kind: 'WebStatsTableQuery', breakdownBy: 'InitialUTMSource', dateRange: { date_from: '-7d' } },
]

function view(distinctId: string, timestamp: string, source: string, session = 's') {
  const properties = { $session_id: session, $pathname: '/', utm_source: source }
  return { event: '$pageview', distinctId, timestamp, properties }
}

const AT_ONCE = '2026-11-22T10:00:00Z'
const uuidOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`

/** A session on the 22nd, one over midnight to the 24th, and one of today. */
async function site(t: Test) {
  const { sql } = await testDatabase(t, { connectionsMax: 6 })
  const project = await createProject(sql)
  await putPerson(sql, project, { distinctIds: ['ina', 'Ina on her phone'] })
  await putEvents(sql, project, [
    { ...view('ina', AT_ONCE, 'later', 'same'), uuid: uuidOf(1) },
    { ...view('Ina on her phone', AT_ONCE, 'first', 'same'), uuid: uuidOf(2) },
    view('jon', '2026-11-23T23:59:50Z', 'night'),
    view('jon', '2026-11-24T00:00:30Z', 'morning'),
    view('jon', '2026-11-25T09:00:00Z', 'today', 'another'),
  ])
  // While `slow`, an hour passes at each look at the clock.
  const passing = { slow: false, ms: 0 }
  const clock = {
    ...systemClock,
    now: () => Date.parse(NOW),
    monotonic: () => {
      if (passing.slow) passing.ms += 3_600_000
      return systemClock.monotonic() + passing.ms
    },
  }
  const asking = { id: project, timezone: 'Europe/Berlin', testAccountFilters: [] }
  const deps = { sql, counting: { sql, clock }, clock, rest: async () => {} }
  const { signal } = new AbortController()
  const { askPage } = asker(sql, { project, timezone: 'Europe/Berlin', now: NOW })
  return {
    sql,
    project,
    keep: () => keepSessionDays(deps, asking, signal),
    /** The second day, counted from the newest, runs out of time. */
    keepSlowly: () => {
      const rest = async () => {
        passing.slow = passing.ms === 0
      }
      return keepSessionDays({ ...deps, rest }, asking, signal)
    },
    ask: async (questions: readonly Json[]) => (await askPage(questions)).map(toldBy),
    answers: async () => (await askPage(PAGE)).map(toldBy),
    /** Values of the overview by key. */
    numbers: async () => {
      const [overview] = (await askPage(PAGE)).map(toldBy)
      const { results }: { results: { key: string; value: number }[] } = JSON.parse(
        JSON.stringify(overview),
      )
      return Object.fromEntries(results.map(({ key, value }) => [key, value]))
    },
  }
}

/** Deletes the events of days with blocks, and counts nothing: only blocks can answer then. */
async function loseEvents(sql: Sql, project: ProjectId): Promise<void> {
  await sql`delete from events where project_id = ${project} and timestamp < '2026-11-25'`
}

async function blocksOf(sql: Sql, project: ProjectId) {
  const rows = await sql<{ day: number; events: number; version: string }[]>`
    select day - (date '2026-11-01' - date 'epoch') + 1 as day, events, version
    from session_blocks where project_id = ${project} order by 1`
  return [...rows]
}

t.test('ended days are answered from their blocks, today from its events', async (t) => {
  const { sql, project, keep, answers } = await site(t)
  const wanted = await answers()
  await keep()
  t.strictSame(
    (await blocksOf(sql, project)).map(({ day, events }) => [day, events]),
    [
      [22, 2],
      [23, 1],
      [24, 1],
    ],
  )
  await loseEvents(sql, project)
  t.strictSame(await answers(), wanted)
})

t.test('questions about events by their sessions are answered from blocks too', async (t) => {
  const { sql, project, keep, ask } = await site(t)
  const asked = { dateRange: { date_from: '-7d' } }
  const series = [{ kind: 'EventsNode', event: '$pageview' }]
  const ofSession = { type: 'session', key: '$pageview_count', operator: 'gte', value: 1 }
  const questions = [
    {
      kind: 'TrendsQuery',
      ...asked,
      series: [
        ...series,
        { kind: 'EventsNode', event: 'other' },
        { kind: 'EventsNode', math: 'dau' },
      ],
      breakdownFilter: { breakdown: '$entry_utm_source', breakdown_type: 'session' },
    },
    { kind: 'FunnelsQuery', ...asked, series: [...series, ...series], properties: [ofSession] },
    { kind: 'StickinessQuery', ...asked, series, properties: [ofSession] },
  ]
  const wanted = await ask(questions)
  await keep()
  await loseEvents(sql, project)
  t.strictSame(await ask(questions), wanted)
})

t.test('at one time, an event of the smaller distinct id is first', async (t) => {
  const { sql, project, keep, answers } = await site(t)
  const sources = async () => JSON.stringify((await answers())[1])
  t.match(await sources(), /"first"/)
  t.notMatch(await sources(), /"later"/)
  await keep()
  await loseEvents(sql, project)
  t.match(await sources(), /"first"/)
  t.notMatch(await sources(), /"later"/)
})

t.test('a late event makes the block of its day void, and the day is written again', async (t) => {
  const { sql, project, keep, numbers } = await site(t)
  await keep()
  const before = await blocksOf(sql, project)
  const { sessions = 0 } = await numbers()
  await putEvents(sql, project, [view('zoe', '2026-11-23T12:00:00Z', 'late')])
  t.equal((await numbers())['sessions'], sessions + 1)
  await keep()
  const after = await blocksOf(sql, project)
  t.strictSame(
    [before, after].map((blocks) => blocks.map(({ events }) => events)),
    [
      [2, 1, 1],
      [2, 2, 1],
    ],
  )
  t.strictSame(after[0], before[0], 'other days stay as they are')
  await loseEvents(sql, project)
  t.equal((await numbers())['sessions'], sessions + 1)
})

t.test('a day that takes too long has no block, and the days before it have theirs', async (t) => {
  const { sql, project, keepSlowly, answers } = await site(t)
  const wanted = await answers()
  await keepSlowly()
  t.strictSame(
    (await blocksOf(sql, project)).map(({ day }) => day),
    [22, 24],
  )
  t.strictSame(await answers(), wanted)
})

t.test('persons that are merged later are one visitor', async (t) => {
  const { sql, project, keep, numbers } = await site(t)
  await keep()
  t.match(await numbers(), { visitors: 2, sessions: 3 })
  await sql`
    insert into distinct_ids (project_id, distinct_id, person_id)
    select project_id, 'jon', person_id from distinct_ids
    where project_id = ${project} and distinct_id = 'ina'`
  t.match(await numbers(), { visitors: 1, sessions: 3 })
})

t.test('a deletion drops the blocks of its days alone', async (t) => {
  const { sql, project, keep, numbers } = await site(t)
  await keep()
  const [first, ...others] = await blocksOf(sql, project)
  await askFiltered(sql, project, { before: '2026-11-23' })
  t.equal((await blocksOf(sql, project)).length, 3, 'nothing is deleted yet')
  await work(sql)
  t.strictSame(await blocksOf(sql, project), others)
  t.match(await numbers(), { visitors: 1, sessions: 2, views: 3 })
  await keep()
  t.strictSame(await blocksOf(sql, project), others, 'a day without events has none')

  // As many events as before: the day would have the version of its old block.
  await removeLeftovers(sql)
  await putEvents(sql, project, [
    view('zoe', AT_ONCE, 'new', 'one'),
    view('zoe', AT_ONCE, 'new', 'two'),
  ])
  t.match(await numbers(), { visitors: 2, sessions: 4, views: 5 })
  await keep()
  t.match(await blocksOf(sql, project), [{ day: first?.day, events: 2 }, ...others])
})

t.test('a block is void while events of its day are being deleted', async (t) => {
  const { sql, project, keep, numbers } = await site(t)
  await keep()
  await askFiltered(sql, project, { distinct_id: 'jon', before: '2026-11-25' })
  // The end of the deletion, which drops blocks, fails.
  await sql.unsafe(`
    create function cut() returns trigger language plpgsql as $$ begin
      raise exception 'cut off'; end $$;
    create trigger cut before update on deletions
      for each row when (new.state = 'completed') execute function cut()`)
  await work(sql)
  t.equal((await blocksOf(sql, project)).length, 3)
  t.match(await numbers(), { visitors: 2, sessions: 2, views: 3 }, 'read from the events')
  await removeLeftovers(sql)
  await putEvents(sql, project, [
    view('zoe', '2026-11-23T23:59:50Z', 'new', 'one'),
    view('zoe', '2026-11-24T00:00:30Z', 'new', 'two'),
  ])
  t.match(await numbers(), { visitors: 3, sessions: 4, views: 5 }, 'as many as there were')
})

t.test('a block is not kept when events were deleted meanwhile', async (t) => {
  const { sql, project } = await site(t)
  const block = { day: 1, version: '', form: '', roles: [], events: 0, bytes: Buffer.alloc(0) }
  const forgotten = await readForgotten(sql, project)
  await sql.begin((tx) => countChange(tx, [project], 'deletion', OTHER_SLOT))
  await keepBlock(sql, project, block, forgotten)
  t.equal((await blocksOf(sql, project)).length, 0)
  const later = await readForgotten(sql, project)
  await sql.begin((tx) => forgetAnswers(tx, project))
  await keepBlock(sql, project, block, later)
  t.equal((await blocksOf(sql, project)).length, 0)
  await keepBlock(sql, project, block, await readForgotten(sql, project))
  t.equal((await blocksOf(sql, project)).length, 1)
})

t.test('a damaged block fails its questions, and nothing else', async (t) => {
  const { sql, project, keep, ask } = await site(t)
  const days = Array.from({ length: 24 }, (_, day) => String(day + 1).padStart(2, '0'))
  const views = days.map((day) => view('jon', `2026-11-${day}T12:00:00Z`, 'daily', day))
  await putEvents(sql, project, views)
  await keep()
  t.equal((await blocksOf(sql, project)).length, days.length, 'read by several statements')
  await sql`
    update session_blocks set bytes = '\xff' where day = (select min(day) from session_blocks)`
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  process.on('unhandledRejection', onFailure)
  t.teardown(() => process.off('unhandledRejection', onFailure))
  const asked = { kind: 'WebOverviewQuery', dateRange: { date_from: '-30d' } }
  await t.rejects(ask([asked]))
  t.strictSame(failures, [])
})
