/** Requests that the gateway makes to itself for a caller, with the caller's key and address. */
import { isObject } from '../../src/core/json.ts'
import { exactJson, parseExact } from '../../src/core/json-text/exact-numbers.ts'
import type { HttpHandler, HttpReply, HttpRequest } from '../http/http-server.ts'
import type { Call } from './tool.ts'

/** Largest answer that an assistant can use; a larger one becomes an error that says so. */
const ANSWER_BYTES_MAX = 1_048_576

/** @param handler handles requests of clients. */
export function innerCall(handler: HttpHandler, outer: HttpRequest): Call {
  return async (method, path, { query = {}, body }) => {
    const bytes = Buffer.from(body === undefined ? '' : exactJson(body))
    const request = innerRequest(outer, method, path, new URLSearchParams(query).toString())
    const reply = await handler(request, bytes)
    const text = await textOf(reply)
    if (text === undefined) {
      const detail = 'The answer is too large. Ask for a shorter range, fewer values or a page.'
      const error = { type: 'validation_error', code: 'answer_too_large', detail, attr: null }
      return { status: 400, json: error }
    }
    return { status: reply.status, json: text === '' ? {} : parseExact(text) }
  }
}

function innerRequest(
  outer: HttpRequest,
  method: string,
  path: string,
  query: string,
): HttpRequest {
  const own: Readonly<Record<string, string>> = {
    accept: 'application/json',
    'content-type': 'application/json',
  }
  const passed = new Set(['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto'])
  return {
    method,
    path,
    query,
    header: (name) => own[name] ?? (passed.has(name) ? outer.header(name) : undefined),
    headerList: (name) => own[name] ?? (passed.has(name) ? outer.headerList(name) : ''),
    headAtMs: outer.headAtMs,
    remoteAddress: outer.remoteAddress,
    get aborted() {
      return outer.aborted
    },
    get signal() {
      return outer.signal
    },
  }
}

/** Undefined when it is too large. */
async function textOf({ body }: HttpReply): Promise<string | undefined> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return body.length > ANSWER_BYTES_MAX ? undefined : Buffer.from(body).toString('utf8')
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > ANSWER_BYTES_MAX) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The detail of an error in the documented shape, for people. */
export function detailOf(json: unknown): string {
  const detail = isObject(json) ? json['detail'] : undefined
  return typeof detail === 'string' ? detail : 'The call failed.'
}
