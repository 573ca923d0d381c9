/** The property: questions about sites are answered as the reference evaluator answers them. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { type Json, type JsonObject, listOf, objectOf } from '../../../src/core/json.ts'
import { createProject } from '../ingest/ingest-store.ts'
import { toldBy } from '../query/questions.ts'
import { testDatabase } from '../servers/database.ts'
import type { Amount, EventsElsewhere } from './check.ts'
import { isSame, keepDays, putWorld, worldAsker } from './compare.ts'
import type { Filter } from './filters.ts'
import { Unclear } from './funnels.ts'
import { PLACES } from './generate-worlds.ts'
import { Refused } from './ranges.ts'
import {
  evaluateGoals,
  evaluateOverview,
  evaluateSessions,
  evaluateStats,
  evaluateWebTrends,
  METRICS,
  type WebQuery,
} from './web.ts'
import { siteAt, webQuestionAt } from './web-worlds.ts'
import type { World } from './world.ts'

/** @param events @default in Postgres */
export async function checkWeb(t: Test, amount: Amount, events?: EventsElsewhere): Promise<void> {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const examples = fc
    .constantFrom(...PLACES)
    .chain((place) =>
      fc.tuple(
        siteAt(place),
        fc.array(webQuestionAt(place), { minLength: 1, maxLength: amount.questions, size: 'max' }),
      ),
    )
  const agrees = async ([world, questions]: [World, readonly WebQuery[]]): Promise<void> => {
    const project = await createProject(sql)
    await putWorld(sql, project, world)
    await events?.copy(sql, project)
    if (project % 3 !== 0) await keepDays(sql, project, world, events?.openEvents)
    const { ask, askPage } = worldAsker(sql, project, world, events?.openEvents)
    const queries: readonly Json[] = JSON.parse(JSON.stringify(questions))
    // Questions of a page share their reads.
    const isPage = project % 2 === 0
    const answers = isPage
      ? await askPage(queries)
      : await inTurn(queries.map((one) => () => ask(one)))
    for (const [place, question] of questions.entries()) {
      const answer = answers[place]
      if (answer === undefined) throw new Error('a question has no answer')
      const told = answer.ok
        ? numbersOf(question, objectOf(JSON.parse(JSON.stringify(answer.value))))
        : { attr: answer.error.attr }
      const wanted = expected(world, question)
      if (wanted === undefined || isSame(told, wanted)) continue
      throw new Error(
        [question, { ...world, persons: world.persons }, { told }, { wanted }]
          .map((each) => JSON.stringify(each))
          .join('\n'),
      )
    }
  }
  await fc.assert(fc.asyncProperty(examples, agrees), {
    numRuns: amount.worlds,
    seed: amount.seed,
  })
}

/** The property: blocks of days that have ended answer as their events do. */
export async function checkBlocks(t: Test, { worlds, seed }: Amount): Promise<void> {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  let kept = 0
  const agrees = async (world: World): Promise<void> => {
    const project = await createProject(sql)
    await putWorld(sql, project, world)
    const { askPage } = worldAsker(sql, project, world)
    const questions = pageOf(world)
    const answers = async () => (await askPage(questions)).map(toldBy)
    const wanted = await answers()
    await keepDays(sql, project, world)
    // Gone, and nobody is told: what is still answered comes from blocks.
    const gone = await sql`
      delete from events e using session_blocks b where e.project_id = ${project}
        and b.project_id = e.project_id and e.day = date 'epoch' + b.day returning e.uuid`
    kept += gone.length
    const told = await answers()
    if (isSame(told, wanted)) return
    throw new Error([world, { told }, { wanted }].map((each) => JSON.stringify(each)).join('\n'))
  }
  const examples = fc.constantFrom(...PLACES).chain(siteAt)
  await fc.assert(fc.asyncProperty(examples, agrees), { numRuns: worlds, seed })
  t.ok(kept > worlds, 'many events are in blocks')
}

/** Questions of a page, whose roles blocks have. */
function pageOf({ webGoals = [], testAccountFilters }: World): readonly Json[] {
  const isOfEvents = ({ type = 'event' }: Filter) => type === 'event'
  const goals = webGoals.filter(({ properties = [] }) => properties.every(isOfEvents))
  const areAllOfEvents = goals.length === webGoals.length
  const asked = { dateRange: { date_from: '-8d' }, compareFilter: { compare: true } }
  const by = ['Page', 'ExitPage', 'InitialPage', 'ScreenName', 'InitialChannelType', 'Browser']
  return [
    { kind: 'WebOverviewQuery', ...asked },
    ...(testAccountFilters.every(isOfEvents)
      ? [{ kind: 'WebOverviewQuery', ...asked, filterTestAccounts: true, includeBots: true }]
      : []),
    { kind: 'WebTrendsQuery', metrics: [...METRICS], interval: 'hour', ...asked },
    ...(areAllOfEvents ? [{ kind: 'WebGoalsQuery', ...asked }] : []),
    ...goals.map(({ name }) => ({
      kind: 'WebOverviewQuery',
      conversionGoal: { goal: name },
      ...asked,
    })),
    ...by.map((breakdownBy) => ({ kind: 'WebStatsTableQuery', breakdownBy, ...asked })),
  ]
}

async function inTurn<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const done: T[] = []
  for (const work of works) done.push(await work())
  return done
}

function expected(world: World, question: WebQuery): unknown {
  try {
    if (question.kind === 'WebOverviewQuery') return evaluateOverview(world, question)
    if (question.kind === 'WebGoalsQuery') return evaluateGoals(world, question)
    if (question.kind === 'SessionsQuery') return evaluateSessions(world, question)
    return question.kind === 'WebTrendsQuery'
      ? evaluateWebTrends(world, question)
      : evaluateStats(world, question)
  } catch (error) {
    if (error instanceof Refused) return { attr: error.attr }
    if (error instanceof Unclear) return undefined
    throw error
  }
}

function sessionRow({ start = '', properties = {}, events = 0 }: JsonObject) {
  const micros = Number(/(\d{3})Z$/.exec(String(start))?.[1])
  const begin = Date.parse(String(start).replace(/\d{3}Z$/, 'Z')) * 1_000 + micros
  return [begin, objectOf(properties)['$session_duration'], events]
}

function numbersOf({ kind }: WebQuery, { results = null, hasMore = false }: JsonObject): unknown {
  const rows = listOf(results)
  if (kind === 'WebStatsTableQuery') return { rows, hasMore }
  if (kind === 'WebGoalsQuery') return rows
  if (kind === 'SessionsQuery') return { rows: rows.map(objectOf).map(sessionRow), hasMore }
  if (kind === 'WebTrendsQuery') return rows.map(objectOf).map(({ data }) => data)
  return rows.map(objectOf).map(({ value, previous }) => [value, previous])
}
