/** Slows the measured server down: busy processors, a slow database, a ClickHouse that fails. */
import { spawn } from 'node:child_process'
import { withDatabase } from '../load/machine/database.ts'
import type { ClickHouseFault, ClickHouseRelay } from './clickhouse-relay.ts'

export type Trouble = {
  /** Processes that keep a processor busy. */
  readonly busy: number
  /** Milliseconds by which each flush takes longer in Postgres. */
  readonly flushMs: number
  /** Fault of ClickHouse, where the product has one. */
  readonly clickhouse?:
    | { readonly relay: ClickHouseRelay; readonly fault: ClickHouseFault }
    | undefined
}

/** @returns a function that ends it. */
export async function startTrouble(
  databaseUrl: string,
  { busy, flushMs, clickhouse }: Trouble,
): Promise<() => Promise<void>> {
  const processes = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  if (flushMs > 0) await run(databaseUrl, SLOW(flushMs))
  clickhouse?.relay.set(clickhouse.fault)
  return async () => {
    clickhouse?.relay.set(undefined)
    for (const child of processes) child.kill('SIGKILL')
    if (flushMs > 0) await run(databaseUrl, QUICK)
  }
}

const SLOW = (ms: number) => `
  create function bench_wait() returns trigger language plpgsql
    as 'begin perform pg_sleep(${ms / 1_000}); return null; end';
  create trigger bench_wait after insert on events for each statement execute function bench_wait()`
const QUICK = 'drop function bench_wait cascade'

async function run(databaseUrl: string, statements: string): Promise<void> {
  await withDatabase(databaseUrl, async (sql) => {
    await sql.unsafe(statements)
  })
}
