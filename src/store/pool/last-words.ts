/** Messages of the server begin with a byte of type and four of length, which count themselves. */
const ERROR = 'E'
const HEADER_BYTES = 5
/** More than the server says in its last message. */
const TAIL_BYTES = 4_096

/**
 * Why the server has ended a connection, by the last bytes that came: it sends an error of severity
 * FATAL or PANIC as its last message. The driver tells nobody. Undefined when there is none, or it
 * came in two pieces. https://www.postgresql.org/docs/current/protocol-error-fields.html
 */
export function lastWordsOf(
  bytes: Buffer | undefined,
): { readonly code: string; readonly message: string } | undefined {
  if (bytes === undefined) return undefined
  const tail = bytes.subarray(-TAIL_BYTES)
  for (let at = tail.length - HEADER_BYTES; at >= 0; at--) {
    if (tail[at] !== ERROR.charCodeAt(0)) continue
    if (at + 1 + tail.readUInt32BE(at + 1) !== tail.length) continue
    const fields = tail.toString('utf8', at + HEADER_BYTES).split('\0')
    const field = (tag: string) => fields.find((each) => each.startsWith(tag))?.slice(1)
    const severity = field('V')
    if (severity !== 'FATAL' && severity !== 'PANIC') continue
    return { code: field('C') ?? '', message: field('M') ?? '' }
  }
  return undefined
}
