/** A real client and this server under refusals, lost answers and a database that fails. */
import type { PostHog } from 'posthog-node'
import t, { type Test } from 'tap'
import { EVENT_BYTES_MAX } from '../../src/events/event-size.ts'
import { type TestDatabase, testDatabase } from '../support/servers/database.ts'
import { freeze } from '../support/servers/freeze.ts'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { startSplit } from '../support/servers/split.ts'
import { observedClient, until } from './support/observed.ts'
import { startProxy } from './support/proxy.ts'

/** Nearly the most that an event may have; 20 of them fit into a body, and 21 do not. */
const LARGE_EVENT_BYTES = 1_000_000
const LARGE_EVENTS_OF_BODY = 20

type Place = { readonly product: Product; readonly database: TestDatabase }

async function startPlace(t: Test): Promise<Place> {
  const database = await testDatabase(t)
  return { database, product: await startStandalone(t, { DATABASE_URL: database.url }) }
}

/** Ids of the stored events of a name, one for each row. */
async function storedIds({ database }: Place, event: string): Promise<string[]> {
  const rows = await database.sql<{ uuid: string }[]>`
    select uuid from events where event = ${event} order by uuid`
  return rows.map(({ uuid }) => uuid)
}

t.test('posthog-node in trouble', async (t) => {
  const place = await startPlace(t)
  const { product, database } = place

  for (const isPacked of [true, false]) {
    const event = isPacked ? 'large, packed' : 'large'
    t.test(`a batch over the limit is halved until it fits: ${event}`, async (t) => {
      const options = { flushAt: 1_000, disableCompression: !isPacked }
      const { client, statuses, errors, ids } = observedClient(t, product, options)
      const big = 'x'.repeat(LARGE_EVENT_BYTES)
      for (let index = 0; index <= LARGE_EVENTS_OF_BODY; index++) {
        client.capture({ distinctId: 'ann', event, properties: { index, big } })
      }
      await client.flush()
      t.strictSame(judged(statuses), [413, 200, 200, 200], '21 were too many; 10, 10 and 1 not')
      t.strictSame(errors, [])
      t.strictSame(await storedIds(place, event), [...ids].sort(), 'each is stored once')
    })
  }

  t.test('an event over the limit is given up alone, and the others are stored', async (t) => {
    const { client, statuses, errors, ids } = observedClient(t, product)
    const event = 'beside one over the limit'
    for (let index = 0; index < 8; index++) {
      const big = 'x'.repeat(index === 5 ? EVENT_BYTES_MAX : 1)
      client.capture({ distinctId: 'ann', event, properties: { index, big } })
    }
    await t.rejects(client.flush(), /status=413/)
    t.strictSame(judged(statuses), [413, 200, 413, 413, 200, 413], 'of 8, 4, 4, 2, 1 and 1')
    t.equal(errors.length, 1)
    t.match(errors[0], 'status=413')
    await client.flush()
    t.strictSame(judged(statuses).slice(6), [200, 200], 'what waited behind it')
    t.equal(errors.length, 1, 'it says so once')
    const others = ids.filter((_, index) => index !== 5)
    t.strictSame(await storedIds(place, event), others.sort(), 'each other is stored once')
  })

  t.test('a batch whose answers are lost is sent again, and stored once', async (t) => {
    const seen: number[] = []
    const url = await startProxy(t, product.url, ({ path, status }) => {
      if (path !== '/batch/') return 'pass'
      return seen.push(status) <= 3 ? 'lose' : 'pass'
    })
    const { client, statuses, errors, ids } = observedClient(t, { ...product, url })
    const event = 'answer lost'
    for (let index = 0; index < 20; index++) client.capture({ distinctId: 'ann', event })
    await client.flush()
    t.strictSame(seen, [200, 200, 200, 200], 'the server has acknowledged it four times')
    t.strictSame(statuses, [0, 0, 0, 200], 'the client has heard of one')
    t.strictSame(errors, [])
    t.strictSame(await storedIds(place, event), [...ids].sort())
  })

  t.test('an event refused while Postgres is dead is stored once it is back', async (t) => {
    const { client, statuses, errors, ids } = observedClient(t, product)
    const event = 'while Postgres was dead'
    await database.pg.kill('SIGKILL')
    for (let index = 0; index < 20; index++) client.capture({ distinctId: 'ann', event })
    const flushed = client.flush()
    await until(t, 'the client has tried twice', () => refusals(statuses) >= 2)
    await database.pg.restart()
    await flushed
    t.strictSame(errors, [])
    t.strictSame(await storedIds(place, event), [...ids].sort())
  })

  t.test('an event that a frozen Postgres may have stored already is stored once', async (t) => {
    const { client, statuses, errors, ids } = observedClient(t, product)
    const event = 'while Postgres was frozen'
    await database.pg.freeze()
    for (let index = 0; index < 20; index++) client.capture({ distinctId: 'ann', event })
    const flushed = client.flush()
    await until(t, 'the client is refused', () => refusals(statuses) >= 1)
    await database.pg.resume()
    await flushed
    t.strictSame(errors, [])
    t.strictSame(await storedIds(place, event), [...ids].sort())
  })

  t.test('a client with a wrong key drops its events and says so, and asks once', async (t) => {
    const stranger = { url: product.url, projectKey: 'phc_nobody_knows_this_key' }
    const { client, statuses, errors } = observedClient(t, stranger)
    client.capture({ distinctId: 'ann', event: 'of a stranger' })
    await t.rejects(client.flush(), /status=401/)
    await client.flush()
    t.strictSame(statuses, [401])
    t.equal(errors.length, 1)
    t.match(errors[0], 'status=401')
    t.strictSame(await storedIds(place, 'of a stranger'), [])
  })

  t.test('a flag whose person cannot be read is off, and is back by itself', async (t) => {
    const property = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' }
    await createFlag(t, product, 'for-pro', [property])
    const { client } = observedClient(t, product)
    client.identify({ distinctId: 'bob', properties: { plan: 'pro' } })
    await client.flush()
    await database.pg.kill('SIGKILL')
    t.notOk(await flagOf(client, 'for-pro'))
    await database.pg.restart()
    await until(t, 'the flag is back', async () => (await flagOf(client, 'for-pro')) === true)
  })
})

