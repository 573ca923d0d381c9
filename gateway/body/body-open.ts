/** Opens the body of a public request: its payload, its key, and when the client sent it. */

import { isObject } from '../../src/core/json.ts'
import { ok, type Result } from '../../src/core/result.ts'
import type { SentAtValue } from '../../src/events/time/timestamp.ts'
import { queryValue } from '../http/query.ts'
import { findBearerToken, findToken, type ThirdPartyKey, type TokenAnswer } from '../keys/token.ts'
import {
  type BodyMeta,
  type DecodedBody,
  decodeBody,
  decodeInline,
  decodeQueryData,
} from './body-decode.ts'
import type { DecodeError } from './decode-error.ts'

/** Characters of the text that says when a request was sent; a longer one is ignored. */
export const SENT_AT_LENGTH_MAX = 200

/** Parts of a request's head that are needed to open its body. Missing headers are empty. */
export type OpenMeta = BodyMeta & {
  readonly method: string
  readonly authorization: string
  readonly thirdParty: ThirdPartyKey
  /** Only for the capture protocol v1, which has key and time of sending in headers. */
  readonly v1?: { readonly sentAt: string }
}

/** The part of a request that is read here. */
type Head = {
  readonly method: string
  readonly query: string
  header(name: string): string | undefined
}

export function openMetaOf(request: Head, thirdParty: ThirdPartyKey): OpenMeta {
  return {
    method: request.method,
    query: request.query,
    contentType: request.header('content-type') ?? '',
    contentEncoding: request.header('content-encoding') ?? '',
    authorization: thirdParty === 'never' ? '' : (request.header('authorization') ?? ''),
    thirdParty,
  }
}

/** Facts about a body that are known before its project is. */
export type BodyHead = {
  readonly token: TokenAnswer
  /** Candidates for the time of sending by the client's clock; the first readable one counts. */
  readonly sentAt: readonly SentAtValue[]
}

export type OpenBody = BodyHead & DecodedBody

/** Decodes a body of any admitted size and reads its head. For body threads: it blocks. */
export function openBody(
  body: Buffer,
  meta: OpenMeta,
  bytesMax: number,
): Result<OpenBody, DecodeError> {
  return opened(decodeBody(body, meta, bytesMax), meta)
}

/** The same on the event loop; undefined when the body is work for a body thread. */
export function openInline(
  body: Buffer,
  meta: OpenMeta,
): Result<OpenBody, DecodeError> | undefined {
  const decoded = decodeInline(body, meta)
  return decoded === undefined ? undefined : opened(decoded, meta)
}

/** The payload of a GET in `?data=`; undefined without one: the method is then not allowed. */
export function openQueryData(meta: OpenMeta): Result<OpenBody, DecodeError> | undefined {
  const decoded = decodeQueryData(meta.query)
  return decoded === undefined ? undefined : opened(decoded, meta)
}

function opened(
  decoded: Result<DecodedBody, DecodeError>,
  meta: OpenMeta,
): Result<OpenBody, DecodeError> {
  if (!decoded.ok) return decoded
  const { payload, form } = decoded.value
  if (meta.v1 !== undefined) {
    const token = findBearerToken(meta.authorization)
    return ok({ payload, form, token, sentAt: v1SentAt(payload, meta.v1.sentAt) })
  }
  const token = findToken({
    method: meta.method,
    query: meta.query,
    form,
    payload,
    authorization: meta.authorization,
    thirdParty: meta.thirdParty,
  })
  // Third-party `sentAt` is never read: those clients' times are not corrected.
  const sentAt = meta.thirdParty === 'first' ? NOT_SENT : requestSentAt(decoded.value, meta.query)
  return ok({ payload, form, token, sentAt })
}

const NOT_SENT: readonly SentAtValue[] = []

/**
 * `created_at` stays as it was when a batch is sent again, while the header is of each attempt:
 * corrected by it, an event gets one time however often it is sent.
 */
function v1SentAt(payload: unknown, header: string): readonly SentAtValue[] {
  return given(header, isObject(payload) ? payload['created_at'] : undefined)
}

function requestSentAt({ payload, form }: DecodedBody, query: string): readonly SentAtValue[] {
  const inPayload = isObject(payload) ? payload['sent_at'] : undefined
  if (query === '') return given(inPayload, form.sentAt)
  return given(queryValue(query, '_'), inPayload, form.sentAt, queryValue(query, 'sent_at'))
}

function given(...values: readonly unknown[]): readonly SentAtValue[] {
  const found: SentAtValue[] = []
  for (const value of values) {
    if (typeof value === 'number' || (typeof value === 'string' && mayBeTime(value)))
      found.push(value)
  }
  return found
}

function mayBeTime({ length }: string): boolean {
  return length > 0 && length <= SENT_AT_LENGTH_MAX
}
