/** Waits until the days of the overview have been precomputed. */
import { systemClock as clock } from '../../src/core/clock.ts'
import { PRECOMPUTE_DAYS } from '../../src/core/limits/limits-query.ts'
import type { Sql } from '../../src/postgres/connect.ts'

const LOOK_MS = 2_000

/** @returns duration in ms. */
export async function untilPrecomputed(sql: Sql, project: number): Promise<number> {
  const startedAt = clock.monotonic()
  for (;;) {
    const [row] = await sql<{ days: number }[]>`
      select count(distinct from_ms)::integer as days from kept_answers
      where project_id = ${project} and from_ms > 0`
    if ((row?.days ?? 0) >= PRECOMPUTE_DAYS) return Math.round(clock.monotonic() - startedAt)
    await clock.sleep(LOOK_MS)
  }
}
