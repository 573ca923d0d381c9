/** Checks a question that is saved and not asked. */
import type { Clock } from '../../core/clock.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { err, type Result } from '../../core/result.ts'
import { ANY_COHORT } from '../asked-cohorts.ts'
import { type AskingProject, readingOf } from './answer.ts'
import { overridden } from './override.ts'
import type { QuestionError } from './question.ts'
import { readQuestion } from './read/read-question.ts'

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

/** Questions of a dashboard share these. */
const OVERRIDES = ['date_from', 'date_to', 'properties']

/** Checks the `filters` of a dashboard: see `override.ts`. */
export function checkOverride(
  clock: Pick<Clock, 'now'>,
  project: AskingProject,
  filters: JsonObject,
): Result<unknown, QuestionError> {
  const unknown = Object.keys(filters).find((name) => !OVERRIDES.includes(name))
  if (unknown !== undefined) return refused('Unknown member.', unknown)
  const reading = readingOf(project, clock.now(), ANY_COHORT)
  const plain = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] }
  const question = readQuestion(overridden(plain, filters), reading)
  if (question.ok) return question
  const { attr, detail } = question.error
  return refused(detail, attr?.replace('dateRange.', '').replaceAll('.', '__') ?? '')
}

function refused(detail: string, member: string): Result<never, QuestionError> {
  return err({ code: 'invalid_input', detail, attr: `filters__${member}` })
}
