import { createHmac } from 'node:crypto'
import t from 'tap'
import {
  pluginEvent,
  processed,
  processedProperties,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const hash = (text: string, salt = 'pepper') =>
  createHmac('sha256', salt).update(text).digest('hex')

t.test('values of named properties become their SHA-256 with the salt', async (t) => {
  const settings = { salt: 'pepper', properties: 'email, user.id, list' }
  const instance = await startBuiltin('property-hasher', settings)
  const left = await processedProperties(instance, {
    email: 'a@b.c',
    user: { id: 5, plan: 'pro' },
    list: [1, { a: 2 }],
    other: 'stays',
  })
  t.strictSame(left, {
    email: hash('a@b.c'),
    user: { id: hash('5'), plan: 'pro' },
    list: hash('[1,{"a":2}]'),
    other: 'stays',
  })
})

t.test('the hash is one that others can compute', async (t) => {
  const settings = { salt: 'pepper', properties: 'email' }
  const instance = await startBuiltin('property-hasher', settings)
  t.strictSame(await processedProperties(instance, { email: 'a@b.c' }), {
    // printf a@b.c | openssl dgst -sha256 -hmac pepper
    email: 'c4c5568d8408b3497e7fe99d55c681d064653c34f49351269842abefda1a50af',
  })
})

t.test('persons have the same hash, which is not hashed again', async (t) => {
  const settings = { salt: 'pepper', properties: 'email, $set.email, email' }
  const instance = await startBuiltin('property-hasher', settings)
  const shared = { email: 'a@b.c' }
  const event = pluginEvent({ email: 'a@b.c', $set_once: { email: 'a@b.c' } })
  event.properties['$set'] = shared
  event.$set = shared
  await processed(instance, event)
  const hashed = { email: hash('a@b.c') }
  t.strictSame(event.properties, { ...hashed, $set_once: hashed, $set: hashed })
  t.strictSame(event.$set, hashed)
})

t.test('another salt makes another hash, and nothing stays nothing', async (t) => {
  const settings = { salt: 'other', properties: ['email', 'none'] }
  const instance = await startBuiltin('property-hasher', settings)
  t.strictSame(await processedProperties(instance, { email: 'a@b.c', none: null }), {
    email: hash('a@b.c', 'other'),
    none: null,
  })
})

t.test(
  'the distinct id is hashed when asked for, with every name of the same person',
  async (t) => {
    const settings = { salt: 'pepper', hash_distinct_id: 'yes' }
    const instance = await startBuiltin('property-hasher', settings)
    const identify = pluginEvent(
      { distinct_id: 'u1', $anon_distinct_id: 'anon', $user_id: 'u1', alias: 'stays', x: 1 },
      { event: '$identify' },
    )
    await processed(instance, identify)
    t.equal(identify.distinct_id, hash('u1'))
    t.strictSame(identify.properties, {
      distinct_id: hash('u1'),
      $anon_distinct_id: hash('anon'),
      $user_id: hash('u1'),
      alias: 'stays',
      x: 1,
    })
    const alias = pluginEvent({ alias: 'u2' }, { event: '$create_alias' })
    await processed(instance, alias)
    t.strictSame(alias.properties, { alias: hash('u2') })
  },
)

t.test('it stays when it is not asked for', async (t) => {
  const instance = await startBuiltin('property-hasher', { salt: 'pepper', properties: 'a' })
  const event = pluginEvent({ distinct_id: 'u1' })
  await processed(instance, event)
  t.equal(event.distinct_id, 'u1')
  t.strictSame(event.properties, { distinct_id: 'u1' })
})

t.test('a hashed address is not kept beside its hash', async (t) => {
  const instance = await startBuiltin('property-hasher', { salt: 'pepper', properties: '$ip' })
  const event = pluginEvent({ $ip: '203.0.113.7' })
  await processed(instance, event)
  t.strictSame([event.ip, event.properties], [null, { $ip: hash('203.0.113.7') }])
})

t.test('settings that cannot be used fail the set-up, the salt unsaid', async (t) => {
  await refusedSettings(t, 'property-hasher', [
    [{}, /^The setting "salt" is required\.$/],
    [{ salt: '' }, /"salt" is required/],
    [{ salt: { key: 'geheim' } }, /^The setting "salt" must be a text\.$/],
    [{ salt: 'x', hash_distinct_id: 'maybe' }, /^The setting "hash_distinct_id" must be one of/],
  ])
})
