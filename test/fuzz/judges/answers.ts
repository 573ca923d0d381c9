/** Rules of every HTTP answer. */
import type { RawResponse } from '../../support/http/raw-http.ts'
import { isRecord, jsonOf } from '../target.ts'

/** Refused work is answered so; its client comes again. */
const UNAVAILABLE = 503

/** Fault of an answer; undefined when there is none. */
export function faultOf({ status, headers, body }: RawResponse): string | undefined {
  const text = body.toString('utf8', 0, 500)
  const said = `${status} ${text}`
  if (!Number.isInteger(status) || status < 100 || status > 599) return `no status: ${said}`
  if (status === UNAVAILABLE)
    return headers.has('retry-after') ? undefined : `no Retry-After: ${said}`
  if (status >= 500 && status !== 501 && status !== 505) return said
  if (status < 400 || body.length === 0) return undefined
  return isDocumented(jsonOf(body.toString())) ? undefined : `not the shape of an error: ${said}`
}

/** The errors of the public and the management interface, and those of OFREP. */
function isDocumented(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { type, code, detail, attr, errorCode, errorDetails } = value
  if (typeof errorCode === 'string' || typeof errorDetails === 'string') return true
  const isText = [type, code, detail].every((each) => typeof each === 'string')
  return isText && (attr === undefined || attr === null || typeof attr === 'string')
}
