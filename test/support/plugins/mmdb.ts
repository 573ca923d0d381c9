/** Writes small databases in MaxMind's format: https://maxmind.github.io/MaxMind-DB/ */
import { isIPv4 } from 'node:net'

export type MmdbValue =
  | string
  | number
  | boolean
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue }

/** By network, as in `81.2.69.0/24`; none within another. */
export type MmdbNetworks = Readonly<Record<string, MmdbValue>>

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
const NODE_BYTES = 6

/** Target of a node's side: another node, an offset in the data, or nothing. */
type Side = { readonly node: number } | { readonly data: number } | undefined

export function mmdb(networks: MmdbNetworks, ipVersion: 4 | 6 = 6): Buffer {
  const nodes: [Side, Side][] = [[undefined, undefined]]
  const data: Buffer[] = []
  let offset = 0
  for (const [network, value] of Object.entries(networks)) {
    const encoded = encode(value)
    insert(nodes, bitsOf(network, ipVersion), { data: offset })
    data.push(encoded)
    offset += encoded.length
  }
  const tree = Buffer.alloc(nodes.length * NODE_BYTES)
  for (const [at, sides] of nodes.entries()) {
    for (const [side, to] of sides.entries()) {
      tree.writeUIntBE(pointerTo(to, nodes.length), at * NODE_BYTES + side * 3, 3)
    }
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: NODE_BYTES * 4,
    ip_version: ipVersion,
    database_type: 'Test-City',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'Test' },
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, MARKER, metadata])
}

function insert(nodes: [Side, Side][], bits: readonly number[], leaf: Side): void {
  let at = 0
  for (const [depth, bit] of bits.entries()) {
    const node = nodes[at]
    if (node === undefined) throw new Error('a node is missing')
    if (depth === bits.length - 1) {
      node[bit === 1 ? 1 : 0] = leaf
      return
    }
    const next = node[bit === 1 ? 1 : 0]
    if (next === undefined) {
      node[bit === 1 ? 1 : 0] = { node: nodes.length }
      at = nodes.length
      nodes.push([undefined, undefined])
    } else if ('node' in next) at = next.node
    else throw new Error('one network is within another')
  }
}

function pointerTo(side: Side, nodeCount: number): number {
  if (side === undefined) return nodeCount
  return 'node' in side ? side.node : nodeCount + 16 + side.data
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length = ''] = network.split('/')
  if (isIPv4(address)) {
    const bytes = address.split('.').map(Number)
    const own = bytes.flatMap((byte) => bitsOfNumber(byte, 8)).slice(0, Number(length))
    return ipVersion === 4 ? own : [...Array.from({ length: 96 }, () => 0), ...own]
  }
  const [left = '', right = ''] = address.split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === '' ? [] : right.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
  return groups.flatMap((group) => bitsOfNumber(group, 16)).slice(0, Number(length))
}

function bitsOfNumber(value: number, length: number): number[] {
  return Array.from({ length }, (_, at) => (value >> (length - 1 - at)) & 1)
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([control(2, text.length), text])
  }
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (typeof value === 'number') return encodeNumber(value)
  if (isList(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  const members = entries.flatMap(([key, each]) => [encode(key), encode(each)])
  return Buffer.concat([control(7, entries.length), ...members])
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  if (Number.isInteger(value) && value >= 0) {
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes.subarray(0, 4)])
  }
  bytes.writeDoubleBE(value)
  return Buffer.concat([control(3, 8), bytes])
}

function control(type: number, size: number): Buffer {
  const rest = size < 29 ? [] : [size - 29]
  const first = size < 29 ? size : 29
  return type < 8
    ? Buffer.from([(type << 5) | first, ...rest])
    : Buffer.from([first, type - 7, ...rest])
}

function isList(value: MmdbValue): value is readonly MmdbValue[] {
  return Array.isArray(value)
}
