/** A worker that knows no ClickHouse runs on while the events of its database go there. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Json } from '../../../src/core/json.ts'
import { moveHome } from '../../../src/event-store/months/home.ts'
import { beginReplication } from '../../../src/replication/lease.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { request, startStandalone } from '../../support/servers/product.ts'

const VIEWS: Json = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'seen' }],
  dateRange: { date_from: '-2d' },
}
const TABLE: Json = { kind: 'EventsQuery', select: ['event'] }

t.test('nobody is told less than there is', async (t) => {
  const { sql, url: database } = await testDatabase(t, { migrated: false })
  const { url, personalKey: key, projectKey } = await startStandalone(t, { DATABASE_URL: database })
  const uuid = randomUUID()
  const capture = (more: Json = {}) =>
    request(`${url}/capture/`, {
      body: { api_key: projectKey, event: 'seen', distinct_id: 'a', ...(more as object) },
    })
  const get = (path: string) => request(`${url}/api/projects/@current/${path}`, { key })
  const ask = (query: Json) =>
    request(`${url}/api/projects/@current/query/`, {
      key,
      body: { query, refresh: 'force_blocking' },
    })
  const reads = {
    list: () => get('events/'),
    'one event': () => get(`events/${uuid}/`),
    values: () => get('events/values/?key=plan'),
    export: () => get('events/?format=csv'),
    question: () => ask(VIEWS),
    table: () => ask(TABLE),
  }
  t.equal((await capture({ uuid, properties: { plan: 'free' } })).status, 200)
  for (const [name, read] of Object.entries(reads)) t.equal((await read()).status, 200, name)

  // As another worker does, which knows ClickHouse.
  await beginReplication(sql)
  await moveHome(sql)
  for (const [name, read] of Object.entries(reads)) {
    const { status, headers, body } = await read()
    t.equal(status, 503, name)
    t.ok(Number(headers.get('retry-after')) > 0)
    t.match(body, { type: 'server_error', code: 'service_unavailable', detail: /in ClickHouse/ })
  }
  t.equal((await capture()).status, 200, 'its month is in Postgres still')
  const decide = { api_key: projectKey, distinct_id: 'a' }
  t.equal((await request(`${url}/decide/?v=3`, { body: decide })).status, 200)
  t.equal((await get('feature_flags/')).status, 200)
})
