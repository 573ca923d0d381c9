/** Blocks that are on their way when the engine dies or its answer is lost. */
import t from 'tap'
import { type Block, insertBlock } from '../../src/clickhouse/block.ts'
import { sumDays } from '../../src/clickhouse/block-reader.ts'
import { ensureSchema } from '../../src/clickhouse/schema.ts'
import { monthOf } from '../../src/events/time/partition-month.ts'
import {
  columnEvents,
  columnStore,
  failureOf,
  freshDatabase,
  openColumns,
  rowsOf,
} from '../support/columns/column-store.ts'
import { startEngine } from '../support/columns/engine.ts'
import { readBlock } from '../support/columns/read-block.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'
import { pause, until } from '../support/until.ts'

const KILLS = 6
const ROWS = 20_000
const MONTH = monthOf('2026-03-04')

/** Inserts it until a status says that it is there. */
async function insertForSure(insert: () => Promise<unknown>): Promise<void> {
  await until('the block is there', async () => {
    await insert()
    return true
  })
}

t.test('killed at any moment of an insert, nothing is lost or doubled', async (t) => {
  const engine = await startEngine(t)
  const store = await columnStore(t, engine.url)
  const blocks: Block[] = []
  let cut = 0
  let takesMs = 0
  for (let number = 1; number <= KILLS * 2; number++) {
    const block = { number, events: columnEvents(ROWS) }
    blocks.push(block)
    if (number % 2 === 1) {
      const from = performance.now()
      await insertBlock(store, block)
      takesMs = performance.now() - from
      continue
    }
    // Two send it, as after a lease that ended while its holder was frozen.
    const sent = [insertBlock(store, block), insertBlock(store, block)]
    const settled = Promise.allSettled(sent)
    await pause(Math.random() * takesMs)
    await engine.kill()
    for (const { status } of await settled) if (status === 'rejected') cut += 1
    await engine.start()
    await insertForSure(() => insertBlock(store, block))
  }
  t.ok(cut > 0, `${cut} inserts were cut off`)
  t.equal(await rowsOf(store), KILLS * 2 * ROWS)
  for (const { number, events } of blocks) {
    const found = new Set<string>()
    for await (const { uuid } of readBlock(store, MONTH, number)) found.add(uuid)
    t.strictSame(found, new Set(events.map(({ uuid }) => uuid)), `block ${number}`)
  }
})

t.test('an answer that is lost doubles nothing', async (t) => {
  const engine = await startEngine(t)
  const proxy = await startTcpProxy(t, { port: Number(new URL(engine.url).port) })
  const url = new URL(await freshDatabase(t, engine.url))
  const direct = await openColumns(t, url.href)
  url.port = String(proxy.port)
  const store = await openColumns(t, url.href)
  await ensureSchema(direct)
  const block = { number: 1, events: columnEvents(ROWS) }
  const deaf = {
    ...store,
    insert: async (...args: Parameters<typeof store.insert>) => {
      proxy.lose(['down'])
      const sent = store.insert(...args)
      sent.catch(() => {})
      await until('it is stored', async () => (await rowsOf(direct)) === ROWS)
      await until('its answer is lost', () => proxy.hit() > 0)
      await proxy.restore()
      await sent
    },
  }
  t.match(await failureOf(insertBlock(deaf, block)), /^unreachable/)
  t.equal(await insertBlock(store, block), 'there')
  const [sum, ...others] = await sumDays(direct, MONTH)
  t.strictSame([sum?.count, others.length], [ROWS, 0])
})
