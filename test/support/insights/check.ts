/** The property: the product answers as the reference evaluator does. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import type { OpenInsightEvents } from '../../../src/event-store/insight-events.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { toldBy } from '../query/questions.ts'
import { testDatabase } from '../servers/database.ts'
import { difference, putWorld, worldAsker } from './compare.ts'
import { pageAt, questionAt } from './generate-questions.ts'
import { PLACES, worldAt } from './generate-worlds.ts'

export type Amount = {
  readonly worlds: number
  readonly questions: number
  /** Seed of the worlds and questions. */
  readonly seed: number
}

/** The property: questions of a page are answered as each of them is alone. */
export async function checkPages(t: Test, { worlds, seed }: Omit<Amount, 'questions'>) {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const examples = fc
    .constantFrom(...PLACES)
    .chain((place) => fc.tuple(worldAt(place), pageAt(place)))
  let project = 0
  const agrees = async ([world, page]: [
    Parameters<typeof putWorld>[2],
    readonly Parameters<typeof difference>[3][],
  ]): Promise<void> => {
    project += 1
    await putWorld(sql, project, world)
    const { ask, askPage } = worldAsker(sql, project, world)
    const queries = page.map((question): Json => JSON.parse(JSON.stringify(question)))
    const together = await askPage(queries)
    for (const [index, query] of queries.entries()) {
      const one = together[index]
      const alone = await ask(query)
      const same = one !== undefined && isDeepStrictEqual(toldBy(one), toldBy(alone))
      if (!same) throw new Error(`${JSON.stringify(query)}: ${JSON.stringify([one, alone])}`)
    }
  }
  await fc.assert(fc.asyncProperty(examples, agrees), { numRuns: worlds, seed })
}

/** Store of a world's events; persons and all other data stay in Postgres. */
export type EventsElsewhere = {
  readonly openEvents: OpenInsightEvents
  /** Copies the events of a project to it. */
  copy(sql: Sql, project: number): Promise<void>
}

/**
 * Asks `questions` of each of `worlds`; a failure says the seed and the smallest example.
 * @param events @default in Postgres
 */
export async function checkAgainstReference(
  t: Test,
  amount: Amount,
  events?: EventsElsewhere,
): Promise<void> {
  const { sql } = await testDatabase(t, { connectionsMax: 4 })
  const examples = fc
    .constantFrom(...PLACES)
    .chain((place) =>
      fc.tuple(
        worldAt(place),
        fc.array(questionAt(place), { minLength: 1, maxLength: amount.questions, size: 'max' }),
      ),
    )
  let project = 0
  const agrees = async ([world, questions]: [
    Parameters<typeof putWorld>[2],
    Parameters<typeof difference>[3][],
  ]): Promise<void> => {
    project += 1
    await putWorld(sql, project, world)
    await events?.copy(sql, project)
    for (const question of questions) {
      const found = await difference(sql, project, world, question, events?.openEvents)
      if (found !== undefined) throw new Error(found)
    }
  }
  await fc.assert(fc.asyncProperty(examples, agrees), {
    numRuns: amount.worlds,
    seed: amount.seed,
  })
}
