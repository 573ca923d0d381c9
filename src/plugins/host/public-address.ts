/**
 * Which addresses a plugin, or what installs one, may reach: nothing of the instance's own network.
 */
import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const RESERVED = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // Behind a provider's address translation.
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // Link-local, and where clouds answer with credentials.
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // Multicast, reserved, broadcast.
] as const) {
  RESERVED.addSubnet(network, prefix, 'ipv4')
}
/** What IPv6 holds within the public range that is special or leads to an IPv4 address. */
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  RESERVED.addSubnet(network, prefix, 'ipv6')
}
const GLOBAL_UNICAST = new BlockList()
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6')

export type AllowsAddress = (address: string) => boolean

/** False for loopback, private, link-local and special addresses, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !RESERVED.check(address, 'ipv4')
  if (family !== 6) return false
  return GLOBAL_UNICAST.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6')
}

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * A look-up for sockets that answers allowed addresses only. It is the connection's own, so that no
 * second look-up can answer something else. A socket to an address in digits asks nobody: check
 * those beforehand.
 */
export function guardedLookup(allows: AllowsAddress): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '', 0)
        return
      }
      const allowed = found.filter(({ address }) => allows(address))
      const [first] = allowed
      if (first === undefined) callback(new AddressRefused('no public address'), '', 0)
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
