import { err } from '../../src/core/result.ts'

/** Why a body is refused; the status is fixed by the code. */
export type DecodeError =
  | { readonly status: 400; readonly code: 'invalid_payload' | 'no_data' }
  | { readonly status: 413; readonly code: 'request_too_large' }

export const INVALID_PAYLOAD = err({ status: 400, code: 'invalid_payload' } as const)
export const NO_DATA = err({ status: 400, code: 'no_data' } as const)
export const TOO_LARGE = err({ status: 413, code: 'request_too_large' } as const)
