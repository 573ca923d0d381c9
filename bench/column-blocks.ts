/**
 * How fast does ClickHouse take blocks of events? Inserts blocks of each size, one after another,
 * into a database of its own that is dropped at the end; reads one back and adds all up, as a
 * verification does. Also what one event costs this process before it is sent.
 *
 *   npx tsx bench/column-blocks.ts --url http://127.0.0.1:8123 [--seconds 10] [--sizes 10000,50000]
 */
import { Command } from 'commander'
import { type Block, insertBlock } from '../src/clickhouse/block.ts'
import { readBlock, sumDays } from '../src/clickhouse/block-reader.ts'
import type { ColumnEvent } from '../src/clickhouse/column-event.ts'
import { type ColumnStore, connectColumns } from '../src/clickhouse/connect.ts'
import { ensureSchema } from '../src/clickhouse/schema.ts'
import { monthOf } from '../src/events/time/partition-month.ts'
import { jsonbText } from '../test/support/columns/jsonb-text.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { createRowMaker, type Row } from './roofline/rows.ts'

type Options = { readonly url: string; readonly seconds: number; readonly sizes: string }

await new Command('column-blocks')
  .requiredOption('--url <url>', 'of a ClickHouse server')
  .option('--seconds <count>', 'for each size', wholeNumber(1, 3_600), 10)
  .option('--sizes <list>', 'rows of a block', '1000,10000,50000')
  .action(run)
  .parseAsync()

async function run({ url, seconds, sizes }: Options): Promise<void> {
  process.stdout.write(`${JSON.stringify({ ...readEnvironment(), seconds })}\n`)
  const server = await connectColumns(url)
  const database = `sluice_bench_${process.pid}`
  await server.command(`create database ${database}`)
  const target = new URL(url)
  target.pathname = database
  const store = await connectColumns(target.href)
  try {
    await ensureSchema(store)
    let number = 0
    for (const size of sizes.split(',').map(Number)) {
      const blocks = await insertFor(store, number, size, seconds)
      number += blocks
    }
    await verify(store, number)
    print('bytes an event on disk', await bytesAnEvent(store))
  } finally {
    await store.close()
    await server.command(`drop database ${database}`)
    await server.close()
  }
}

/** Inserts blocks of one size; answers how many. */
async function insertFor(
  store: ColumnStore,
  last: number,
  size: number,
  seconds: number,
): Promise<number> {
  const makeRows = createRowMaker(last + 1, 4)
  let [blocks, makingMs, insertMs] = [0, 0, 0]
  let cpuUs = 0
  while (insertMs < seconds * 1_000) {
    const rows = makeRows(size)
    const from = performance.now()
    const block = { number: last + blocks + 1, events: rows.map(eventOf) }
    const made = performance.now()
    const cpu = process.cpuUsage()
    await insertBlock(store, block)
    const { user, system } = process.cpuUsage(cpu)
    cpuUs += user + system
    makingMs += made - from
    insertMs += performance.now() - made
    blocks += 1
  }
  const events = blocks * size
  print(`blocks of ${size}: events/s`, (events * 1_000) / insertMs)
  print(`blocks of ${size}: us an event here, jsonb text`, (makingMs * 1_000) / events)
  print(`blocks of ${size}: us an event here, sending`, cpuUs / events)
  return blocks
}

function eventOf({ projectId, uuid, event, distinctId, timestamp, properties }: Row): ColumnEvent {
  const text = jsonbText(properties)
  if (!text.ok) throw new Error(text.error)
  const at = timestamp.replace('Z', '000Z')
  const texts = { uuid, event, distinctId, elementsChain: '' }
  return { projectId, ...texts, timestamp: at, properties: text.value, createdAt: at }
}

async function verify(store: ColumnStore, last: Block['number']): Promise<void> {
  const month = monthOf(new Date().toISOString())
  const from = performance.now()
  const sums = await sumDays(store, month)
  const summed = performance.now()
  const events = sums.reduce((all, { count }) => all + count, 0)
  print('sums of a month: M events/s', events / (summed - from) / 1_000)
  let rows = 0
  for await (const _ of readBlock(store, month, last)) rows += 1
  print('a block read back: events/s', (rows * 1_000) / (performance.now() - summed))
}

async function bytesAnEvent(store: ColumnStore): Promise<number> {
  const [[bytes] = []] = await store.rows(
    `select sum(bytes_on_disk) / sum(rows) from system.parts
    where database = {database: String} and active`,
    { database: store.database },
  )
  return Number(bytes)
}

function print(what: string, figure: number): void {
  process.stdout.write(`${what.padEnd(48)}${figure.toFixed(1).padStart(12)}\n`)
}
