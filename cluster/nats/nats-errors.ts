/** Kinds of NATS failures. */
import { NatsError } from 'nats'
import { AppError } from '../../src/core/code.ts'

/** Error numbers of JetStream's answers: `err_code` in the server's `errors.json`. */
const WRONG_LAST_SEQUENCE = 10_071
const STREAM_NOT_FOUND = 10_059
const MESSAGE_NOT_FOUND = 10_037
const JETSTREAM_NOT_ENABLED: ReadonlySet<number> = new Set([10_039, 10_076])

/** Reasons for which an operation on JetStream failed, as far as callers distinguish them. */
export type NatsFailure =
  /** The condition on the last sequence did not hold: nothing was stored. */
  | 'wrong_sequence'
  /** There is no such stream. */
  | 'no_stream'
  | 'no_message'
  /** No server took the request: the stream is gone or has no leader, or JetStream is off. */
  | 'no_responders'
  | 'not_enabled'
  | 'refused_credentials'
  /** No answer, a lost connection, or an answer about the server's own trouble: outcome unknown. */
  | 'unknown'

export function natsFailure(error: unknown): NatsFailure {
  if (!(error instanceof NatsError)) return 'unknown'
  switch (error.api_error?.err_code) {
    case WRONG_LAST_SEQUENCE:
      return 'wrong_sequence'
    case STREAM_NOT_FOUND:
      return 'no_stream'
    case MESSAGE_NOT_FOUND:
      return 'no_message'
  }
  const number = error.api_error?.err_code
  if (number !== undefined && JETSTREAM_NOT_ENABLED.has(number)) return 'not_enabled'
  if (error.isAuthError() || error.isAuthTimeout()) return 'refused_credentials'
  // The same number also means an error of JetStream itself, which has a body.
  return error.code === '503' && error.api_error === undefined ? 'no_responders' : 'unknown'
}

/** Reason why JetStream refused a request; `undefined` when it was in trouble or did not answer. */
export function natsAnswer(error: unknown): string | undefined {
  if (!(error instanceof NatsError) || error.api_error === undefined) return undefined
  return error.api_error.code === 503 ? undefined : error.api_error.description
}

/** @returns an `AppError` that names the attempt; the outcome of a change is unknown. */
export function unavailable(attempted: string, cause?: unknown): AppError {
  return new AppError('unavailable', `NATS did not answer: ${attempted}`, { cause })
}
