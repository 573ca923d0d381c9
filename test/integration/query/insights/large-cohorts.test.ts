import { RE2JS } from 're2js'
import t, { type Test } from 'tap'
import { PATTERN_WORK } from '../../../../src/conditions/patterns/learn-patterns.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { AppError } from '../../../../src/core/code.ts'
import type { Json } from '../../../../src/core/json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../../../src/core/limits/limits-query.ts'
import { WORK_OF_TURN } from '../../../../src/core/work/turns.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { answerQuestion } from '../../../../src/query/insights/answer.ts'
import { createPage } from '../../../../src/query/insights/page.ts'
import { COHORT_LEAVES_OF_CALL_MAX } from '../../../../src/store/cohorts/cohort-members.ts'
import { putEvents } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import { asker } from '../../../support/query/questions.ts'
import { watchedSql } from '../../../support/query/watched-sql.ts'
import { testDatabase } from '../../../support/servers/database.ts'
import { countTurns } from '../../../support/turns.ts'

const NOW = '2026-11-03T12:00:00Z'
const { signal } = new AbortController()

/** A project with an event, and cohorts of so many conditions, by their ids. */
async function cohortsOf(t: Test, sizes: Readonly<Record<number, number>>, operator = 'exact') {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  await putEvents(sql, project, [{ event: 'view', timestamp: '2026-11-03T10:00:00Z' }])
  for (const [id, size] of Object.entries(sizes)) {
    const values = Array.from({ length: size }, (_, number) => {
      return { type: 'person', key: 'email', operator, value: `^of-${id}-${number}$` }
    })
    await sql`insert into cohorts (id, project_id, filters) values (${Number(id)}, ${project},
      ${JSON.stringify({ properties: { type: 'OR', values } })}::text::jsonb)`
  }
  return { sql, project }
}

/** Ten series, each of which names the cohort in many filters that are no equals. */
function tenSeries(cohort: number): Json {
  const named = (number: number) => {
    const filter = { type: 'cohort', key: 'id', value: cohort }
    return { type: 'AND', values: [filter, { key: 'x', value: String(number) }] }
  }
  const series = Array.from({ length: 10 }, (_, place) => {
    const values = Array.from({ length: 9 }, (_, number) => named(10 * place + number))
    return { kind: 'EventsNode', event: 'view', properties: { type: 'OR', values } }
  })
  return { kind: 'TrendsQuery', series, dateRange: { date_from: '-1d' } }
}

/** Told the turn of the event loop in which each statement over events is written. */
function writtenIn(sql: Sql, see: () => void): Sql {
  return watchedSql(sql, (text) => {
    if (text.includes('from events e')) see()
  })
}

t.test('a call that names large cohorts does a little of its work in each turn', async (t) => {
  const { sql, project } = await cohortsOf(t, { 1: 400, 2: 400 }, 'regex')
  const turns = countTurns()
  const written: number[] = []
  const compiled = new Map<number, number>()
  const { compile } = RE2JS
  RE2JS.compile = (pattern, flags) => {
    compiled.set(turns.count(), (compiled.get(turns.count()) ?? 0) + 1)
    return compile.call(RE2JS, pattern, flags)
  }
  t.teardown(() => {
    RE2JS.compile = compile
    turns.end()
  })
  const watched = writtenIn(sql, () => written.push(turns.count()))
  const asking = asker(watched, { project, timezone: 'UTC', now: NOW })
  const answers = await asking.askPage([1, 2, 1, 2].map(tenSeries))
  t.ok(answers.every(({ ok }) => ok))
  t.ok(written.length >= 20, 'each series has a statement')
  t.equal(new Set(written).size, written.length, 'no two of them are written in one turn')
  const atOnce = (2 * WORK_OF_TURN) / PATTERN_WORK
  t.ok(Math.max(...compiled.values()) <= atOnce, 'few patterns are compiled in a turn')
})

t.test('all statements of a call have the time of one question', async (t) => {
  const { sql, project } = await cohortsOf(t, { 1: 10 })
  let monotonic = 0
  const clock = { ...systemClock, now: () => Date.parse(NOW), monotonic: () => monotonic }
  let written = 0
  const watched = writtenIn(sql, () => {
    written += 1
    // While it runs: what is begun in the same turn has all of the time.
    setImmediate(() => {
      monotonic += EVENT_QUERY_TIMEOUT_MS / 5
    })
  })
  const queries = [1, 1, 1].map(tenSeries)
  const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const page = createPage({ sql: watched, clock, scans: anyScans() }, asked, queries)
  const answers = queries.map((query) => page.answer(query, { path: 'query' }, signal))
  for (const answer of await Promise.all(answers)) {
    t.match(answer, { ok: false, error: { code: 'query_timeout' } })
  }
  t.ok(written <= 6, `${written} statements were begun`)
})

t.test('the cohorts of all questions of a call count together', async (t) => {
  const most = COHORT_LEAVES_OF_CALL_MAX / 2 - 100
  const { sql, project } = await cohortsOf(t, { 1: most, 2: most, 3: most })
  const asking = asker(sql, { project, timezone: 'UTC', now: NOW })
  const named = (value: number) => ({
    ...{ kind: 'TrendsQuery', dateRange: { date_from: '-1d' } },
    series: [{ kind: 'EventsNode', properties: [{ type: 'cohort', key: 'id', value }] }],
  })
  const [first, again, second, third] = await asking.askPage([1, 1, 2, 3].map(named))
  t.ok(first?.ok && again?.ok && second?.ok, 'each cohort counts once')
  t.match(third, {
    ok: false,
    error: {
      ...{ code: 'invalid_input', attr: 'query.series.0.properties' },
      detail: /Cohort 3 is too large together .* 2000 conditions/,
    },
  })
  t.ok((await asking.ask(named(3))).ok, 'by itself it is answered')
})

t.test('cohorts are read in a place of a query', async (t) => {
  const { sql, project } = await cohortsOf(t, { 1: 10 })
  const full = new AppError('resource_exhausted', 'too many queries at a time')
  const scans = {
    run: async () => {
      throw full
    },
  }
  const asked = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const ask = (query: Json) =>
    answerQuestion({ sql, clock: systemClock, scans }, asked, query, { path: 'query' }, signal)
  const wrong = { kind: 'NoQuery' }
  t.match(await ask(wrong), { ok: false, error: { code: 'invalid_input' } })
  await t.rejects(ask({ ...wrong, properties: [{ type: 'cohort', value: 1 }] }), full)
})
