/** Answers a question about flags from the cache or through the project's worker. */
import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import { AppError } from '../../src/core/code.ts'
import { revision } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import type { DecideCache, DecidePlace, DecideTicket, Looked } from '../cache/decide-cache.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { DecideRequest } from './decide-request.ts'
import { workerFailure } from './public-errors.ts'

export type QuestionDeps = {
  readonly keys: Pick<KeyResolver, 'forget'>
  readonly pool: Pick<WorkerPool, 'decide'>
  readonly cache: DecideCache
  readonly log: Log
  readonly onAnswered: (cached: boolean) => void
}

export type QuestionAnswer =
  /** JSON text, rendered by the worker for the requested shape. */
  | { readonly kind: 'members'; readonly members: string }
  /** The project was removed after its key was found. */
  | { readonly kind: 'no_project' }
  /** The client may repeat the question. */
  | {
      readonly kind: 'unavailable'
      readonly error: 'fetch_team_fail' | 'server_error'
      readonly retryAfterS: number
    }
  /** An internal error, which is logged. */
  | { readonly kind: 'failed' }

/** Answers without a promise on a cache hit. Never rejects. */
export function answerQuestion(
  deps: QuestionDeps,
  project: GatewayProject,
  question: DecideRequest,
): QuestionAnswer | Promise<QuestionAnswer> {
  const place: DecidePlace = {
    projectId: project.id,
    revision: project.revision,
    distinctId: question.wire.distinct_id,
    question: question.key,
  }
  const looked = deps.cache.look(place)
  return looked instanceof Promise
    ? looked.then((each) => answerLooked(deps, place, question.wire, each))
    : answerLooked(deps, place, question.wire, looked)
}

function answerLooked(
  deps: QuestionDeps,
  place: DecidePlace,
  question: DecideQuestion__Output,
  { members, ticket }: Looked,
): QuestionAnswer | Promise<QuestionAnswer> {
  if (members === undefined) return ask(deps, place, question, ticket)
  deps.onAnswered(true)
  return { kind: 'members', members }
}

async function ask(
  deps: QuestionDeps,
  place: DecidePlace,
  question: DecideQuestion__Output,
  ticket: DecideTicket,
): Promise<QuestionAnswer> {
  try {
    const answer = await deps.pool.decide(question)
    if (answer.code === 'not_found') {
      deps.keys.forget(place.projectId)
      return { kind: 'no_project' }
    }
    if (answer.code !== '') {
      const error = workerFailure(answer.code)
      return { kind: 'unavailable', error, retryAfterS: answer.retry_after_s }
    }
    deps.onAnswered(false)
    if (mayKeep(answer, question, deps.cache)) {
      const answered = { ...place, revision: revision(answer.revision) }
      const { members, depends_on_stored: dependsOnStored } = answer
      void deps.cache.put(answered, ticket, { members, dependsOnStored })
    }
    return { kind: 'members', members: answer.members }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') {
      const retryAfterS = error.detail?.retryAfterS ?? 1
      return { kind: 'unavailable', error: 'server_error', retryAfterS }
    }
    deps.log.error('decide failed', { error })
    return { kind: 'failed' }
  }
}

/**
 * Says whether an answer may be cached: it read no stored data, or the cache is notified of changes
 * to the data it read. The cache is not notified of groups or of the anonymous id's person.
 */
function mayKeep(
  answer: DecideAnswer__Output,
  question: DecideQuestion__Output,
  cache: DecideCache,
): boolean {
  if (answer.volatile) return false
  if (!answer.depends_on_stored) return true
  return cache.keepsStored && question.groups === '' && question.anon_distinct_id === ''
}
