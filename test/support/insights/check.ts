/** The property: the product answers as the reference evaluator does. */
import fc from 'fast-check'
import type { Test } from 'tap'
import { testDatabase } from '../servers/database.ts'
import { difference, putWorld } from './compare.ts'
import { questionAt } from './generate-questions.ts'
import { PLACES, worldAt } from './generate-worlds.ts'

export type Amount = {
  readonly worlds: number
  readonly questions: number
  /** Decides the worlds and questions. */
  readonly seed: number
}

/** Asks `questions` of each of `worlds`; a failure says the seed and the smallest example. */
export async function checkAgainstReference(t: Test, amount: Amount): Promise<void> {
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
    for (const question of questions) {
      const found = await difference(sql, project, world, question)
      if (found !== undefined) throw new Error(found)
    }
  }
  await fc.assert(fc.asyncProperty(examples, agrees), {
    numRuns: amount.worlds,
    seed: amount.seed,
  })
}
