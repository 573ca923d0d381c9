/** The property: questions about sites are answered as the reference evaluator answers them. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { type Json, type JsonObject, listOf, objectOf } from '../../../src/core/json.ts'
import { testDatabase } from '../servers/database.ts'
import type { Amount, EventsElsewhere } from './check.ts'
import { isSame, putWorld, worldAsker } from './compare.ts'
import { PLACES } from './generate-worlds.ts'
import { Refused } from './ranges.ts'
import { evaluateOverview, evaluateStats, evaluateWebTrends, type WebQuery } from './web.ts'
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
    const { ask } = worldAsker(sql, project, world, events?.openEvents)
    for (const question of questions) {
      const query: Json = JSON.parse(JSON.stringify(question))
      const answer = await ask(query)
      const told = answer.ok
        ? numbersOf(question, objectOf(JSON.parse(JSON.stringify(answer.value))))
        : { attr: answer.error.attr }
      const wanted = expected(world, question)
      if (isSame(told, wanted)) continue
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

function expected(world: World, question: WebQuery): unknown {
  try {
    if (question.kind === 'WebOverviewQuery') return evaluateOverview(world, question)
    return question.kind === 'WebTrendsQuery'
      ? evaluateWebTrends(world, question)
      : evaluateStats(world, question)
  } catch (error) {
    if (error instanceof Refused) return { attr: error.attr }
    throw error
  }
}

function numbersOf({ kind }: WebQuery, { results = null, hasMore = false }: JsonObject): unknown {
  const rows = listOf(results)
  if (kind === 'WebStatsTableQuery') return { rows, hasMore }
  if (kind === 'WebTrendsQuery') return rows.map(objectOf).map(({ data }) => data)
  return rows.map(objectOf).map(({ value, previous }) => [value, previous])
}
