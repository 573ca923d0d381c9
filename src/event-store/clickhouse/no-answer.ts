/** Errors for callers when only ClickHouse can answer and does not. */
import { AppError } from '../../core/code.ts'

/** Seconds until a client may retry a question that the replica did not answer. */
const REPLICA_AWAY_RETRY_S = 5

/** Error for a failure that may pass. @param why for the log. */
export function away(why: string, cause?: unknown): AppError {
  const detail = 'Events are in ClickHouse, which does not answer right now. Try again.'
  return new AppError('unavailable', `events are in ClickHouse: ${why}`, {
    cause,
    detail: {
      type: 'server_error',
      code: 'service_unavailable',
      detail,
      attr: null,
      retryAfterS: REPLICA_AWAY_RETRY_S,
    },
  })
}

/** Error for a statement that ClickHouse can never answer. */
export function notHere(cause: Error): AppError {
  const detail =
    'Events are in ClickHouse alone, which cannot answer this: ' +
    `${cause.message}. Ask for less, or without it.`
  return new AppError('invalid_argument', cause.message, {
    cause,
    detail: { type: 'validation_error', code: 'not_supported', detail, attr: null },
  })
}
