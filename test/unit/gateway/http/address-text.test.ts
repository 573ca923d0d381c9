import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { addressText, plainAddress } from '../../../../gateway/http/address-text.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

t.test('bytes of no address have no text', async (t) => {
  for (const length of [0, 3, 5, 15, 17]) t.equal(addressText(new Uint8Array(length)), '')
})

t.test('addresses are written in their usual form', async (t) => {
  const cases: Record<string, string> = {
    '7f000001': '127.0.0.1',
    '0000000000000000 0000ffff c0a80001': '192.168.0.1',
    '0000000000000000 0000000000000000': '::',
    '0000000000000000 0000000000000001': '::1',
    '20010db800000000 0000000000000001': '2001:db8::1',
    '20010db800000001 0001000100010001': '2001:db8:0:1:1:1:1:1',
    '20010db800000000 0001000000000001': '2001:db8::1:0:0:1',
    'fe80000000000000 0000000000000000': 'fe80::',
  }
  for (const [hex, text] of Object.entries(cases)) t.equal(addressText(bytes(hex)), text)
})

t.test('sixteen bytes survive being written', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (address) => {
      const text = addressText(address)
      if (text.includes('.')) return
      t.ok(isIPv6(text), text)
      t.same(readGroups(text), [...new Uint16Array(address.buffer.slice(0))].map(swap))
    }),
  )
})

t.test('an IPv4 address in the dress of IPv6 is undressed', async (t) => {
  t.equal(plainAddress('::ffff:10.0.0.1'), '10.0.0.1')
  t.equal(plainAddress('::ffff:0:1'), '::ffff:0:1')
  t.equal(plainAddress('10.0.0.1'), '10.0.0.1')
})

function readGroups(text: string): number[] {
  const [head = '', tail] = text.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)))
  if (tail === undefined) return read(head)
  const [left, right] = [read(head), read(tail)]
  return [...left, ...Array(8 - left.length - right.length).fill(0), ...right]
}

function swap(group: number): number {
  return ((group & 0xff) << 8) | (group >> 8)
}
