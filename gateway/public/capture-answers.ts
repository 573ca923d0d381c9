/** Answers of the capture routes, and the count of events that they report as not stored. */
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import { AppError } from '../../src/core/code.ts'
import type { Log } from '../../src/core/log.ts'
import { NO_LOSSES } from '../../src/events/losses.ts'
import type { Losses } from '../../src/events/warnings/ingestion-warning.ts'
import type { WarningCounts } from '../../src/events/warnings/warning-counts.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import {
  countRefused,
  countUnstored,
  droppedText,
  reasonOfCode,
  type SentEvents,
} from './capture-losses.ts'
import {
  type PublicError,
  publicError,
  publicHeaders,
  STATUS_ONE,
  workerFailure,
} from './public-errors.ts'
import { isRecordingPath } from './session-recording.ts'

type AnswerDeps = {
  readonly keys: Pick<KeyResolver, 'forget'>
  readonly log: Log
  readonly warnings: Pick<WarningCounts, 'count' | 'loseAll'>
}

export type Told = {
  /** Outcome of each event; empty for protocols without them. */
  readonly results: string
  readonly losses: Losses
}

export function answerTo(
  deps: AnswerDeps,
  request: HttpRequest,
  sent: SentEvents,
  outcome: IngestOutcome__Output,
  told: Told,
): HttpReply {
  if (outcome.code === '') return stored(request, told)
  countUnstored(deps.warnings, sent, reasonOfCode(outcome.code, outcome.reason))
  if (outcome.code === 'not_found') {
    // The project was removed. This gateway has not received the changes yet.
    deps.keys.forget(sent.project.id)
    return publicError(request, 'invalid_api_key')
  }
  return publicError(request, workerFailure(outcome.code), { retryAfterS: outcome.retry_after_s })
}

export function unstored(
  { log, warnings }: AnswerDeps,
  request: HttpRequest,
  sent: SentEvents,
  error: unknown,
): HttpReply {
  countUnstored(warnings, sent, reasonOfCode(error instanceof AppError ? error.code : 'internal'))
  if (!(error instanceof AppError)) {
    log.error('capture failed', { error })
    return publicError(request, 'internal')
  }
  if (error.code === 'internal') log.error('capture failed', { error })
  return publicError(request, 'server_error', { retryAfterS: error.detail?.retryAfterS ?? 1 })
}

/** @param project whose request it is, where that is known. */
export function refuse(
  { warnings }: Pick<AnswerDeps, 'warnings'>,
  request: HttpRequest,
  error: PublicError,
  { retryAfterS }: { readonly retryAfterS?: number } = {},
  project?: GatewayProject,
): HttpReply {
  countRefused(warnings, error, project)
  return publicError(request, error, { retryAfterS })
}

export function publicCode(code: PublicError | 'overloaded'): PublicError {
  return code === 'overloaded' ? 'server_error' : code
}

/** Dropped events are answered as stored ones, but for recordings, which a client can switch off. */
export function nothingToStore(request: HttpRequest, told: Told): HttpReply {
  if (told.losses.counts.not_analytics !== undefined && isRecordingPath(request.path)) {
    return publicError(request, 'recordings_not_supported')
  }
  return stored(request, told)
}

/** Reports dropped events and reasons in a header: all answers share one body. */
export function stored(request: HttpRequest, { results, losses }: Told): HttpReply {
  const headers = publicHeaders(request)
  const dropped = losses === NO_LOSSES ? '' : droppedText(losses)
  return {
    status: 200,
    headers: dropped === '' ? headers : [...headers, ['Sluice-Dropped', dropped]],
    body: results || STATUS_ONE,
  }
}
