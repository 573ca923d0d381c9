/** A new instance with EVENTS_URL has its events in ClickHouse from the first one. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { freshDatabase } from '../../support/columns/column-store.ts'
import { commandsOf } from '../../support/columns/commands.ts'
import { startEngine } from '../../support/columns/engine.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { diskFolder } from '../../support/servers/folders.ts'
import {
  type Product,
  request,
  startStandalone,
  testFolder,
} from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'
import { until } from '../../support/until.ts'

t.setTimeout(300_000)

const SECRETS_KEY = '5'.repeat(64)

type Site = Pick<Product, 'url' | 'projectKey' | 'personalKey'>

function siteOf({ url, projectKey, personalKey: key }: Site) {
  const api = (path: string, body?: Json) =>
    request(`${url}/api/projects/@current/${path}`, {
      key,
      ...(body === undefined ? {} : { body }),
    })
  return {
    api,
    /** @returns the uuid. */
    async capture(distinctId: string, properties: Json = { plan: 'free' }): Promise<string> {
      const uuid = randomUUID()
      const event = { uuid, event: 'seen', distinct_id: distinctId, properties }
      const { status } = await request(`${url}/capture/`, {
        body: { api_key: projectKey, ...event },
      })
      if (status !== 200) throw new Error(`a capture was answered with ${status}`)
      return uuid
    },
    decide: () =>
      request(`${url}/decide/?v=3`, { body: { api_key: projectKey, distinct_id: 'a' } }),
    me: () => request(`${url}/api/users/@me/`, { key }),
    async total(): Promise<number> {
      const query = {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'seen', math: 'total' }],
        dateRange: { date_from: '-2d' },
        trendsFilter: { display: 'BoldNumber' },
      }
      const { status, body } = await api('query/', { query, refresh: 'force_blocking' })
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      const { results } = body as { results: readonly { aggregated_value: number }[] } // A trend.
      return results[0]?.aggregated_value ?? Number.NaN
    },
  }
}

async function engineOf(t: Test) {
  const folder = await mkdtemp(join(diskFolder(), 'sluice-keep-'))
  const engine = await startEngine(t, { folder: join(folder, 'data') })
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return { engine, database: await freshDatabase(t, engine.url) }
}

t.test('in ClickHouse from the first event', async (t) => {
  const { engine, database } = await engineOf(t)
  const { sql, url } = await testDatabase(t, { migrated: false })
  const product = await startStandalone(t, { DATABASE_URL: url, SECRETS_KEY, EVENTS_URL: database })
  const [site, run] = [siteOf(product), commandsOf(product)]
  const first = await site.capture('a', { plan: 'free', amount: 12.5 })
  t.match(await run('events', 'status'), { text: /home {5}ClickHouse\n/ })
  t.match(await run('events', 'move'), { status: 0 }, 'there is nothing to move')

  const second = await site.capture('b')
  const list = await site.api('events/')
  t.match(list.body, { count: 2, results: [{ id: second }, { id: first }] })
  t.match((await site.api(`events/${first}/`)).body, { id: first, properties: /"amount": 12.5/ })
  t.match(
    (
      await site.api(
        'events/?properties=%5B%7B%22key%22%3A%22plan%22%2C%22value%22%3A%22free%22%7D%5D',
      )
    ).body,
    { count: 2 },
  )
  t.equal(await site.total(), 2)
  const table = { kind: 'EventsQuery', select: ['event', 'properties.plan'] }
  t.match((await site.api('query/', { query: table })).body, {
    results: [
      ['seen', 'free'],
      ['seen', 'free'],
    ],
  })
  const csv = await site.api('events/?format=csv')
  t.equal(csv.status, 200)
  t.match(String(csv.body), new RegExp(first))
  const persons = await site.api('persons/')
  t.match(persons.body, { results: [{}, {}] })
  const verified = await run('events', 'verify')
  t.match(verified, { status: 0 }, JSON.stringify(verified))

  await t.test('while ClickHouse is away events are taken, and nobody is told less', async (t) => {
    await engine.kill()
    await site.capture('c')
    for (const path of ['events/', `events/${first}/`]) {
      const { status, headers } = await site.api(path)
      t.equal(status, 503, path)
      t.ok(Number(headers.get('retry-after')) > 0)
    }
    await t.rejects(site.total(), { message: /503/ })
    t.equal((await site.decide()).status, 200)
    t.equal((await site.me()).status, 200)
    t.equal((await site.api('feature_flags/')).status, 200)
    await engine.start()
    await until('it is answered again', async () => (await site.api('events/')).status === 200)
    t.match((await site.api('events/')).body, { count: 3 })
    t.equal(await site.total(), 3)
  })

  await t.test('a worker that does not know ClickHouse does not start', async (t) => {
    const folder = testFolder(t)
    const settings = { DATABASE_URL: url, SECRETS_KEY, DATA_DIR: folder, PORT: '0', GRPC_PORT: '0' }
    const { status, stdout, stderr } = await runCommand(['start'], settings)
    t.not(status, 0)
    t.match(`${stdout} ${stderr}`, /The events of this database are in ClickHouse/)
  })

  const [row] = await sql<{ count: number; keys: number }[]>`
    select (select count(*)::int from events) as count,
      (select count(*)::int from event_ledger) as keys`
  t.match(row, { count: 0, keys: 3 })
})
