import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import type { Json } from '../../../../src/core/json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../../../src/core/limits/limits-query.ts'
import { silentLog } from '../../../../src/core/log.ts'
import type { PassRow } from '../../../../src/event-store/insight-events.ts'
import { countInOnePass } from '../../../../src/event-store/postgres/insights/pass-store.ts'
import { createRunQuestions } from '../../../../src/manage/insights/run-questions.ts'
import { createSql } from '../../../../src/postgres/connect.ts'
import { answerQuestion } from '../../../../src/query/insights/answer.ts'
import { createAnswerCache } from '../../../../src/query/insights/cache/answer-cache.ts'
import { createPage } from '../../../../src/query/insights/page.ts'
import { everyEvent } from '../../../../src/query/insights/reader.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import { randomHistory } from '../../../support/query/kept-histories.ts'
import { asker, toldBy } from '../../../support/query/questions.ts'
import { watchedSql } from '../../../support/query/watched-sql.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { until } from '../../../support/until.ts'

const HISTORIES = 5
const STEPS = 14

t.test('a cached answer is the counted one, whatever happened between', async (t) => {
  const db = await testDatabase(t, { connectionsMax: 6 })
  const first = Number(process.env['SEED'] ?? 1)
  let kept = 0
  for (let seed = first; seed < first + HISTORIES; seed++) {
    kept += await randomHistory(t, db, { seed, steps: STEPS })
  }
  t.ok(kept > 0, `${kept} answers were kept ones`)
})

