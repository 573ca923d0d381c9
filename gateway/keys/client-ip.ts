import { isIP, SocketAddress } from 'node:net'
import { addressRanges } from '../../src/core/address-ranges.ts'
import { ok, type Result } from '../../src/core/result.ts'

const MAPPED_PREFIX = '::ffff:'
const ENTRY_LENGTH_MAX = 128

/** Whose `X-Forwarded-*` headers are believed. */
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
 * Address of the client: the first entry of `X-Forwarded-For` when a trusted proxy is at the other
 * end and the entry is an address, else the peer. In canonical form; an IPv4 address inside IPv6 is
 * given as IPv4. Empty when the peer is not known.
 */
export function clientIp(proxies: TrustedProxies, peer: string, forwardedFor: string): string {
  const direct = canonicalAddress(peer)
  if (forwardedFor === '' || !proxies.trusts(direct)) return direct
  const comma = forwardedFor.indexOf(',')
  const entry = (comma === -1 ? forwardedFor : forwardedFor.slice(0, comma)).trim()
  if (entry.length > ENTRY_LENGTH_MAX) return direct
  return canonicalAddress(withoutPort(entry)) || direct
}

/** `1.2.3.4:5555`, `[2001:db8::1]:5555` and `[2001:db8::1]` without what is not the address. */
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

/** Empty for what is no address, or names a network interface. */
function canonicalAddress(address: string): string {
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : ''
  if (address.includes('%')) return ''
  // uWebSockets.js writes IPv6 in full; the same client must always have the same text.
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  const isMapped = short.startsWith(MAPPED_PREFIX) && short.includes('.')
  return isMapped ? short.slice(MAPPED_PREFIX.length) : short
}
