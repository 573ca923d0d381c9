import type { ErrorDetail } from '../../src/core/code.ts'
import { bodyTooLargeDetail } from '../../src/wire/details.ts'
import type { HttpReply, Refusal } from '../http/http-server.ts'
import { failureReply } from './replies.ts'

type Form = { readonly status: number; readonly detail: ErrorDetail }

/** Answers a management request that was refused before its handler. */
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

const QUERY_KEY: ErrorDetail = {
  type: 'authentication_error',
  code: 'invalid_personal_api_key',
  detail: 'Personal API keys are not taken from query strings. Send it as Authorization: Bearer.',
}

/** Answers a request with a personal key in its query, where the operator refuses them. */
export function refuseManagementKey(): HttpReply {
  return failureReply({ status: 401, detail: QUERY_KEY })
}

export function refuseManagement(refusal: Refusal): HttpReply {
  return failureReply(FORMS[refusal])
}
