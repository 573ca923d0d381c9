/** The product with its events in ClickHouse, as an operator runs it. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  columnServer,
  freshDatabase,
  openColumns,
  rowsOf,
} from '../support/columns/column-store.ts'
import { commandsOf } from '../support/columns/commands.ts'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

const server = await columnServer(t)

async function capture({ url, projectKey }: Product, count: number): Promise<void> {
  const batch = Array.from({ length: count }, () => {
    return { event: 'seen', uuid: randomUUID(), distinct_id: randomUUID(), properties: { a: 1 } }
  })
  const { status } = await request(`${url}/batch/`, { body: { api_key: projectKey, batch } })
  if (status !== 200) throw new Error(`the batch was answered with ${status}`)
}

t.test('events reach ClickHouse, and commands tell of it', async (t) => {
  const url = await freshDatabase(t, server)
  const columns = await openColumns(t, url)
  const product = await startStandalone(t, { EVENTS_URL: url })
  const run = commandsOf(product)
  await capture(product, 25)
  await until('they are there', async () => (await rowsOf(columns)) === 25)
  await until('it says so', async () => {
    return /^state {4}shipping\n[\s\S]*waiting {2}nothing\n/.test(
      (await run('events', 'status')).text,
    )
  })
  t.match(await request(`${product.url}/api/cluster/copy/`, { key: product.personalKey }), {
    ...{ status: 200, body: { configured: true, state: 'shipping', waiting_events: 0, gaps: [] } },
  })
  t.match(await run('events', 'verify'), { status: 0, text: /25 events, the same in both/ })
  await columns.command(`delete from ${columns.database}.events where 1`)
  const found = await run('events', 'verify')
  t.match(found, { status: 1, text: /ClickHouse has 0 of 25 events\n {2}missing blocks: 1/ })
  const moved = await run('events', 'move')
  t.match(moved, { status: 0, text: /differ[\s\S]*25 events, the same in both/ }, moved.text)
  await until('they are there again', async () => (await rowsOf(columns)) === 25)
  t.match(await run('events', 'verify', '--json'), { status: 0, text: /"events":25/ })
  t.match(await run('events', 'verify', '--month', 'May'), { status: 2, stderr: /not a month/ })
})

t.test(
  'a ClickHouse that is not there harms nothing, and is told without the password',
  async (t) => {
    const wrong = 'http://somebody:hunter2@127.0.0.1:9/nowhere'
    const product = await startStandalone(t, { EVENTS_URL: wrong })
    const run = commandsOf(product)
    await capture(product, 10)
    await until('it is told', async () => {
      return /unreachable: ClickHouse does not answer/.test((await run('events', 'status')).text)
    })
    const status = await run('status', '--check')
    t.match(status, { status: 1, text: /The copy of events is not kept \(unreachable\)/ })
    t.match(await run('events', 'verify'), { status: 1, stderr: /ClickHouse does not answer/ })
    await capture(product, 10)
    t.notMatch(JSON.stringify(product.process.lines), /hunter2/)
  },
)

t.test('without a copy the commands say so', async (t) => {
  const run = commandsOf(await startStandalone(t))
  t.match(await run('events', 'status'), { status: 1, stderr: /EVENTS_URL is not set/ })
})
