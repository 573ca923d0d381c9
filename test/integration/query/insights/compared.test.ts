/** A range that lasts is compared with as much of the one before it. */
import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import type { Json } from '../../../../src/core/json.ts'
import { CACHED_MOVING_MS } from '../../../../src/core/limits/limits-query.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { answerQuestion } from '../../../../src/query/insights/answer.ts'
import { createAnswerCache } from '../../../../src/query/insights/cache/answer-cache.ts'
import { putEvents } from '../../../support/ingest/events.ts'
import { createProject } from '../../../support/ingest/ingest-store.ts'
import { anyScans } from '../../../support/query/any-scans.ts'
import { type AnswerRow, asker } from '../../../support/query/questions.ts'
import { watchedSql } from '../../../support/query/watched-sql.ts'
import { testDatabase } from '../../../support/servers/database.ts'

/** Three in the morning of the last of eight days. */
const NOW = '2026-11-28T03:00:00Z'
const HOUR_MS = 3_600_000

function trends(more: Readonly<Record<string, Json>>, math = 'total'): Json {
  return {
    ...{ kind: 'TrendsQuery', dateRange: { date_from: '-7d' }, interval: 'day' },
    series: [{ kind: 'EventsNode', event: 'view', math }],
    compareFilter: { compare: true },
    ...more,
  }
}

/**
 * A view each two hours of 13 to 20 November, and each hour of the days after it: twice as many in
 * the second week, of another person each time.
 */
async function growing(t: Test) {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  const times: number[] = []
  const [first, second] = [Date.parse('2026-11-13'), Date.parse('2026-11-21')]
  for (let at = first; at < second; at += 2 * HOUR_MS) times.push(at)
  for (let at = second; at < Date.parse(NOW); at += HOUR_MS) times.push(at)
  await putEvents(
    sql,
    project,
    times.map((at, nth) => ({
      ...{ event: 'view', distinctId: `d${nth}`, timestamp: new Date(at).toISOString() },
      properties: { browser: 'Chrome' },
    })),
  )
  return { sql, project }
}

const numbersOf = ({ compare_label, data, count, aggregated_value, incomplete_from }: AnswerRow) =>
  [compare_label, data, count, aggregated_value, incomplete_from] as const

t.test('a started day is compared with as much of a day', async (t) => {
  const { sql, project } = await growing(t)
  const { rows, ask } = asker(sql, { project, timezone: 'UTC', now: NOW })
  const display = { trendsFilter: { display: 'ActionsTable' } }
  const now = [24, 24, 24, 24, 24, 24, 24, 3]
  const before = [12, 12, 12, 12, 12, 12, 12, 2]

  t.test('totals, points and actors', async (t) => {
    for (const math of ['total', 'dau']) {
      t.strictSame(
        (await rows(trends(display, math))).map(numbersOf),
        [
          ['current', now, 171, 171, 7],
          ['previous', before, 86, 86, 7],
        ],
        math,
      )
    }
  })

  t.test('values of a breakdown', async (t) => {
    const by = { breakdownFilter: { breakdown: 'browser' } }
    const found = await rows(trends(by))
    t.strictSame(
      found.map(({ data }) => data),
      [now, before],
    )
  })

  t.test('the actors behind the last point are as many', async (t) => {
    const point = { series: 0, day: '2026-11-20', compare: 'previous' }
    const source = { kind: 'InsightActorsQuery', source: trends({}, 'dau'), ...point }
    const answer = await ask({ kind: 'ActorsQuery', source })
    t.equal(answer.ok && (answer.value['results'] as readonly Json[]).length, 2)
  })

  t.test('the same days of the week before', async (t) => {
    const week = { compareFilter: { compare: true, compare_to: '-7d' } }
    const [, earlier] = await rows(trends(week))
    t.strictSame(earlier?.days[0], '2026-11-14')
    t.strictSame(earlier?.data, [12, 12, 12, 12, 12, 12, 12, 3])
  })

  t.test('days that have ended are compared with whole days', async (t) => {
    const range = { dateRange: { date_from: '-7d', date_to: '-1d' } }
    const found = (await rows(trends(range))).map(numbersOf)
    t.strictSame(found, [
      ['current', now.slice(0, 7), 168, undefined, null],
      ['previous', before.slice(0, 7), 84, undefined, null],
    ])
  })
})

t.test('the range that a comparison is kept for moves with time', async (t) => {
  const { sql, project } = await growing(t)
  let nowMs = Date.parse(NOW)
  const counted: string[] = []
  const seen = watchedSql(sql, (text) => {
    if (text.includes('from events e')) counted.push(text)
  })
  const clock = { ...systemClock, now: () => nowMs }
  const cache = createAnswerCache(sql, silentLog)
  const asking = { id: project, timezone: 'UTC', testAccountFilters: [] }
  const query = trends({})
  const ask = async () => {
    const deps = { sql: seen, clock, scans: anyScans(), cache }
    const { signal } = new AbortController()
    const answer = await answerQuestion(deps, asking, query, { path: 'query' }, signal)
    if (!answer.ok) throw new Error(answer.error.detail)
    const [, before] = JSON.parse(JSON.stringify(answer.value['results']))
    return { isKept: answer.value['is_cached'], last: before.data.at(-1) }
  }
  const keptRows = async () =>
    (await sql`select from kept_answers where project_id = ${project} and until_ms <> 0`).count

  t.strictSame(await ask(), { isKept: false, last: 2 })
  t.equal(counted.length, 1, 'whole days are known by their counters, and one part is read')
  nowMs += CACHED_MOVING_MS - 1
  t.strictSame(await ask(), { isKept: true, last: 2 })
  const before = await keptRows()
  nowMs += 2 * HOUR_MS
  t.strictSame(await ask(), { isKept: false, last: 3 })
  t.equal(await keptRows(), before, 'nothing is kept that nobody asks for again')
})
