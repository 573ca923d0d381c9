/** Measures the cost of an event while the number of stored events grows. */
import type { Sql } from '../../src/postgres/connect.ts'
import { withDatabase } from '../load/machine/database.ts'
import type { EventWorkload } from '../load/plan/plan.ts'
import { figure } from '../load/report/text-table.ts'
import { runOnce, startSplit } from '../load/single-run.ts'
import type { CurveOptions } from './measure-curve.ts'
import type { Step } from './step-table.ts'

/** `steps` in events stored, ascending. */
export type RowsOptions = Omit<CurveOptions, 'warmupMs'> & {
  readonly distinctIds: number
  readonly workload: EventWorkload
  /** Without steps, each run is a step until so many events are stored. */
  readonly events: number
}

/**
 * Stores events into one product, run by run, and yields the runs that reach a step. Ends early
 * when it is interrupted.
 * @throws {AppError} as `runBench`.
 */
export async function* measureRows({ steps, events, ...load }: RowsOptions): AsyncGenerator<Step> {
  const wanted = steps.at(-1) ?? events
  const { product, signal } = await startSplit()
  const look = () => withDatabase(product.databaseUrl, sizesOf)
  try {
    let before = await look()
    for (let seed = 1, next = 0; before.events < wanted; seed++) {
      const { run } = await runOnce({ product, model: { kind: 'closed' }, seed, ...load })
      if (signal.aborted) return
      const after = await look()
      const isStep = steps.length === 0 || after.events >= (steps[next] ?? wanted)
      while ((steps[next] ?? Number.POSITIVE_INFINITY) <= after.events) next++
      if (isStep) yield { name: millions(after.events), run, more: bytesEach(before, after) }
      before = after
    }
  } finally {
    await product.stop()
  }
}

type Sizes = { events: number; table: number; indexes: number; log: number }

/** Sums the sizes of the partitions of `events`: Postgres reports 0 for the parent. */
async function sizesOf(sql: Sql): Promise<Sizes> {
  const [row] = await sql<{ [Name in keyof Sizes]: string }[]>`
    select sum(pg_table_size(inhrelid)) as table, sum(pg_indexes_size(inhrelid)) as indexes,
      (select sum(count) from event_counts) as events,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log
    from pg_inherits where inhparent = 'events'::regclass`
  return {
    events: Number(row?.events ?? 0),
    table: Number(row?.table ?? 0),
    indexes: Number(row?.indexes ?? 0),
    log: Number(row?.log ?? 0),
  }
}

/** Bytes that one event added. */
function bytesEach(before: Sizes, after: Sizes): Step['more'] {
  const added = Math.max(1, after.events - before.events)
  const each = (name: 'table' | 'indexes' | 'log') =>
    figure(Math.round((after[name] - before[name]) / added))
  return { 'table B': each('table'), 'index B': each('indexes'), 'log B': each('log') }
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(2)} M`
}
