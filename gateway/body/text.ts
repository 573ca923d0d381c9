/** Turns the bytes of a body into text. */

const BYTE_ORDER_MARK = 0xfeff

/**
 * UTF-8 text of a body, without its byte order mark. Some clients encode emoji as two surrogates of
 * three bytes each (CESU-8), which UTF-8 forbids: those are put together again, and a lone one is
 * left for the text clean-up. Other broken bytes become U+FFFD.
 */
export function textOf(bytes: Buffer): string {
  const text = encodedSurrogateAt(bytes, 0) === -1 ? bytes.toString('utf8') : lenientText(bytes)
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}

function lenientText(bytes: Buffer): string {
  const parts: string[] = []
  let start = 0
  for (let at = encodedSurrogateAt(bytes, 0); at !== -1; at = encodedSurrogateAt(bytes, start)) {
    if (at > start) parts.push(bytes.toString('utf8', start, at))
    const unit = 0xd000 | (((bytes[at + 1] ?? 0) & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f)
    parts.push(String.fromCharCode(unit))
    start = at + 3
  }
  parts.push(bytes.toString('utf8', start))
  return parts.join('')
}

/** Index of the next surrogate encoded as three bytes, or -1. */
function encodedSurrogateAt(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xed, start); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0
    const third = bytes[at + 2] ?? 0
    if (second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) return at
  }
  return -1
}
