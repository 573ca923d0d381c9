/** Slows the measured server down: keeps processors busy, and makes its database slow. */
import { spawn } from 'node:child_process'
import { withDatabase } from '../load/machine/database.ts'

export type Trouble = {
  /** Processes that keep a processor busy. */
  readonly busy: number
  /** Milliseconds by which each flush takes longer in Postgres. */
  readonly flushMs: number
}

/** @returns a function that ends it. */
export async function startTrouble(
  databaseUrl: string,
  { busy, flushMs }: Trouble,
): Promise<() => Promise<void>> {
  const processes = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  if (flushMs > 0) await run(databaseUrl, SLOW(flushMs))
  return async () => {
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
