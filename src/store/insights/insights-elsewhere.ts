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

export type OpenedElsewhere = {
  readonly events: OpenInsightEvents
  /** Postgres does not have all events, so it cannot answer instead. */
  readonly isOnly: boolean
}

export type InsightsElsewhere = {
  /**
   * Waits until it has what Postgres has committed by now.
   * @returns undefined when Postgres is to be asked.
   * @throws {AppError} `cancelled` when `signal` aborts; `unavailable` when it is the only one that
   * can answer, and cannot; what Postgres throws.
   */
  open(sql: Sql, asked: AskedElsewhere, signal: AbortSignal): Promise<OpenedElsewhere | undefined>
  /**
   * @returns whether Postgres is to be asked after a failure of what it opened.
   * @throws {AppError} in place of the failure where Postgres cannot answer.
   */
  failed(error: unknown, opened: OpenedElsewhere): boolean
  /** Whether Postgres may lack events by now: then what it has answered does not count. */
  isOnly(sql: Sql): Promise<boolean>
}
