import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/core/log.ts'
import { partitionOf } from '../../../src/event-store/months/partitions.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { createContractClient } from '../../support/api/contract-client.ts'
import { makeUser } from '../../support/api/management.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { type Product, request, startStandalone } from '../../support/servers/product.ts'

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
  // A lookup of an event then waits for its lock for ever, unless who asked for it leaves.
  const patient = `${url}${url.includes('?') ? '&' : '?'}lock_timeout=0&statement_timeout=0`
  const product = await startStandalone(t, { DATABASE_URL: patient })
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
    await leavingEndsQueries(t, product, sql)
    const statuses = new Map<number, number>()
    const leaving = new AbortController()
    let isOver = false
    let onRefusal = () => {}
    const refusal = new Promise<void>((resolve) => {
      onRefusal = resolve
    })
    const attack = async (query: string) => {
      while (!isOver) {
        const path = `${slow}${query}after=2023-12-31&before=2024-01-02`
        const status = await askUntil(leaving.signal, path, product.personalKey)
        if (status === undefined) return
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
    leaving.abort()
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

/** The status, or undefined when `signal` came first. */
async function askUntil(
  signal: AbortSignal,
  url: string,
  key: string,
): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** Callers of queries that wait leave, over REST and gRPC: the database ends what it did for them. */
async function leavingEndsQueries(t: Test, product: Product, sql: Sql): Promise<void> {
  const { url, personalKey: key, process } = product
  const running = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity where state = 'active'
        and datname = current_database() and application_name = 'sluice queries'`
    return row?.count ?? 0
  }
  const client = createContractClient(`127.0.0.1:${process.ports.grpc}`)
  t.teardown(() => client.close())
  const metadata = { authorization: `Bearer ${key}` }
  // A uuid of version 7, made on the day that is locked.
  const id = '018cc251-f400-7000-8000-000000000000'
  const asks: ((signal: AbortSignal) => Promise<unknown>)[] = [
    (signal) => askUntil(signal, `${url}/api/projects/@current/events/${id}/`, key),
    (signal) =>
      client.call(
        '/sluice.v1.EventService/GetEvent',
        { project_id: '@current', id },
        { metadata, signal },
      ),
  ]
  for (const ask of asks) {
    const caller = new AbortController()
    const asked = ask(caller.signal)
    while ((await running()) === 0) await setImmediate()
    caller.abort()
    await asked
    while ((await running()) > 0) await setImmediate()
  }
  t.pass('nothing runs for callers who have left')
}
