import { isIP, SocketAddress } from 'node:net'
import { addressRanges } from '../../src/core/address-ranges.ts'
import { ok, type Result } from '../../src/core/result.ts'

/** Entries of `X-Forwarded-For` that are looked at, from the right. */
const FORWARDED_HOPS_MAX = 32

const MAPPED_PREFIX = '::ffff:'
const ENTRY_LENGTH_MAX = 128

/** Proxies whose `X-Forwarded-*` headers are trusted. */
export type TrustedProxies = { trusts(address: string): boolean }

/**
 * Reads `TRUSTED_PROXIES`: addresses and CIDR ranges, IPv4 and IPv6, separated by commas. The error
 * is the first entry that is neither. Empty text trusts nobody.
 */
export function parseTrustedProxies(text: string): Result<TrustedProxies, string> {
  const entries = text.split(',').map((part) => part.trim())
  const ranges = addressRanges(entries.filter((entry) => entry !== ''))
  return ranges.ok ? ok({ trusts: ranges.value }) : ranges
}

/**
 * Address of the client. `X-Forwarded-For` is read from right to left: each proxy appends the
 * address of its peer, and values that the client itself has sent are further left. An entry counts
 * while its author is trusted; the first untrusted address is the client's, or the leftmost where
 * all are trusted. A value that is no address ends the walk. In canonical form; an IPv4 address
 * inside IPv6 is given as IPv4. Empty when the peer is not known.
 * @param forwardedFor all headers of that name as one list.
 */
export function clientIp(proxies: TrustedProxies, peer: string, forwardedFor: string): string {
  let client = canonicalAddress(peer)
  let end = forwardedFor.length
  for (let hops = 0; hops < FORWARDED_HOPS_MAX && end > 0; hops++) {
    if (!proxies.trusts(client)) break
    const comma = forwardedFor.lastIndexOf(',', end - 1)
    const entry = addressOfEntry(forwardedFor.slice(comma + 1, end).trim())
    if (entry === '') break
    client = entry
    end = comma
  }
  return client
}

/** The part of a request that identifies its sender. */
type Sender = { readonly remoteAddress: string; headerList(name: string): string }

/** `clientIp` of a request. */
export function requestIp(proxies: TrustedProxies, request: Sender): string {
  return clientIp(proxies, request.remoteAddress, request.headerList('x-forwarded-for'))
}

/**
 * Peer that shares one quota: an IPv4 address, or an IPv6 network of 64 bits, which is the smallest
 * that a customer has.
 */
export function peerOf(proxies: TrustedProxies, request: Sender): string {
  const ip = requestIp(proxies, request)
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

function addressOfEntry(entry: string): string {
  return entry.length > ENTRY_LENGTH_MAX ? '' : canonicalAddress(withoutPort(entry))
}

/** Strips port and brackets: `1.2.3.4:5555`, `[2001:db8::1]:5555`, `[2001:db8::1]`. */
function withoutPort(entry: string): string {
  if (entry.startsWith('[')) {
    const end = entry.indexOf(']')
    const rest = entry.slice(end + 1)
    return end !== -1 && /^(?::\d{1,5})?$/.test(rest) ? entry.slice(1, end) : ''
  }
  const colon = entry.indexOf(':')
  const isIpv4WithPort = colon !== -1 && /^\d{1,5}$/.test(entry.slice(colon + 1))
  return isIpv4WithPort && entry.includes('.') ? entry.slice(0, colon) : entry
}

/** Empty for a text that is no address, or names a network interface. */
function canonicalAddress(address: string): string {
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : ''
  if (address.includes('%')) return ''
  // uWebSockets.js writes IPv6 in full; the same client must always have the same text.
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  const isMapped = short.startsWith(MAPPED_PREFIX) && short.includes('.')
  return isMapped ? short.slice(MAPPED_PREFIX.length) : short
}
