/** The interface between a workload and the load generator. */
import { isObject } from '../../../src/core/json.ts'

/** Makes requests on the hot path: it fills a connection's own buffer and answers the length. */
export type RequestSource = {
  /** Bytes of the longest request. */
  readonly bytesMax: number
  /** Events in each request; 0 for requests that store nothing, and for a mix. */
  readonly eventsPerRequest: number
  /** Copies a prebuilt request into `target` and writes what must be new into it. */
  fill(target: Buffer): number
  /** True when the body of a 2xx answer is a correct answer to a request of that kind. */
  accepts(bytes: Buffer, start: number, end: number, kind: number): boolean
  /** Set where requests of several kinds are mixed. */
  readonly mix?: RequestMix
}

export type RequestMix = {
  readonly kinds: readonly RequestKind[]
  /** The index in `kinds` of the request that `fill` made last. */
  last(): number
}

export type RequestKind = {
  readonly name: string
  /** Events in each request; 0 for requests that store nothing. */
  readonly events: number
}

const STATUS_ONE = Buffer.from('{"status":1}')
const FEATURE_FLAGS = Buffer.from('"featureFlags":{')

/** `{"status":1}`, or an object with more keys. */
export function isCaptureAnswer(bytes: Buffer, start: number, end: number): boolean {
  const exact =
    end - start === STATUS_ONE.length && bytes.compare(STATUS_ONE, 0, 12, start, end) === 0
  if (exact) return true
  const answer = parseObject(bytes, start, end)
  return answer !== undefined && answer['status'] === 1
}

/** An object with `featureFlags`, which is an object too in the second version. */
export function isDecideAnswer(bytes: Buffer, start: number, end: number): boolean {
  const at = bytes.indexOf(FEATURE_FLAGS, start)
  // The closing brace shows that the body was not cut. Parsing each body would cost too much.
  if (at >= start && at < end && bytes[end - 1] === 125) return true
  const answer = parseObject(bytes, start, end)
  const flags = answer?.['featureFlags']
  return isObject(flags)
}

function parseObject(
  bytes: Buffer,
  start: number,
  end: number,
): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return isObject(value) ? value : undefined
  } catch {
    return undefined // Not JSON: an invalid answer, which the caller counts.
  }
}
