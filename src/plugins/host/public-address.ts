/**
 * Decides which addresses plugins and installs of plugins may reach: none of the instance's own
 * network.
 */
import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

const RESERVED = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // Behind a provider's address translation.
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // A cloud's own service on each of its machines, in the public range.
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
/** Special parts of IPv6's public range, and those that lead to an IPv4 address. */
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

/**
 * False for loopback, private, link-local and special addresses, and for texts that are no address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !RESERVED.check(address, 'ipv4')
  if (family !== 6) return false
  return GLOBAL_UNICAST.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6')
}

/**
 * As `isPublicAddress`, and false for the machine's own addresses, where its services may listen.
 * @param interfaces read each time, because they change.
 */
export function isForeignAddress(
  address: string,
  interfaces: typeof networkInterfaces = networkInterfaces,
): boolean {
  if (!isPublicAddress(address)) return false
  // A list, because an IPv6 address has many spellings.
  const own = new BlockList()
  for (const each of Object.values(interfaces()).flatMap((entries) => entries ?? [])) {
    own.addAddress(each.address, each.family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  return !own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * A look-up for sockets that answers allowed addresses only. The socket itself makes it, so that no
 * second look-up can answer otherwise. A socket to a literal address makes no look-up: check such
 * an address before.
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
