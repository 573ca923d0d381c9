import type { ErrorDetail } from '../../src/core/code.ts'
import { bodyTooLargeDetail } from '../../src/wire/details.ts'
import type { HttpReply, Refusal } from '../http/http-server.ts'
import { failureReply } from './replies.ts'

type Form = { readonly status: number; readonly detail: ErrorDetail }

/** What a management request is told that never reached its handler. */
const FORMS: Readonly<Record<Refusal, Form>> = {
  bad_request: {
    status: 400,
    detail: {
      type: 'invalid_request',
      code: 'parse_error',
      detail: 'Malformed request.',
      attr: null,
    },
  },
  body_too_large: { status: 413, detail: bodyTooLargeDetail },
  overloaded: {
    status: 503,
    detail: {
      type: 'server_error',
      code: 'server_error',
      detail: 'The server is busy. Try again.',
      attr: null,
      retryAfterS: 2,
    },
  },
  internal: {
    status: 500,
    detail: {
      type: 'server_error',
      code: 'error',
      detail: 'A server error occurred.',
      attr: null,
    },
  },
}

export function refuseManagement(refusal: Refusal): HttpReply {
  return failureReply(FORMS[refusal])
}
