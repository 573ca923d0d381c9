/**
 * First value of a query parameter, decoded, or undefined. Reads the one name asked for: nearly
 * every request has no query, or one whose parameters nobody looks at. Broken escapes stay as they
 * are. Names are matched as written: no client escapes the ones we know.
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

/** Undoes percent escapes in place, and answers the part in use; what is no escape stays. */
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