t.test('flags of a gateway without its worker are undefined, and back by themselves', async (t) => {
  const database = await testDatabase(t)
  const split = await startSplit(t, database.url)
  await createFlag(t, split, 'for-everybody', [])
  const options = { featureFlagsRequestTimeoutMs: 20_000 }
  const { client, statuses } = observedClient(t, split, options)
  freeze(split.worker.pid)
  t.teardown(() => split.worker.kill('SIGCONT'))
  t.equal(await flagOf(client, 'for-everybody'), undefined)
  t.strictSame(statuses, [503], 'and is not asked for again and again')
  split.worker.kill('SIGCONT')
  const isBack = async () => (await flagOf(client, 'for-everybody')) === true
  await until(t, 'the flag is back', isBack)
})

async function createFlag(
  t: Test,
  { url, personalKey: key }: Pick<Product, 'url' | 'personalKey'>,
  name: string,
  properties: readonly object[],
): Promise<void> {
  const filters = { groups: [{ properties, rollout_percentage: 100 }] }
  const body = { key: name, filters }
  const made = await request(`${url}/api/projects/1/feature_flags/`, { key, body })
  t.equal(made.status, 201)
}

function flagOf(client: PostHog, key: string) {
  return client.getFeatureFlag(key, 'bob', { sendFeatureFlagEvents: false })
}

/** Answers to judged bodies: a busy machine may be late with megabytes, which are sent again. */
function judged(statuses: readonly number[]): readonly number[] {
  return statuses.filter((status) => status !== 503)
}

function refusals(statuses: readonly number[]): number {
  return statuses.filter((status) => status === 503).length
}
