/** A question about flags, answered from the cache or by the project's worker. */
import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import { AppError } from '../../src/core/code.ts'
import { revision } from '../../src/core/ids.ts'
import type { Log } from '../../src/core/log.ts'
import type { DecideCache, DecidePlace, DecideTicket, Looked } from '../cache/decide-cache.ts'
import type { GatewayProject, KeyResolver } from '../keys/api-key.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { DecideRequest } from './decide-request.ts'

export type QuestionDeps = {
  readonly keys: Pick<KeyResolver, 'forget'>
  readonly pool: Pick<WorkerPool, 'decide'>
  readonly cache: DecideCache
  readonly log: Log
  readonly onAnswered: (cached: boolean) => void
}

export type QuestionAnswer =
  /** JSON text, as the worker rendered it for the shape that was asked for. */
  | { readonly kind: 'members'; readonly members: string }
  /** The project went away after its key was found. */
  | { readonly kind: 'no_project' }
  /** Safe to ask again. */
  | { readonly kind: 'unavailable'; readonly retryAfterS: number }
  /** A fault of ours, which is logged. */
  | { readonly kind: 'failed' }

/** Answers at once when the cache does. Never rejects. */
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
    if (answer.code !== '') return { kind: 'unavailable', retryAfterS: answer.retry_after_s }
    deps.onAnswered(false)
    if (mayKeep(answer, question, deps.cache)) {
      const answered = { ...place, revision: revision(answer.revision) }
      const { members, depends_on_stored: dependsOnStored } = answer
      void deps.cache.put(answered, ticket, { members, dependsOnStored })
    }
    return { kind: 'members', members: answer.members }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') {
      return { kind: 'unavailable', retryAfterS: error.detail?.retryAfterS ?? 1 }
    }
    deps.log.error('decide failed', { error })
    return { kind: 'failed' }
  }
}

/**
 * An answer may be kept when nothing but the flags can make it wrong, or when the cache is told of
 * changes to what it read. Of groups and of a second person (the anonymous id's) it is not told.
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