t.test('an answer that cannot be kept is answered all the same', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'the disk is full'; end $$;
    create trigger refuse before insert on kept_answers for each row execute function refuse()`)
  const warned: string[] = []
  const log = { ...silentLog, warn: (text: string) => warned.push(text) }
  const cache = createAnswerCache(sql, log)
  const deps = { sql, clock: systemClock, scans: anyScans(), cache }
  const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'view', math: 'dau' }],
  }
  const { signal } = new AbortController()
  const answer = await answerQuestion(deps, asked, query, { path: 'query' }, signal)
  t.match(answer, { ok: true, value: { results: [{ count: 0 }], is_cached: false } })
  t.same(warned, ['an answer was not cached'])
})

const PAGE_NOW = '2026-11-03T12:00:00Z'
const view = (math: string): Json => ({ kind: 'EventsNode', event: 'view', math })
const trends = (series: Json, more: Record<string, Json>): Json => ({
  ...{ kind: 'TrendsQuery', series: [series], dateRange: { date_from: '-1d' } },
  ...more,
})
const BOLD = { trendsFilter: { display: 'BoldNumber' } }
const PAGE: readonly Json[] = [
  trends(view('dau'), BOLD),
  trends(view('unique_session'), BOLD),
  ...['$browser', '$os'].map((breakdown) =>
    trends(view('total'), { breakdownFilter: { breakdown } }),
  ),
]

/** Two days of events: `ina` on both, `jon` on the second. */
async function viewsOf(t: Test) {
  const { sql, connection } = await testDatabase(t)
  const project = await createProject(sql)
  const days = [
    ['2026-11-02', 'ina', 's1'],
    ['2026-11-03', 'ina', 's2'],
    ['2026-11-03', 'jon', 's2'],
  ] as const
  await putEvents(
    sql,
    project,
    days.map(([day, distinctId, session]) => ({
      ...{ event: 'view', distinctId, timestamp: `${day}T10:00:00Z` },
      properties: { $session_id: session, $browser: 'Chrome', $os: 'Linux' },
    })),
  )
  return { sql, project, connection }
}

t.test(
  'a page reads its events once, and what cannot be read together is read alone',
  async (t) => {
    const { sql, project } = await viewsOf(t)
    const asked = { project, timezone: 'UTC', now: PAGE_NOW }
    const passes: string[] = []
    const seen = watchedSql(sql, (text) => {
      if (text.includes('from events e')) passes.push(text)
    })
    const together = await asker(seen, asked).askPage(PAGE)
    t.equal(passes.length, 1, 'one pass')
    const failing = watchedSql(sql, (text) => {
      if (text.includes('union all') && text.includes('part_3'))
        throw new Error('too much at a time')
    })
    const apart = await asker(failing, asked).askPage(PAGE)
    t.same(apart.map(toldBy), together.map(toldBy))
    const [actors, sessions] = together.map(toldBy)
    t.match(actors, { results: [{ data: [1, 2], aggregated_value: 2 }] })
    t.match(sessions, { results: [{ data: [1, 1], aggregated_value: 2 }] })
  },
)

t.test('an actor that gets its first person while its days are kept is one', async (t) => {
  const { sql, project } = await viewsOf(t)
  const cache = createAnswerCache(sql, silentLog)
  const clock = { ...systemClock, now: () => Date.parse(PAGE_NOW) }
  const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const { signal } = new AbortController()
  const ask = async () => {
    const query = trends(view('dau'), BOLD)
    const deps = { sql, clock, scans: anyScans(), cache }
    return toldBy(await answerQuestion(deps, asked, query, { path: 'query', isForced }, signal))
  }
  let isForced = false
  const long = 'x'.repeat(100)
  const more = (day: string, distinctId: string) =>
    putEvents(sql, project, [{ event: 'view', distinctId, timestamp: `${day}T11:00:00Z` }])
  await more('2026-11-02', long)
  t.match(await ask(), { results: [{ data: [2, 2], aggregated_value: 3 }] })
  // The first person of one distinct id alone is no change of identity.
  for (const id of ['ina', long]) await putPerson(sql, project, { distinctIds: [id] })
  for (const id of ['ina', long, 'kim']) await more('2026-11-03', id)
  const kept = await sql`select from kept_answers where project_id = ${project} and until_ms > 0`
  t.ok(kept.length > 0, 'days are kept')
  t.match(await ask(), { results: [{ data: [2, 4], aggregated_value: 4 }] })
  isForced = true
  t.match(await ask(), { results: [{ data: [2, 4], aggregated_value: 4 }] })
})

t.test(
  'a list is answered within the time of one question, and what is left of it says so',
  async (t) => {
    const { sql, project } = await viewsOf(t)
    let monotonic = 0
    const clock = { ...systemClock, now: () => Date.parse(PAGE_NOW), monotonic: () => monotonic }
    const failing = watchedSql(sql, (text) => {
      if (!text.includes('union all')) return
      monotonic += EVENT_QUERY_TIMEOUT_MS
      throw new Error('it took all the time')
    })
    const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
    const page = createPage({ sql: failing, clock, scans: anyScans() }, asked, PAGE)
    const { signal } = new AbortController()
    const answers = PAGE.map((query) => page.answer(query, { path: 'query' }, signal))
    for (const answer of await Promise.all(answers)) {
      t.match(answer, { ok: false, error: { code: 'query_timeout' } })
    }
  },
)

t.test(
  'actors that are too many to be listed are counted, bucket by bucket and as a whole',
  async (t) => {
    const { sql, project } = await viewsOf(t)
    const edges = ['2026-11-02', '2026-11-03', '2026-11-04'].map((day) => Date.parse(day))
    const selection = { ...everyEvent(project), event: 'view' }
    const read = async (listedMax: number) =>
      await countInOnePass(
        sql,
        selection,
        [{ kind: 'members', of: 'actors', edges, listedMax }],
        undefined,
      )
    const [few] = await read(3)
    const [many] = await read(2)
    const numbers = (rows: readonly PassRow[] = []) =>
      rows.map(({ bucket, number }) => `${bucket}: ${number}`).sort()
    t.same(numbers(few), ['0: 1', '1: 2', 'null: 2'])
    t.same(numbers(many), numbers(few))
    t.equal(few?.filter(({ value }) => value !== null).length, 2)
    t.ok(many?.every(({ value }) => value === null))
  },
)

t.test(
  'a hundred who ask a page at a time share two counts; who leaves ends the statement',
  async (t) => {
    const { sql, project, connection } = await viewsOf(t)
    const scanning = createSql(connection, {
      ...{ applicationName: 'scans', connectionsMax: 4, log: silentLog, endsWithCallers: true },
    })
    t.teardown(() => scanning.end({ timeout: 0 }))
    const passes: string[] = []
    const seen = watchedSql(scanning, (text) => {
      if (text.includes('from events e')) passes.push(text)
    })
    const clock = { ...systemClock, now: () => Date.parse(PAGE_NOW) }
    const deps = { sql: seen, clock, scans: anyScans() }
    const run = createRunQuestions()
    const asking = { id: project, timezone: 'UTC', testAccountFilters: [] }
    const ask = (signal: AbortSignal) =>
      run(deps, { project: asking, asked: PAGE, refresh: 'blocking' }, signal)
    const staying = () => ask(new AbortController().signal)
    const answers = await Promise.all(Array.from({ length: 100 }, staying))
    const told = answers.map((text) => JSON.parse(text).results.map(numbersIn))
    t.same(
      told,
      told.map(() => told[0]),
    )
    t.match(told[0]?.[0], { data: [1, 2] })
    t.ok(passes.length <= 2, `${passes.length} passes`)

    const waiting = async () =>
      (
        await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query ~ 'events_read|pg_relation_size'`
      ).count
    await sql.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`lock table events in access exclusive mode`
      const leaving = new AbortController()
      const left = t.rejects(ask(leaving.signal), { code: 'cancelled' })
      await until('the page is counted', async () => (await waiting()) === 1)
      leaving.abort()
      await left
      await until('its statement has ended', async () => (await waiting()) === 0)
    })
  },
)

const numbersIn = (answer: { readonly results: readonly { readonly data: unknown }[] }) => ({
  data: answer.results[0]?.data,
})
