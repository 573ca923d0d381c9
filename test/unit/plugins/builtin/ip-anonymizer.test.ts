import { isIP } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { cutAddress } from '../../../../src/plugins/builtin/ip-anonymizer.ts'
import {
  pluginEvent,
  processed,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

t.test('an address is cut to its /24 or /48', (t) => {
  for (const [address, cut] of [
    ['203.0.113.7', '203.0.113.0'],
    ['255.255.255.255', '255.255.255.0'],
    ['0.0.0.0', '0.0.0.0'],
    ['::ffff:203.0.113.7', '203.0.113.0'],
    ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:db8:1234::'],
    ['2001:DB8:0:1::1', '2001:db8::'],
    ['2001:db8::1', '2001:db8::'],
    ['2001:0db8:0042::', '2001:db8:42::'],
    ['1:2:3:4:5:6:7::', '1:2:3::'],
    ['::2:3:4:5:6:7:8', '0:2:3::'],
    ['::1', '::'],
    ['::', '::'],
    ['64:ff9b::203.0.113.7', '64:ff9b::'],
    ['1::2:3:4:5:6:203.0.113.7', undefined],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3::'],
    ['fe80::1%eth0', 'fe80::'],
    ['203.0.113.7:80', undefined],
    ['unknown', undefined],
    ['', undefined],
    [7, undefined],
    [null, undefined],
  ] as const) {
    t.equal(cutAddress(address), cut, String(address))
  }
  t.end()
})

t.test('a cut address has one form, and cutting it again changes nothing', (t) => {
  const addresses = fc.oneof(fc.ipV4(), fc.ipV6())
  fc.assert(
    fc.property(addresses, (address) => {
      const cut = cutAddress(address)
      if (isIP(address) === 0) return cut === undefined
      return cut !== undefined && isIP(cut) !== 0 && cutAddress(cut) === cut
    }),
  )
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const bytes = (text: string | undefined) => text?.split('.').slice(0, 3)
      t.strictSame(bytes(cutAddress(address)), bytes(address))
    }),
  )
  t.end()
})

t.test('an event has the cut address in each of its places', async (t) => {
  const instance = await startBuiltin('ip-anonymizer')
  const event = pluginEvent({ $ip: '203.0.113.7', a: 1, $set: { $ip: '2001:db8:1:2::1' } })
  await processed(instance, event)
  t.equal(event.ip, '203.0.113.0')
  t.strictSame(event.properties, { $ip: '203.0.113.0', a: 1, $set: { $ip: '2001:db8:1::' } })
})

t.test('a text that is no address is not kept', async (t) => {
  const instance = await startBuiltin('ip-anonymizer', { mode: 'cut' })
  for (const ip of ['203.0.113.7, 10.0.0.1', 7, ['203.0.113.7'], null]) {
    const event = pluginEvent({ $ip: ip })
    await processed(instance, event)
    t.strictSame([event.ip, event.properties], [null, {}])
  }
})

t.test('an address is removed when asked for', async (t) => {
  const instance = await startBuiltin('ip-anonymizer', { mode: 'remove' })
  const event = pluginEvent({ $ip: '203.0.113.7', $set_once: { $ip: '203.0.113.7', b: 1 } })
  await processed(instance, event)
  t.strictSame([event.ip, event.properties], [null, { $set_once: { b: 1 } }])
})

t.test('an event without an address stays as it is', async (t) => {
  const instance = await startBuiltin('ip-anonymizer')
  const event = pluginEvent({ a: 1 })
  t.equal(await processed(instance, event), event)
  t.strictSame([event.ip, event.properties], [null, { a: 1 }])
})

t.test('a mode that is none fails the set-up', (t) =>
  refusedSettings(t, 'ip-anonymizer', [
    [{ mode: 'hash' }, /^The setting "mode" must be one of cut, remove\.$/],
    [{ mode: true }, /"mode" must be a text/],
  ]),
)
