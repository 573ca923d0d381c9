/** The property: questions about sites are answered as the reference evaluator answers them. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { type Json, type JsonObject, listOf, objectOf } from '../../../src/core/json.ts'
import { testDatabase } from '../servers/database.ts'
import type { Amount, EventsElsewhere } from './check.ts'
import { isSame, putWorld, worldAsker } from './compare.ts'
import { Unclear } from './funnels.ts'
import { PLACES } from './generate-worlds.ts'
import { Refused } from './ranges.ts'
import {
  evaluateGoals,
  evaluateOverview,
  evaluateSessions,
  evaluateStats,
  evaluateWebTrends,
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
  let project = 0
  const agrees = async ([world, questions]: [World, readonly WebQuery[]]): Promise<void> => {
    project += 1
    await putWorld(sql, project, world)
    await events?.copy(sql, project)
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
