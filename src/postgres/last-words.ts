/** Messages of the server begin with a byte of type and four of length, which count themselves. */
const ERROR = 'E'
const HEADER_BYTES = 5
/** Upper bound of the server's last message. */
const TAIL_BYTES = 4_096

/**
 * Finds in the last bytes received why the server has ended a connection: its last message is an
 * error of severity FATAL or PANIC, which the driver does not report. Undefined when there is none,
 * or it was received in two pieces.
 * https://www.postgresql.org/docs/current/protocol-error-fields.html
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
