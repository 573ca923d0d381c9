import t from 'tap'
import { silentLog } from '../../../src/core/log.ts'
import { partitionOf } from '../../../src/store/ingest/partitions.ts'
import { createSql } from '../../../src/store/pool/connect.ts'
import { makeUser } from '../../support/api/management.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { request, startStandalone } from '../../support/servers/product.ts'

/** Calls of one organization that are sent again and again. */
const ATTACKS = 40
const EXPRESSION = `${'replace('.repeat(20)}properties.x${", 'a', 'aa')".repeat(20)}`
const QUERIES = [
  '?',
  '?limit=1000&',
  `?where=${encodeURIComponent(`length(${EXPRESSION}) > 1`)}&`,
  `?select=${encodeURIComponent(EXPRESSION)}&`,
  `?properties=${encodeURIComponent('[{"key":"x","operator":"icontains","value":"b"}]')}&`,
  '?format=csv&',
]

t.test('queries of one organization leave the calls of all others alone', async (t) => {
  const { sql, url, connection } = await testDatabase(t)
  const product = await startStandalone(t, { DATABASE_URL: url })
  const victim = await makeUser(sql, 'victim@example.com')
  const attacked = { timestamp: '2024-01-01T00:00:00Z', properties: { x: 'ab'.repeat(1_000) } }
  const [own] = await sql<{ id: number }[]>`
    select id from projects where api_token = ${product.projectKey}`
  await putEvents(sql, own?.id ?? 0, [attacked])
  await putEvents(sql, victim.project?.id ?? 0, [{ timestamp: '2024-03-01T00:00:00Z' }])
  const eventsOf = (project: number) => `${product.url}/api/projects/${project}/events/`
  const slow = eventsOf(own?.id ?? 0)

  const holding = createSql(connection, {
    ...{ applicationName: 'test', connectionsMax: 1, log: silentLog },
    idleInTransactionTimeoutMs: 0,
  })
  t.teardown(() => holding.end({ timeout: 0 }))
  await holding.begin(async (tx) => {
    // Queries over this day wait for as long as they may: no processor is fast enough for them.
    await tx`lock table ${tx(partitionOf(attacked.timestamp).name)} in access exclusive mode`
    const statuses = new Map<number, number>()
    let isOver = false
    let onRefusal = () => {}
    const refusal = new Promise<void>((resolve) => {
      onRefusal = resolve
    })
    const attack = async (query: string) => {
      while (!isOver) {
        const path = `${slow}${query}after=2023-12-31&before=2024-01-02`
        const { status } = await request(path, { key: product.personalKey })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 429) onRefusal()
      }
    }
    const attacks = Array.from({ length: ATTACKS }, (_, index) =>
      attack(QUERIES[index % QUERIES.length] ?? '?'),
    )
    // Once calls are refused, every place is taken and everybody who may wait does.
    await refusal

    const project = victim.project?.id ?? 0
    const key = victim.personalApiKey
    const bounds = 'after=2024-02-28&before=2024-03-02'
    for (const path of [
      `${product.url}/api/projects/${project}/`,
      `${product.url}/api/projects/${project}/feature_flags/`,
      `${eventsOf(project)}?${bounds}`,
      `${eventsOf(project)}?${bounds}&select=event&where=${encodeURIComponent("event = 'e'")}`,
      `${eventsOf(project)}?${bounds}&format=csv`,
      `${product.url}/api/projects/${project}/event_definitions/`,
      `${product.url}/api/users/@me/`,
    ]) {
      t.equal((await request(path, { key })).status, 200, path)
    }
    const flags = `${product.url}/api/projects/${project}/feature_flags/`
    t.equal((await request(flags, { key, body: { key: 'beta' } })).status, 201)
    const ownFlags = `${product.url}/api/projects/${own?.id}/feature_flags/`
    t.equal((await request(ownFlags, { key: product.personalKey })).status, 200)
    isOver = true
    await Promise.all(attacks)
    t.notOk(statuses.has(200), 'no attack was answered meanwhile')
    t.same(
      [...statuses.keys()].filter((status) => ![400, 429, 503].includes(status)),
      [],
    )
  })
  const refused = await Promise.all(
    Array.from({ length: 80 }, () => request(slow, { key: product.personalKey })),
  )
  t.ok(
    refused.every(({ status }) => status === 200 || status === 429),
    'and they are answered once they can be',
  )
})
