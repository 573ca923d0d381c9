import { AppError, type ErrorDetail } from '../core/code.ts'

/** A field that is wrong, as a failed call. */
export function validationFailure(detail: ErrorDetail): AppError {
  return new AppError('invalid_argument', `validation: ${detail.code}`, { detail })
}
