/**
 * How fast does a worker bring to ClickHouse what has waited for it? Fills the outbox of a Postgres
 * of its own with flushes of the load generator, then ships them into a database of its own that is
 * dropped at the end.
 *
 *   npx tsx bench/event-copy.ts --url http://127.0.0.1:8123 [--events 200000] [--rows 500]
 */
import { Command } from 'commander'
import { systemClock as clock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import { silentLog as log } from '../src/core/log.ts'
import { createReleasers } from '../src/core/releasers.ts'
import { openCopy, runShipper } from '../src/store/event-copy/copying.ts'
import { beginCopy } from '../src/store/event-copy/lease.ts'
import { measureOutbox } from '../src/store/event-copy/outbox-bounds.ts'
import { connectColumns } from '../src/store/events-clickhouse/connect.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { openOwnStore } from './load/machine/own-store.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import { createEventMaker } from './load/workload/parsed-events.ts'

type Options = { readonly url: string; readonly events: number; readonly rows: number }

const LOOK_MS = 20

await new Command('event-copy')
  .requiredOption('--url <url>', 'of a ClickHouse server')
  .option('--events <count>', 'that wait', wholeNumber(1, 10_000_000), 200_000)
  .option('--rows <count>', 'events of a flush', wholeNumber(1, 10_000), 500)
  .action(run)
  .parseAsync()

async function run({ url, events, rows }: Options): Promise<void> {
  const releasers = createReleasers(log)
  try {
    process.stdout.write(`${JSON.stringify({ ...readEnvironment(), events, rows })}\n`)
    const { sql, store } = await openOwnStore(releasers, true)
    await beginCopy(sql)
    const make = createEventMaker({ shape: 'site', seed: 1 })
    for (let stored = 0; stored < events; stored += rows) {
      const batch = make(rows).map((event) => ({ projectId: projectId(1), event, batch: 0 }))
      await store.flush(0, batch)
    }
    const before = await measureOutbox(sql)
    print('bytes an event in the outbox', before.bytes / before.events)
    const server = await connectColumns(url)
    releasers.push('server', () => server.close())
    const database = `sluice_bench_${process.pid}`
    await server.command(`create database ${database}`)
    releasers.push('database', () => server.command(`drop database ${database}`))
    const target = new URL(url)
    target.pathname = database
    const abort = new AbortController()
    const cpu = process.cpuUsage()
    const startedAt = clock.monotonic()
    const shipping = runShipper(
      {
        ...{ sql, scans: sql, clock, log, random: Math.random, holder: 'bench' },
        open: (lease) => openCopy(sql, target.href, lease),
        outboxBytesMax: Number.POSITIVE_INFINITY,
        onShipped: () => {},
      },
      abort.signal,
    )
    while ((await measureOutbox(sql)).rows > 0) await clock.sleep(LOOK_MS)
    const ms = clock.monotonic() - startedAt
    const { user, system } = process.cpuUsage(cpu)
    abort.abort()
    await shipping
    print('events/s to ClickHouse', (before.events * 1_000) / ms)
    print('us an event of this process', (user + system) / before.events)
  } finally {
    await releasers.release()
  }
}

function print(words: string, value: number): void {
  process.stdout.write(`${words.padEnd(44)}${value.toFixed(value < 100 ? 1 : 0).padStart(12)}\n`)
}
