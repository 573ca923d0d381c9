import { PostHog } from 'posthog-node'
import t, { type Test } from 'tap'
import { answered, type Product, request, startStandalone } from '../../support/servers/product.ts'

type Seen = { readonly path: string; readonly status: number; readonly etag: string | null }

/** The library with its own poll switched off in effect, and what it has asked for so far. */
function library(t: Test, product: Product, options: { personalApiKey?: string; token?: string }) {
  const seen: Seen[] = []
  const errors: string[] = []
  const { token = product.projectKey, personalApiKey } = options
  const client = new PostHog(token, {
    host: product.url,
    featureFlagsPollingInterval: 3_600_000,
    sendFeatureFlagEvent: false,
    ...(personalApiKey === undefined ? {} : { personalApiKey }),
    fetch: async (url, init) => {
      const response = await fetch(url, init as RequestInit)
      const { pathname: path } = new URL(url)
      seen.push({ path, status: response.status, etag: response.headers.get('etag') })
      return response
    },
  })
  client.on('error', (error: unknown) => errors.push(String(error)))
  t.teardown(() => client.shutdown())
  return { client, seen, errors }
}

t.test('the current posthog-node with a personal key', async (t) => {
  const product = await startStandalone(t)
  const flagsUrl = `${product.url}/api/projects/1/feature_flags/`
  const key = product.personalKey
  const make = async (body: object) => {
    const made = await request(flagsUrl, { key, body })
    t.equal(made.status, 201, JSON.stringify(made.body))
    return (made.body as { id: number }).id
  }
  const oneSet = (...properties: object[]) => ({ groups: [{ properties }] })
  await answered(`${product.url}/capture/`, {
    body: {
      api_key: product.projectKey,
      event: 'seen',
      distinct_id: 'somebody',
      properties: { $groups: { company: 'acme' } },
    },
  })
  const simple = await make({
    key: 'simple',
    filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
  })
  await make({ key: 'off', active: false })
  await make({
    key: 'for-pro',
    filters: {
      ...oneSet({ key: 'plan', value: 'pro', type: 'person' }),
      multivariate: { variants: [{ key: 'blue', rollout_percentage: 100 }] },
      payloads: { blue: '{"colour":"blue"}' },
    },
  })
  await make({
    key: 'dependent',
    filters: oneSet({
      ...{ key: String(simple), type: 'flag', value: true, operator: 'flag_evaluates_to' },
    }),
  })
  await make({
    key: 'not-false',
    filters: oneSet({ key: 'trial', value: 'false', type: 'person' }),
  })
  await make({
    key: 'by-company',
    filters: { groups: [{ rollout_percentage: 50 }], aggregation_group_type_index: 0 },
  })

  t.test('evaluates by the definitions as the server does, without asking it', async (t) => {
    const { client, seen } = library(t, product, { personalApiKey: key })
    t.equal(await client.waitForLocalEvaluationReady(), true)
    const asking = library(t, product, {})
    const values = new Set<unknown>()
    for (let at = 0; at < 20; at++) {
      const plan = at % 2 === 0 ? 'pro' : 'free'
      const personProperties = { plan, trial: at % 3 === 0 ? 'no' : 'false' }
      const about = { personProperties, groups: { company: `company ${at}` } }
      const own = await client.getAllFlags(`user ${at}`, { ...about, onlyEvaluateLocally: true })
      const served = await asking.client.getAllFlags(`user ${at}`, about)
      // The server leaves out what is switched off; the library says that it is false.
      t.same(own, { ...served, off: false }, `user ${at}`)
      values.add(own['simple']).add(own['by-company']).add(own['for-pro'])
    }
    t.same(values, new Set([true, false, 'blue']), 'with more than one outcome')
    const payload = await client.getFeatureFlagPayload('for-pro', 'user 0', undefined, {
      personProperties: { plan: 'pro' },
      onlyEvaluateLocally: true,
    })
    t.strictSame(payload, { colour: 'blue' })
    t.same(new Set(seen.map(({ path }) => path)), new Set(['/flags/definitions']))
  })

  t.test('is told that nothing has changed, and of what has', async (t) => {
    const { client, seen, errors } = library(t, product, { personalApiKey: key })
    // The first of them waits for the load that the library has begun by itself.
    for (let load = 0; load < 3; load++) await client.reloadFeatureFlags()
    t.same(
      seen.map(({ status }) => status),
      [200, 304, 304],
    )
    const [first, second] = seen
    t.match(first?.etag, /^W\/"/)
    t.equal(second?.etag, first?.etag)
    const locally = () => client.isFeatureEnabled('off', 'user', { onlyEvaluateLocally: true })
    t.equal(await locally(), false, 'the definitions are kept')
    const off = `${flagsUrl}${await idOf('off')}/`
    await request(off, { method: 'PATCH', key, body: { active: true } })
    await client.reloadFeatureFlags()
    t.equal(seen.at(-1)?.status, 200)
    t.not(seen.at(-1)?.etag, first?.etag)
    t.equal(await locally(), true)
    await request(off, { method: 'PATCH', key, body: { active: false } })
    t.same(errors, [])
  })

  async function idOf(wanted: string): Promise<number | undefined> {
    const { body } = await request(`${flagsUrl}?limit=1000`, { key })
    const { results } = body as { results: { id: number; key: string }[] }
    return results.find((each) => each.key === wanted)?.id
  }

  t.test('gets payloads of flags by name', async (t) => {
    const payloads: [name: string, saved: unknown, given: unknown][] = [
      ['an-object', '{"a":[1,2.5,null]}', { a: [1, 2.5, null] }],
      ['a-text', '"plain words"', 'plain words'],
      ['a-number', '12.5', 12.5],
      ['parsed', { b: true }, { b: true }],
    ]
    for (const [name, payload] of payloads) {
      await make({ key: name, filters: { groups: [{}], payloads: { true: payload } } })
    }
    const hidden = { groups: [{}], payloads: { true: '{"secret":1}' } }
    await make({ key: 'hidden', filters: hidden, has_encrypted_payloads: true })
    const { client, seen } = library(t, product, { personalApiKey: key })
    for (const [name, , given] of payloads) {
      t.strictSame(await client.getRemoteConfigPayload(name), given, name)
    }
    t.strictSame(await client.getRemoteConfigPayload('hidden'), { secret: 1 })
    t.equal(await client.getRemoteConfigPayload('simple'), null, 'there is none')
    t.equal(await client.getRemoteConfigPayload('off'), null, 'it is switched off')
    // The library hands on whatever JSON comes, so an error must at least say that it is one.
    t.match(await client.getRemoteConfigPayload('nothing'), { code: 'not_found' })
    const asked = seen.filter(({ path }) => path.endsWith('/nothing/remote_config'))
    t.match(asked, [{ path: /^\/api\/projects\/@current\/feature_flags\//, status: 404 }])
    const served = await client.getAllFlagsAndPayloads('user', { flagKeys: ['hidden'] })
    t.equal(served.featureFlags?.['hidden'], true)
  })

  t.test('decide does not give a payload that is encrypted', async (t) => {
    const { client } = library(t, product, {})
    const { featureFlags, featureFlagPayloads } = await client.getAllFlagsAndPayloads('user')
    t.equal(featureFlags?.['hidden'], true)
    t.equal(featureFlagPayloads?.['hidden'], undefined)
    t.strictSame(featureFlagPayloads?.['an-object'], { a: [1, 2.5, null] })
  })

  t.test('says what is wrong with its key, and asks the server instead', async (t) => {
    const keys = `${product.url}/api/personal_api_keys/`
    const made = await request(keys, { key, body: { label: 'other', scopes: ['plugin:write'] } })
    const { value } = made.body as { value: string }
    const wrong: [name: string, options: Parameters<typeof library>[2], status: number][] = [
      ['a bad key', { personalApiKey: 'phx_nobody_has_this_one' }, 401],
      ['a key with another scope', { personalApiKey: value }, 403],
      ['the key of another project', { personalApiKey: key, token: 'phc_nobody_has_this' }, 403],
    ]
    for (const [name, options, status] of wrong) {
      const { client, seen, errors } = library(t, product, options)
      await client.reloadFeatureFlags()
      t.equal(client.isLocalEvaluationReady(), false, name)
      const polls = seen.filter(({ path }) => path === '/flags/definitions')
      t.ok(polls.length >= 1, `${name}: it has asked`)
      t.ok(
        polls.every((each) => each.status === status),
        `${name}: ${JSON.stringify(polls)}`,
      )
      t.match(errors[0], status === 401 ? /key is invalid/ : /does not have permission/, name)
      const local = { onlyEvaluateLocally: true }
      t.equal(await client.isFeatureEnabled('for-pro', 'user', local), undefined, name)
      if (options.token !== undefined) continue
      const person = { personProperties: { plan: 'pro' } }
      t.equal(await client.getFeatureFlag('for-pro', 'user', person), 'blue', name)
    }
  })
})
