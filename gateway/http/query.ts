/**
 * First value of a query parameter, decoded; `undefined` when missing. Only the requested name is
 * searched: most requests have no query. Broken escapes stay as they are. Names are compared
 * without decoding: no client escapes the names that the product knows.
 */
export function queryValue(query: string, name: string): string | undefined {
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next === -1 ? query.length : next
    if (query.startsWith(name, start)) {
      const at = start + name.length
      if (at === end) return ''
      if (query[at] === '=') return unescapeText(query.slice(at + 1, end))
    }
    start = end + 1
  }
  return undefined
}

/** Undoes `application/x-www-form-urlencoded`: `+` is a space, broken escapes stay. */
export function unescapeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // A broken escape or bytes that are not UTF-8: decode what can be.
    return unescapeBytes(Buffer.from(spaced, 'utf8')).toString('utf8')
  }
}

/** Decodes percent escapes in place and returns the used part; broken escapes stay. */
export function unescapeBytes(source: Buffer): Buffer {
  if (!source.includes(37)) return source
  let length = 0
  for (let at = 0; at < source.length; at++, length++) {
    const byte = source[at] ?? 0
    const high = byte === 37 ? hexDigit(source[at + 1]) : -1
    const low = high === -1 ? -1 : hexDigit(source[at + 2])
    if (low === -1) {
      source[length] = byte
    } else {
      source[length] = high * 16 + low
      at += 2
    }
  }
  return source.subarray(0, length)
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
