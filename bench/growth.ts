/**
 * Does an event cost more when many are stored? Stores events in batches of 100 until there are
 * `--events`, in runs of `--seconds`, and prints for each: the rate, the processor time of an event,
 * and what it adds to tables, indexes and the write-ahead log.
 * Run: `npx tsx bench/growth.ts [--events 10000000] [--seconds 20]`, after `npm run build`.
 */
import { parseArgs } from 'node:util'
import { silentLog } from '../src/core/log.ts'
import { createSql, destroySql } from '../src/store/connect.ts'
import { runOnce, startSplit, WORKLOADS } from './load/single-run.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    seconds: { type: 'string', default: '20' },
    'distinct-ids': { type: 'string', default: '1000000' },
  },
})
const wanted = Number(values.events)
const { product, signal } = await startSplit()
const sql = createSql(product.databaseUrl, {
  applicationName: 'growth',
  log: silentLog,
  connectionsMax: 1,
})

type Sizes = { events: number; table: number; indexes: number; wal: number }

/** Of the partitions of events, which the parent does not count. */
async function sizes(): Promise<Sizes> {
  const [row] = await sql<{ [Name in keyof Sizes]: string }[]>`
    select sum(pg_table_size(inhrelid)) as table, sum(pg_indexes_size(inhrelid)) as indexes,
      (select sum(count) from event_counts) as events,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal
    from pg_inherits where inhparent = 'events'::regclass`
  return {
    events: Number(row?.events ?? 0),
    table: Number(row?.table ?? 0),
    indexes: Number(row?.indexes ?? 0),
    wal: Number(row?.wal ?? 0),
  }
}

try {
  let before = await sizes()
  for (let seed = 1; before.events < wanted && !signal.aborted; seed++) {
    const { run } = await runOnce({
      product,
      workload: WORKLOADS.batch,
      model: { kind: 'closed' },
      durationMs: Number(values.seconds) * 1_000,
      distinctIds: Number(values['distinct-ids']),
      seed,
    })
    const after = await sizes()
    const added = after.events - before.events
    const perEvent = (name: 'table' | 'indexes' | 'wal') =>
      Math.round((after[name] - before[name]) / Math.max(1, added))
    const cpu = run.processes.map(
      ({ name, cpuPercent }) => `${name} ${((cpuPercent * 10_000) / run.figures.eps).toFixed(1)}`,
    )
    const line = [
      `${(after.events / 1e6).toFixed(1)} M events`,
      `${Math.round(run.figures.eps)}/s`,
      `us an event: ${cpu.join(', ')}`,
      `bytes an event: table ${perEvent('table')}, indexes ${perEvent('indexes')}, log ${perEvent('wal')}`,
    ]
    process.stdout.write(`${line.join('; ')}\n`)
    before = after
  }
} finally {
  await destroySql(sql)
  await product.stop()
}
