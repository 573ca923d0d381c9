/** Port of questions about events that are in ClickHouse. */
import type { Sql } from '../postgres/connect.ts'
import type { OpenInsightEvents } from './insight-events.ts'

export type ColumnarInsights = {
  /** @returns whether the events are in ClickHouse. They move once, so `true` holds for good. */
  isHome(sql: Sql): Promise<boolean>
  /**
   * Waits until ClickHouse has what Postgres has committed by now.
   * @param leftMs milliseconds that are left of the question's time.
   * @throws {AppError} `cancelled` when `signal` aborts; `unavailable` when ClickHouse does not
   * answer or is behind; what Postgres throws.
   */
  open(sql: Sql, leftMs: number, signal: AbortSignal): Promise<OpenInsightEvents>
  /** @throws {AppError} in place of a failure of what was opened. */
  refuse(error: unknown): never
}
