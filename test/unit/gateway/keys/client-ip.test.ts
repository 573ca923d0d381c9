import fc from 'fast-check'
import t from 'tap'
import {
  clientIp,
  parseTrustedProxies,
  peerOf,
  type TrustedProxies,
} from '../../../../gateway/keys/client-ip.ts'

function trusted(text: string): TrustedProxies {
  const result = parseTrustedProxies(text)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

t.test('a list with an entry that is no range names it', async (t) => {
  for (const entry of [
    'proxy',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/a',
    '10.0.0/8',
    '*',
  ]) {
    t.same(parseTrustedProxies(`127.0.0.1, ${entry}`), { ok: false, error: entry })
  }
})

t.test('forwarded addresses are believed from trusted proxies only', async (t) => {
  const proxies = trusted('127.0.0.1, 10.0.0.0/8,2001:db8::/32,')
  const rows: [peer: string, forwardedFor: string, expected: string][] = [
    ['8.8.8.8', '1.2.3.4', '8.8.8.8'],
    ['2001:db9::1', '1.2.3.4', '2001:db9::1'],
    ['', '1.2.3.4', ''],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '1.2.3', '127.0.0.1'],
    ['127.0.0.1', '1.2.3.4:x', '127.0.0.1'],
    ['127.0.0.1', '[::1', '127.0.0.1'],
    ['127.0.0.1', '[1.2.3.4]x', '127.0.0.1'],
    ['127.0.0.1', 'fe80::1%eth0', '127.0.0.1'],
    ['127.0.0.1', `${'1'.repeat(200)}`, '127.0.0.1'],
    ['127.0.0.1', ',1.2.3.4', '1.2.3.4'],
    ['127.0.0.1', '1.2.3.4,', '127.0.0.1'],
    ['127.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['127.0.0.1', ' 1.2.3.4 , 10.6.7.8', '1.2.3.4'],
    ['127.0.0.1', '1.2.3.4:80,[2001:db8::7]:443,10.6.7.8:1234', '1.2.3.4'],
    ['127.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.9.8.7', '1.2.3.4:5555', '1.2.3.4'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '[2001:DB9::5]:443', '2001:db9::5'],
    ['2001:db8::1', '2001:db9::5', '2001:db9::5'],
    ['2001:db8::1', '[2001:db9:0::5]', '2001:db9::5'],
    ['::ffff:10.0.0.1', '::ffff:1.2.3.4', '1.2.3.4'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '1.2.3.4', '1.2.3.4'],
  ]
  for (const [peer, forwardedFor, expected] of rows) {
    t.equal(clientIp(proxies, peer, forwardedFor), expected, `${forwardedFor} from ${peer}`)
  }
})

t.test('an entry that a client writes before that of its proxy is not believed', async (t) => {
  const proxies = trusted('127.0.0.1, 10.0.0.0/8')
  const forged = ['6.6.6.6', '127.0.0.1', '10.0.0.1', '[::1]:5', 'unknown', '', 'x'.repeat(300)]
  for (const entry of forged) {
    t.equal(clientIp(proxies, '127.0.0.1', `${entry}, 9.9.9.9`), '9.9.9.9', entry)
    t.equal(clientIp(proxies, '127.0.0.1', `${entry}, 9.9.9.9, 10.0.0.7`), '9.9.9.9', entry)
  }
  t.equal(clientIp(proxies, '127.0.0.1', '6.6.6.6, unknown, 10.0.0.7'), '10.0.0.7')
  const many = Array.from({ length: 4_000 }, () => '10.0.0.1').join()
  t.equal(clientIp(proxies, '127.0.0.1', `6.6.6.6,${many}`), '10.0.0.1', 'the walk is bounded')
})

t.test('a peer is an IPv4 address or an IPv6 network of 64 bits', async (t) => {
  const proxies = trusted('10.0.0.0/8')
  const peer = (remoteAddress: string, forwarded = '') =>
    peerOf(proxies, { remoteAddress, headerList: () => forwarded })
  t.equal(peer('192.0.2.1'), '192.0.2.1')
  t.equal(peer('10.0.0.1', '192.0.2.7'), '192.0.2.7')
  t.equal(peer('10.0.0.1', '6.6.6.6, 192.0.2.7'), '192.0.2.7', 'as its proxy wrote it')
  t.equal(peer('2001:db8:1:2::1'), '2001:db8:1:2')
  t.equal(peer('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  t.equal(peer('2001:db8::5'), '2001:db8:0:0')
  t.equal(peer('::1'), '0:0:0:0')
  t.equal(peer(''), '')
})

t.test('nobody is trusted by default', async (t) => {
  t.equal(clientIp(trusted(' '), '127.0.0.1', '1.2.3.4'), '127.0.0.1')
})

t.test('every IPv4 address comes through, no text makes it throw', async (t) => {
  const proxies = trusted('0.0.0.0/0,::/0')
  fc.assert(
    fc.property(fc.ipV4(), fc.nat(65_535), (address, port) => {
      return clientIp(proxies, '9.9.9.9', `${address}:${port}, 1.1.1.1`) === address
    }),
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6()), fc.string(), (peer, forwardedFor) => {
      return !/[^0-9a-f.:]/.test(clientIp(proxies, peer, forwardedFor))
    }),
  )
  t.pass()
})
