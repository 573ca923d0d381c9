/** Blocks of events in ClickHouse: exact, once, whole. */
import { Readable } from 'node:stream'
import t from 'tap'
import { BLOCK_ROWS_MAX, type Block, countBlock, insertBlock } from '../../src/clickhouse/block.ts'
import type { ColumnStore } from '../../src/clickhouse/connect.ts'
import { InvariantError } from '../../src/core/code.ts'
import { monthOf } from '../../src/events/time/partition-month.ts'
import {
  columnEvent,
  columnEvents,
  columnServer,
  columnStore,
  failureOf,
  rowsOf,
} from '../support/columns/column-store.ts'
import { readBlock } from '../support/columns/read-block.ts'

const server = await columnServer(t)

t.test('a block that is sent again is there once', async (t) => {
  const store = await columnStore(t, server)
  const block = { number: 1, events: columnEvents(500) }
  t.equal(await insertBlock(store, block), 'inserted')
  t.equal(await insertBlock(store, block), 'there')
  t.equal(await insertBlock(store, { number: 2, events: columnEvents(3) }), 'inserted')
  t.equal(await rowsOf(store), 503)
})

t.test('a block that several send at once is there once', async (t) => {
  const store = await columnStore(t, server)
  for (let number = 1; number <= 5; number++) {
    const block = { number, events: columnEvents(2_000) }
    await Promise.all([1, 2, 3, 4].map(() => insertBlock(store, block)))
    t.equal(await countBlock(store, monthOf(block.events[0]?.timestamp ?? ''), number), 2_000)
  }
  t.equal(await rowsOf(store), 10_000)
})

t.test('a worker that counted before another stored the block doubles nothing', async (t) => {
  const store = await columnStore(t, server)
  const block = { number: 7, events: columnEvents(100) }
  const late: ColumnStore = { ...store, rows: async () => [['0']] }
  t.equal(await insertBlock(store, block), 'inserted')
  t.equal(await insertBlock(late, block), 'inserted', 'as it was told')
  t.equal(await rowsOf(store), 100)
})

t.test('a block whose token ClickHouse has forgotten is recognised by its rows', async (t) => {
  const store = await columnStore(t, server)
  const block = { number: 7, events: columnEvents(100) }
  await insertBlock(store, block)
  const table = `${store.database}.events`
  await store.command(`alter table ${table} modify setting non_replicated_deduplication_window = 0`)
  t.equal(await insertBlock(store, block), 'there')
  t.equal(await rowsOf(store), 100)
})

t.test('equal events of two blocks are both there', async (t) => {
  const store = await columnStore(t, server)
  const events = columnEvents(10)
  await insertBlock(store, { number: 1, events })
  await insertBlock(store, { number: 2, events })
  t.equal(await rowsOf(store), 20)
})

t.test('a block that is there in part is told, and nothing is sent', async (t) => {
  const store = await columnStore(t, server)
  const block = { number: 3, events: columnEvents(10) }
  await insertBlock(store, block)
  const [{ uuid } = columnEvent()] = block.events
  await store.command(`delete from ${store.database}.events where uuid = '${uuid}'`)
  t.equal(
    await failureOf(insertBlock(store, block)),
    'broken_block: block 3 has 9 rows of 10: neither none nor all',
  )
  t.equal(await rowsOf(store), 9)
  const more = { number: 3, events: block.events.slice(0, 5) }
  t.match(await failureOf(insertBlock(store, more)), /^broken_block: block 3 has 9 rows of 5/)
  t.equal(await rowsOf(store), 9)
})

t.test('a large block is one part', async (t) => {
  const store = await columnStore(t, server)
  // A server whose own settings cut what is inserted into small pieces.
  const cut = { max_insert_block_size: 1_000, min_insert_block_size_rows: 1_000 }
  const cutting: ColumnStore = {
    ...store,
    insert: (sql, data, settings) =>
      store.insert(sql, data, { min_insert_block_size_bytes: 10_000, ...cut, ...settings }),
  }
  const events = columnEvents(100_000, { elementsChain: 'a'.repeat(400) })
  await insertBlock(cutting, { number: 1, events })
  const parts = await store.rows(
    `select toString(rows), toString(level) from system.parts
    where database = {database: String} and table = 'events'`,
    { database: store.database },
  )
  t.strictSame(parts, [['100000', '0']])
})

t.test('a block that ends in the middle is not there', async (t) => {
  const store = await columnStore(t, server)
  const block = { number: 1, events: columnEvents(20_000) }
  const cutting: ColumnStore = {
    ...store,
    insert: (sql, data, settings) => store.insert(sql, Readable.from(cut(data)), settings),
  }
  await t.rejects(insertBlock(cutting, block))
  t.equal(await rowsOf(store), 0)
  t.equal(await insertBlock(store, block), 'inserted')
  t.equal(await rowsOf(store), 20_000)
})

async function* cut(data: Readable): AsyncGenerator<Buffer> {
  let pieces = 0
  for await (const piece of data) {
    yield Buffer.from(piece)
    pieces += 1
    if (pieces === 3) throw new Error('the sender is gone')
  }
}

t.test('a row that ClickHouse refuses takes its whole block along', async (t) => {
  const store = await columnStore(t, server)
  await store.command(
    `alter table ${store.database}.events add constraint c check event != 'refused'`,
  )
  const events = [...columnEvents(5), columnEvent({ event: 'refused' })]
  t.match(await failureOf(insertBlock(store, { number: 1, events })), /^failed: .*VIOLATED_CON/)
  t.equal(await rowsOf(store), 0)
})

t.test('a block outside its bounds is a mistake of who made it', async (t) => {
  const store = await columnStore(t, server)
  const one = columnEvent()
  const large = columnEvent({ properties: JSON.stringify({ a: 'b'.repeat(1_000_000) }) })
  const wrong: readonly Block[] = [
    { number: 1, events: [] },
    { number: 0, events: [one] },
    { number: 1.5, events: [one] },
    { number: 1, events: Array.from({ length: BLOCK_ROWS_MAX + 1 }, () => one) },
    { number: 1, events: Array.from({ length: 257 }, () => large) },
    { number: 1, events: [one, columnEvent({ timestamp: '2026-04-01T00:00:00.000000Z' })] },
  ]
  for (const block of wrong) await t.rejects(insertBlock(store, block), InvariantError)
  t.equal(await rowsOf(store), 0)
})

t.test('days before 2000 share a month, and so do those from 2100 on', async (t) => {
  const store = await columnStore(t, server)
  const events = ['0001-01-01', '1850-06-01', '1965-06-01', '1999-12-31'].map((day) =>
    columnEvent({ timestamp: `${day}T23:59:59.999999Z` }),
  )
  await insertBlock(store, { number: 1, events })
  const found: string[] = []
  for await (const { timestamp } of readBlock(store, 'old', 1)) found.push(timestamp)
  t.strictSame(
    found,
    events.map(({ timestamp }) => timestamp),
  )
  t.equal(monthOf('2100-01-01T00:00:00.000000Z'), 'far')
  t.equal(monthOf('2099-12-31T00:00:00.000000Z'), 'y2099m12')
})
