/** A second store of the events that may answer a question in place of Postgres. */
import type { ProjectId } from '../../core/ids.ts'
import type { Sql } from '../pool/connect.ts'
import type { OpenInsightEvents } from './insight-events.ts'

/** UTC days that questions read, `YYYY-MM-DD`; undefined for all. */
export type AskedDays = { readonly from: string; readonly until: string } | undefined

export type AskedElsewhere = {
  readonly project: ProjectId
  readonly days: AskedDays
  /** Milliseconds that are left of the question's time. */
  readonly leftMs: number
}

export type InsightsElsewhere = {
  /**
   * Waits until it has what Postgres has committed by now.
   * @returns undefined when Postgres is to be asked.
   * @throws {AppError} `cancelled` when `signal` aborts; what Postgres throws.
   */
  open(sql: Sql, asked: AskedElsewhere, signal: AbortSignal): Promise<OpenInsightEvents | undefined>
  /** @returns whether Postgres is to be asked after a failure of what it opened. */
  failed(error: unknown): boolean
}
