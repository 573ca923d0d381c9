import { AppError } from '../../src/core/code.ts'

/** The error of a call when the view has no worker. */
export function noWorker(): AppError {
  return new AppError('unavailable', 'no worker in the view', {
    detail: {
      type: 'server_error',
      code: 'server_error',
      detail: 'No worker is available. Try again.',
      attr: null,
      retryAfterS: 2,
    },
  })
}
