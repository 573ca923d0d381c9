/** Makes requests on the hot path: fills a connection's own buffer and answers the length. */
export type RequestSource = {
  /** Bytes of the longest request. */
  readonly bytesMax: number
  /** Events in each request; 0 for requests that store nothing, and for a mix. */
  readonly eventsPerRequest: number
  /** Copies a prebuilt request into `target` and writes what must be new into it. */
  fill(target: Buffer): number
  /** True when the body of a 2xx answer is what the server must say to a request of that kind. */
  accepts(bytes: Buffer, start: number, end: number, kind: number): boolean
  /** Set where requests of several kinds are mixed. */
  readonly mix?: RequestMix
}

export type RequestMix = {
  readonly kinds: readonly RequestKind[]
  /** Index in `kinds` of what `fill` made last. */
  last(): number
}

export type RequestKind = {
  readonly name: string
  /** Events in each request; 0 for requests that store nothing. */
  readonly events: number
}

const STATUS_ONE = Buffer.from('{"status":1}')
const FEATURE_FLAGS = Buffer.from('"featureFlags":{')

/** `{"status":1}`, or an object that has more keys besides. */
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
  // The closing brace shows that the body was not cut; parsing each body would cost too much.
  if (at >= start && at < end && bytes[end - 1] === 125) return true
  const answer = parseObject(bytes, start, end)
  const flags = answer?.['featureFlags']
  return typeof flags === 'object' && flags !== null && !Array.isArray(flags)
}

function parseObject(
  bytes: Buffer,
  start: number,
  end: number,
): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // Not JSON: an invalid answer, which the caller counts.
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
