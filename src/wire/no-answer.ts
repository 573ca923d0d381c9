import { AppError, type Code } from '../core/code.ts'

/**
 * The other process itself said nothing: the connection or the time failed, not the call. What it
 * says of itself comes as a plain `AppError`, also when that is `unavailable`.
 */
export class NoAnswerError extends AppError {
  /** False when nothing was sent, so that the call cannot have had an effect. */
  readonly sent: boolean

  constructor(code: Code, message: string, options: { sent: boolean; cause?: unknown }) {
    super(code, message, { cause: options.cause })
    this.sent = options.sent
  }
}
