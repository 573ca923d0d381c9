/** Replies of the management interface. */
import type { ErrorDetail } from '../../src/core/code.ts'
import type { HttpReply } from '../http/http-server.ts'
import type { Failure } from '../http-status.ts'

export const JSON_TYPE = 'application/json'

type Headers = readonly (readonly [name: string, value: string])[]

/** Answers hold what their caller alone may see: no cache between us may keep them. */
export const NO_STORE: Headers = [
  ['cache-control', 'no-store'],
  ['vary', 'Accept'],
]

export function jsonReply(status: number, body: unknown, headers: Headers = []): HttpReply {
  return {
    status,
    headers: [['content-type', JSON_TYPE], ...NO_STORE, ...headers],
    body: JSON.stringify(body),
  }
}

export function emptyReply(status: number): HttpReply {
  return { status, headers: NO_STORE, body: '' }
}

export function failureReply({ status, detail }: Failure, headers: Headers = []): HttpReply {
  const retry: Headers =
    detail.retryAfterS === undefined ? [] : [['retry-after', `${Math.ceil(detail.retryAfterS)}`]]
  const challenge: Headers = status === 401 ? [['www-authenticate', 'Bearer']] : []
  return jsonReply(status, errorBody(detail), [...challenge, ...retry, ...headers])
}

/** `attr` is always there, but where the specification leaves the key out. */
function errorBody({ type, code, detail, attr }: ErrorDetail): object {
  return attr === undefined ? { type, code, detail } : { type, code, detail, attr }
}
