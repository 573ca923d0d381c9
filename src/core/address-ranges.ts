import { BlockList, isIP } from 'node:net'
import { err, ok, type Result } from './result.ts'

export type HasAddress = (address: string) => boolean

/** Parses IPv4 and IPv6 addresses and CIDR ranges. The error is the first malformed entry. */
export function addressRanges(entries: readonly string[]): Result<HasAddress, string> {
  const list = new BlockList()
  for (const entry of entries) if (!addRange(list, entry)) return err(entry)
  if (entries.length === 0) return ok(() => false)
  return ok((address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  })
}

function addRange(list: BlockList, entry: string): boolean {
  const slash = entry.indexOf('/')
  const address = slash === -1 ? entry : entry.slice(0, slash)
  const version = isIP(address)
  if (version === 0) return false
  const bitsMax = version === 6 ? 128 : 32
  const bits = slash === -1 ? String(bitsMax) : entry.slice(slash + 1)
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax) return false
  list.addSubnet(address, Number(bits), version === 6 ? 'ipv6' : 'ipv4')
  return true
}
