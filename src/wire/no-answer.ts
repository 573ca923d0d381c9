import { AppError, type Code } from '../core/code.ts'

/**
 * The other process did not answer: the connection failed or the deadline passed. An answer of the
 * other process is a plain `AppError`, also when its code is `unavailable`.
 */
export class NoAnswerError extends AppError {
  /** False when nothing was sent: the call had no effect. */
  readonly sent: boolean

  constructor(code: Code, message: string, options: { sent: boolean; cause?: unknown }) {
    super(code, message, { cause: options.cause })
    this.sent = options.sent
  }
}
