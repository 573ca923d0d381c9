/** Text of a peer's address: 4 or 16 bytes in network order. Empty for any other length. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return ''
  if (isMappedV4(bytes)) return bytes.subarray(12).join('.')
  const groups: string[] = []
  for (let at = 0; at < 16; at += 2) {
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
  }
  return shortenZeros(groups)
}

/** Removes the IPv6 prefix of a mapped IPv4 address, as dual-stack sockets report it. */
export function plainAddress(text: string): string {
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice(7) : text
}

function isMappedV4(bytes: Uint8Array): boolean {
  return bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((b) => b === 0)
}

/** The longest run of two or more zero groups, the first of equals, becomes `::` (RFC 5952). */
function shortenZeros(groups: readonly string[]): string {
  let best = { at: 0, length: 1 }
  for (let at = 0; at < groups.length; at++) {
    let end = at
    while (groups[end] === '0') end++
    if (end - at > best.length) best = { at, length: end - at }
  }
  if (best.length < 2) return groups.join(':')
  const head = groups.slice(0, best.at).join(':')
  return `${head}::${groups.slice(best.at + best.length).join(':')}`
}
