/** Runs the query, or the list of queries, of one call. */
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { accepted, invalid } from '../../access/errors.ts'
import { isList, type Json } from '../../core/json.ts'
import { EVENT_PAGE_BYTES_MAX } from '../../core/limits/limits-query.ts'
import type { Result } from '../../core/result.ts'
import { cohortIdsIn } from '../../query/asked-cohorts.ts'
import type { AnswerDeps, AskingProject } from '../../query/insights/answer.ts'
import { answerText, createAnswerList } from '../../query/insights/answer-text.ts'
import type { InsightAnswer } from '../../query/insights/count-answers.ts'
import { createFlights } from '../../query/insights/jobs/flights.ts'
import { createPage } from '../../query/insights/page.ts'
import type { QuestionError } from '../../query/insights/question.ts'

/** Questions of one call. */
const INSIGHT_QUESTIONS_MAX = 12

export type AskedQuestions = {
  readonly project: AskingProject
  /** A question or a list. */
  readonly asked: Json
  /** How to answer; questions that differ in it are not answered together. */
  readonly refresh: string
}

/** JSON of the answer. @param onDone receives the number of answered questions. */
export type RunQuestions = (
  deps: AnswerDeps,
  asked: AskedQuestions,
  signal: AbortSignal,
  onDone?: (done: number) => void,
) => Promise<string>

/** @returns one for all calls of a worker: equal queries at the same time run once. */
export function createRunQuestions(): RunQuestions {
  const flights = createFlights<Result<InsightAnswer, QuestionError>>()
  return async (deps, { project, asked, refresh }, signal, onDone = () => {}) => {
    const isForced = refresh === 'force_blocking'
    const page = createPage(deps, project, isList(asked) ? asked : [asked])
    const named = new Set<number>()
    const ask = (question: Json, path: string, ending: AbortSignal) => {
      const parts: unknown[] = [project, refresh, deps.timeoutMs ?? 0]
      parts.push(path, question)
      const own = cohortIdsIn([question, project.testAccountFilters, project.webGoals])
      // Cohorts of a call count together: those named before decide whether this one is answered.
      if (own.size > 0) parts.push([...named])
      for (const cohort of own) named.add(cohort)
      const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64')
      return flights.run(key, ending, (whileAwaited) =>
        page.answer(question, { path, isForced }, whileAwaited),
      )
    }
    if (isList(asked)) return await answerList(asked, ask, signal, onDone)
    const answer = answerText(accepted(await ask(asked, 'query', signal)))
    onDone(1)
    return answer
  }
}

type Ask = (
  question: Json,
  path: string,
  ending: AbortSignal,
) => Promise<Result<InsightAnswer, QuestionError>>

/** JSON text. One question that cannot be answered does not spoil the others; a failure ends all. */
async function answerList(
  asked: readonly Json[],
  ask: Ask,
  signal: AbortSignal,
  onDone: (done: number) => void,
): Promise<string> {
  if (asked.length === 0 || asked.length > INSIGHT_QUESTIONS_MAX) {
    throw invalid(`Must have 1 to ${INSIGHT_QUESTIONS_MAX} questions.`, 'query')
  }
  const texts: string[] = []
  let [done, held] = [0, 0]
  const failure = new AbortController()
  const ending = AbortSignal.any([signal, failure.signal])
  setMaxListeners(INSIGHT_QUESTIONS_MAX + 1, ending) // One a question.
  const answering = asked.map(async (question, index) => {
    const answer = await ask(question, `query.${index}`, ending)
    const text = answer.ok ? answerText(answer.value) : errorText(answer.error)
    held += Buffer.byteLength(text)
    // An answer that does not fit into the list is dropped at once, not held until the list is
    // whole.
    texts[index] = held > EVENT_PAGE_BYTES_MAX ? tooLarge(index) : text
    done += 1
    onDone(done)
  })
  const failed = Promise.all(answering).catch((error: unknown) => failure.abort(error))
  await Promise.allSettled([...answering, failed])
  if (failure.signal.aborted) throw failure.signal.reason
  const list = createAnswerList(EVENT_PAGE_BYTES_MAX)
  for (const [index, text] of texts.entries()) {
    list.add(text, tooLarge(index))
  }
  return list.text()
}

function tooLarge(index: number): string {
  return errorText({ ...TOO_LARGE, attr: `query.${index}` })
}

const TOO_LARGE: Omit<QuestionError, 'attr'> = {
  code: 'invalid_input',
  detail: 'The answers are too large to send together. Ask this question by itself.',
}

function errorText({ code, detail, attr }: QuestionError): string {
  return JSON.stringify({ error: { type: 'validation_error', code, detail, attr } })
}
