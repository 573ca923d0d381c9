/** Evaluates flags: the part of decide between a question and its answer, on the worker. */
import type { Clock } from '../core/clock.ts'
import type { DatabaseHealth } from '../core/database-health.ts'
import type { Revision } from '../core/ids.ts'
import { type Evaluation, evaluate } from '../flags/evaluate.ts'
import { type StoredNeeds, storedNeeds } from '../flags/needs.ts'
import { NOTHING_STORED, type StoredData } from '../flags/subject.ts'
import type { DecideStore } from './ports.ts'
import {
  type DecideQuestion,
  overridesOf,
  type PlannedQuestion,
  readStored,
  type StoreAttempt,
  storedDataOf,
} from './stored-readings.ts'

/** Time for reading the persons and groups of one call; then flags that need them fail. */
const STORED_READ_MS = 2_000

export type DecideAnswer = { readonly revision: Revision; readonly evaluation: Evaluation }

/** Evaluates flags for many questions. One read gets the stored data for all of them. */
export type DecideService = {
  /**
   * One answer for each question, in order. When the store does not answer, flags that need it fail
   * and the others are evaluated.
   */
  decide(questions: readonly DecideQuestion[]): Promise<readonly DecideAnswer[]>
}

export function createDecideService(deps: {
  readonly store: DecideStore
  readonly health: DatabaseHealth
  readonly clock: Clock
}): DecideService {
  const { store, health, clock } = deps
  const stored = health.reads('stored data of decide', STORED_READ_MS)
  const attempt: StoreAttempt = async (read) => {
    try {
      return await stored.ask(read)
    } catch {
      return undefined // The failure is logged by `health`.
    }
  }

  const evaluated = (
    { state, request, now = clock.now(), watch }: DecideQuestion,
    data: StoredData,
  ): DecideAnswer => ({
    revision: state.revision,
    evaluation: evaluate(state.flags, request, data, now, watch),
  })

  return {
    async decide(questions) {
      const answers: DecideAnswer[] = []
      const planned: PlannedQuestion[] = []
      for (const [index, question] of questions.entries()) {
        const needs = storedNeeds(question.state.flags, question.request)
        if (readsNothing(needs)) answers[index] = evaluated(question, NOTHING_STORED)
        else planned.push({ index, needs, question })
      }
      if (planned.length === 0) return answers
      const readings = await readStored(store, attempt, planned)
      await Promise.all(
        planned.map(async (each) => {
          const overrides = await overridesOf(store, attempt, each, readings)
          const data = storedDataOf(each, readings, overrides)
          answers[each.index] = evaluated(each.question, data)
        }),
      )
      return answers
    },
  }
}

function readsNothing(needs: StoredNeeds): boolean {
  return (
    needs.personProperties.length === 0 &&
    needs.groups.length === 0 &&
    !needs.hashKeyOverrides &&
    !needs.staticCohorts &&
    !needs.continuityWrites
  )
}
