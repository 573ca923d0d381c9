import fc from 'fast-check'
import t from 'tap'
import {
  pluginEvent,
  processed,
  processedProperties,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const filter = (properties: string) => startBuiltin('property-filter', { properties })

t.test('named properties are removed, others stay', async (t) => {
  const instance = await filter('email, name\nphone')
  const left = await processedProperties(instance, { email: 'a@b.c', phone: 1, plan: 'pro' })
  t.strictSame(left, { plan: 'pro' })
})

t.test('a dot leads into objects and lists, and is part of a name as well', async (t) => {
  const instance = await filter('user.address.street, items.price')
  const left = await processedProperties(instance, {
    'user.address.street': 'flat',
    user: { address: { street: 'deep', city: 'Ulm' }, name: 'A' },
    items: [{ price: 1, sku: 'x' }, 7, [{ price: 2 }]],
  })
  t.strictSame(left, {
    user: { address: { city: 'Ulm' }, name: 'A' },
    items: [{ sku: 'x' }, 7, [{}]],
  })
})

t.test('changes of the person in an event lose them too', async (t) => {
  const instance = await filter('email')
  const event = pluginEvent(
    { $set: { email: 1, plan: 'pro' }, $set_once: { email: 2 } },
    { $set: { email: 3, a: 1 }, $set_once: { email: 4, b: 1 } },
  )
  await processed(instance, event)
  t.strictSame(event.properties, { $set: { plan: 'pro' }, $set_once: {} })
  t.strictSame(event.$set, { a: 1 })
  t.strictSame(event.$set_once, { b: 1 })
})

t.test('the address goes in both of its places, $set as a whole too', async (t) => {
  const event = pluginEvent({ $ip: '203.0.113.7', $set: { a: 1 } }, { $set: { a: 1 } })
  await processed(await filter('$ip, $set, $set_once'), event)
  t.strictSame(event.properties, {})
  t.equal(event.ip, null)
  t.notOk('$set' in event)
})

t.test('names of what every object inherits are names like others', async (t) => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
  const instance = await filter([...names, '__proto__.polluted', 'a.constructor'].join())
  const event = pluginEvent()
  event.properties = JSON.parse('{"__proto__": 1, "constructor": 2, "a": {}, "b": 3}')
  await processed(instance, event)
  t.equal(JSON.stringify(event.properties), '{"a":{},"b":3}')
  t.type({}.constructor, 'function')
})

t.test('no property of a name that is removed is left, whatever is around it', async (t) => {
  const instance = await filter('secret, a.secret')
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (around) => {
      const event = pluginEvent(JSON.parse(JSON.stringify({ ...around, secret: 1, a: around })))
      const expected = JSON.parse(JSON.stringify(event.properties))
      delete expected.secret
      delete expected.a.secret
      // Only these places are named by the two paths, but for those of persons.
      delete expected.$set?.secret
      await processed(instance, event)
      t.strictSame(event.properties, expected)
    }),
    { numRuns: 100 },
  )
})

t.test('settings that cannot be used fail the set-up', async (t) => {
  await refusedSettings(t, 'property-filter', [
    [{}, /"properties" is required/],
    [{ properties: ' ' }, /"properties" is required/],
    [{ properties: 7 }, /"properties" must be a list of texts/],
    [{ properties: ['a', 7] }, /must be a list/],
    [{ properties: 'x'.repeat(401) }, /an entry of more than 400 characters/],
    [{ properties: Array.from({ length: 201 }, (_, at) => `p${at}`) }, /more than 200 entries/],
  ])
})
