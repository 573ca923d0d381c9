import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { silentLog } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { answered, request, startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

/** Reads every event of two years, and the groups that they name. */
const YEARS = {
  kind: 'TrendsQuery',
  breakdownFilter: { breakdown: 'plan', breakdown_type: 'group', breakdown_group_type_index: 0 },
  series: [{ kind: 'EventsNode', event: null, math: 'dau' }],
  ...{ dateRange: { date_from: '2023-01-01', date_to: '2024-12-31' }, interval: 'week' },
}
const CALLERS = 100

t.test('questions that take too long, that are left, and whose worker is killed', async (t) => {
  const { sql, url, connection } = await testDatabase(t)
  // A statement behind the lock below waits until its time is up, as on a machine that is too slow.
  const patient = `${url}${url.includes('?') ? '&' : '?'}lock_timeout=0&statement_timeout=0`
  const product = await startStandalone(t, { DATABASE_URL: patient })
  await putEvents(sql, 1, [{ timestamp: '2024-01-01T00:00:00Z' }])
  const path = () => `${product.url}/api/projects/1/query/`
  const key = product.personalKey
  const ask = (body: object) => request(path(), { key, body })
  const running = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity where state = 'active'
        and datname = current_database() and application_name = 'sluice queries'`
    return row?.count ?? 0
  }
  const capture = async () => {
    const event = { api_key: product.projectKey, event: 'e', distinct_id: 'd' }
    return (await answered(`${product.url}/capture/`, { body: event })).status
  }
  const holding = createSql(connection, {
    ...{ applicationName: 'test', connectionsMax: 1, log: silentLog },
    idleInTransactionTimeoutMs: 0,
  })
  t.teardown(() => holding.end({ timeout: 0 }))

  await holding.begin(async (tx) => {
    // Captures do not need it.
    await tx`lock table groups in access exclusive mode`

    const leaving = new AbortController()
    const left = fetch(path(), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: YEARS }),
      signal: leaving.signal,
    })
    const gone = t.rejects(left, { name: 'AbortError' })
    while ((await running()) === 0) await setImmediate()
    leaving.abort()
    await gone
    while ((await running()) > 0) await setImmediate()
    t.pass('the statement of a client that has gone ends, whatever it waits for')

    const all = Promise.all(Array.from({ length: CALLERS }, () => ask({ query: YEARS })))
    while ((await running()) === 0) await setImmediate()
    t.equal(await capture(), 200, 'captures are stored meanwhile')
    t.ok((await running()) <= 2, 'equal questions are asked once, and once more')
    const answers = await all
    const cut = answers.filter(({ status }) => status === 400)
    t.ok(cut.length > 0)
    for (const { body } of cut) {
      t.match(body, { type: 'validation_error', code: 'query_timeout', detail: /shorter range/ })
    }
    for (const { status, headers } of answers.filter((each) => !cut.includes(each))) {
      t.equal(status, 429)
      t.match(headers.get('retry-after'), /^\d+$/)
    }

    const begun = await ask({ query: YEARS, refresh: 'async', client_query_id: 'years' })
    t.equal(begun.status, 202)
    while ((await running()) === 0) await setImmediate()
    product.process.kill('SIGKILL')
    await product.process.ended
  })

  await product.restart()
  const status = () => request(`${path()}years/`, { key })
  let last: unknown
  await until(
    'the question is said to be lost',
    async () => {
      const { body } = await status()
      last = body
      return JSON.stringify(body).includes('"complete":true')
    },
    { seen: () => last },
  )
  t.match(last, { query_status: { complete: true, error: true, error_code: 'query_lost' } })
  t.match(await ask({ query: YEARS }), { status: 200, body: { results: [{ label: /./ }] } })
})
