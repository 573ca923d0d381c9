import { PostHog } from 'posthog-node'
import t from 'tap'
import { type Product, request, startStandalone } from '../../support/servers/product.ts'

type StoredEvent = { event: string; distinct_id: string; properties: string; person: string | null }

async function events(product: Product, query: string): Promise<StoredEvent[]> {
  const url = `${product.url}/api/projects/1/events/?${query}`
  const { body } = await request(url, { key: product.personalKey })
  return (body as { results: StoredEvent[] }).results
}

t.test('a request of the current posthog-node is stored and decided', async (t) => {
  const product = await startStandalone(t)
  const client = new PostHog(product.projectKey, { host: product.url, flushInterval: 50 })
  t.teardown(() => client.shutdown())

  t.test('capture, with properties and a time', async (t) => {
    client.capture({
      distinctId: 'user 1',
      event: 'order placed',
      properties: { total: 12.5, items: ['a', 'b'], note: 'naïve ☃ 𝄞' },
      timestamp: new Date('2024-02-03T04:05:06.789Z'),
    })
    await client.flush()
    const [event] = await events(product, 'event=order%20placed')
    t.match(event, { distinct_id: 'user 1', event: 'order placed' })
    const properties = JSON.parse(event?.properties ?? '{}')
    t.match(properties, {
      total: 12.5,
      items: ['a', 'b'],
      note: 'naïve ☃ 𝄞',
      $lib: 'posthog-node',
    })
  })

  t.test('identify sets the person, alias joins another id to it', async (t) => {
    client.identify({ distinctId: 'user 1', properties: { email: 'u1@example.com', plan: 'pro' } })
    await client.flush()
    client.alias({ distinctId: 'user 1', alias: 'anonymous 1' })
    await client.flush()
    client.capture({ distinctId: 'anonymous 1', event: 'after alias' })
    await client.flush()
    const [event] = await events(product, 'event=after%20alias')
    t.match(JSON.parse(event?.person ?? '{}'), { properties: { email: 'u1@example.com' } })
    t.equal((await events(product, 'distinct_id=anonymous%201')).length >= 1, true)
  })

  t.test('groups are stored, and decide by their properties', async (t) => {
    client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { tier: 'gold' } })
    await client.flush()
    client.capture({ distinctId: 'user 1', event: 'in a group', groups: { company: 'acme' } })
    await client.flush()
    const [event] = await events(product, 'event=in%20a%20group')
    t.match(JSON.parse(event?.properties ?? '{}'), {
      $groups: { company: 'acme' },
      $group_0: 'acme',
    })
    const property = { key: 'tier', value: 'gold', type: 'group', group_type_index: 0 }
    await request(`${product.url}/api/projects/1/feature_flags/`, {
      key: product.personalKey,
      body: {
        key: 'for-gold',
        filters: {
          aggregation_group_type_index: 0,
          groups: [{ properties: [property], rollout_percentage: 100 }],
        },
      },
    })
    const groups = { company: 'acme' }
    t.equal(await client.isFeatureEnabled('for-gold', 'user 1', { groups }), true)
    t.equal(
      await client.isFeatureEnabled('for-gold', 'user 1', { groups: { company: 'x' } }),
      false,
    )
  })

  t.test('flags, variants and payloads', async (t) => {
    await request(`${product.url}/api/projects/1/feature_flags/`, {
      key: product.personalKey,
      body: {
        key: 'trial',
        filters: {
          groups: [
            {
              properties: [{ key: 'plan', value: 'pro', type: 'person' }],
              rollout_percentage: 100,
            },
          ],
          multivariate: { variants: [{ key: 'test', rollout_percentage: 100 }] },
          payloads: { test: '{"colour":"red"}' },
        },
      },
    })
    t.equal(await client.getFeatureFlag('trial', 'user 1'), 'test')
    t.equal(await client.getFeatureFlag('trial', 'anonymous 1'), 'test', 'the same person')
    t.equal(await client.getFeatureFlag('trial', 'a stranger'), false)
    t.strictSame(await client.getFeatureFlagPayload('trial', 'user 1'), { colour: 'red' })
    const all = await client.getAllFlags('user 1')
    t.match(all, { trial: 'test' })
    await client.flush()
    const called = await events(product, 'event=%24feature_flag_called')
    const responses = called.map(({ properties }) => JSON.parse(properties))
    t.ok(
      responses.some(
        (each) => each.$feature_flag === 'trial' && each.$feature_flag_response === 'test',
      ),
    )
  })
})
