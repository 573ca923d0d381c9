/** Checks a question that is saved and not asked. */
import type { Clock } from '../../core/clock.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { UTC } from '../../core/time/zone.ts'
import { ANY_COHORT } from '../asked-cohorts.ts'
import { type AskingProject, readingOf } from './answer.ts'
import { overridden } from './override.ts'
import type { QuestionError } from './question.ts'
import { createReading } from './read/common.ts'
import { QuestionProblem } from './read/members.ts'
import { readQuestion } from './read/read-question.ts'
import { readGoals } from './read/read-web.ts'

/**
 * Checks the `query` of a request, with the error that asking it now would give. Does not read the
 * store: a cohort that it names may be removed.
 */
export function checkQuestion(
  clock: Pick<Clock, 'now'>,
  project: AskingProject,
  asked: Json,
): Result<unknown, QuestionError> {
  const reading = readingOf(project, clock.now(), ANY_COHORT)
  const question = readQuestion(asked, reading)
  if (question.ok) return question
  const { attr, ...error } = question.error
  return err({ ...error, attr: attr === null ? null : ['query', attr].filter(Boolean).join('.') })
}

/**
 * Checks the goals of a project, as `checkQuestion` does a question.
 * @returns the path of what is wrong, in the form of a request's fields.
 */
export function checkGoals(goals: Json): Result<unknown, QuestionError> {
  try {
    return ok(readGoals(goals, 'web_goals', createReading(UTC, 0, [], ANY_COHORT)))
  } catch (error) {
    if (!(error instanceof QuestionProblem)) throw error
    return refused(error.message, error.attr)
  }
}

/** Questions of a dashboard share these. */
const OVERRIDES = ['date_from', 'date_to', 'properties']

/** Checks the `filters` of a dashboard: see `override.ts`. */
export function checkOverride(
  clock: Pick<Clock, 'now'>,
  project: AskingProject,
  filters: JsonObject,
): Result<unknown, QuestionError> {
  const unknown = Object.keys(filters).find((name) => !OVERRIDES.includes(name))
  if (unknown !== undefined) return refused('Unknown member.', `filters.${unknown}`)
  const reading = readingOf(project, clock.now(), ANY_COHORT)
  const plain = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] }
  const question = readQuestion(overridden(plain, filters), reading)
  if (question.ok) return question
  const { attr, detail } = question.error
  return refused(detail, `filters.${attr?.replace('dateRange.', '') ?? ''}`)
}

/** @param path dotted. */
function refused(detail: string, path: string): Result<never, QuestionError> {
  return err({ code: 'invalid_input', detail, attr: path.replaceAll('.', '__') })
}
