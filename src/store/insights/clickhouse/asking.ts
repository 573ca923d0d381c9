/** How a question reads both stores: its events in ClickHouse, persons and groups in Postgres. */
import { setMaxListeners } from 'node:events'
import { AppError } from '../../../core/code.ts'
import { COLUMN_QUERY_BYTES_MAX } from '../../../core/limits/limits-columns.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { type EventSelection, run } from '../../events/event-selection.ts'
import { ColumnError } from '../../events-clickhouse/column-error.ts'
import type { ColumnStore, Row } from '../../events-clickhouse/connect.ts'
import type { Elsewhere } from '../../events-clickhouse/render/filter.ts'
import { toStatement } from '../../events-clickhouse/statement.ts'
import { limitStatements } from '../../pool/bounded-reads.ts'
import type { Db } from '../../pool/db.ts'
import type { Fragment } from '../../pool/fragment.ts'
import type { BreakdownSource, EventRole } from '../insight-events.ts'
import { askBreakdown, type BreakdownColumn } from './breakdown-column.ts'
import { fromSelection } from './column-fragments.ts'
import { type AskPostgres, askElsewhere, personsPassing } from './elsewhere.ts'

export type Asking = {
  /** Events of a selection, and what is asked of them beside. */
  prepare(selection: EventSelection, beside?: Beside): Promise<Prepared>
  /** Rows of ClickHouse. */
  rows(statement: Fragment): Promise<readonly Row[]>
}

type Beside = {
  readonly roles?: readonly EventRole[]
  readonly breakdown?: BreakdownSource | undefined
}

export type Prepared = {
  /** `from events e … where …` */
  readonly from: Fragment
  readonly elsewhere: Elsewhere
  readonly breakdown: BreakdownColumn | undefined
}

/**
 * Several questions of a page ask the same of persons: that is read once, as all is one snapshot.
 * @param leftMs see `OpenInsightEvents`, also for `signal`.
 */
export function createAsking(
  store: ColumnStore,
  db: Db,
  leftMs: () => number,
  signal: AbortSignal,
): Asking {
  // Each statement that runs listens.
  const ending = AbortSignal.any([signal])
  setMaxListeners(0, ending)
  let awake: Promise<unknown> | undefined
  /** The snapshot in Postgres waits while ClickHouse counts. */
  const stayAwake = () => {
    awake ??= db`select set_config('idle_in_transaction_session_timeout',
      ${String(leftMs())}, true)`
    return awake
  }
  const asked = new Map<string, Promise<object[]>>()
  const ask: AskPostgres = async <Found extends object>(statement: Fragment) => {
    const key = JSON.stringify(statement)
    const rows = asked.get(key) ?? read<Found>(statement)
    asked.set(key, rows)
    return (await rows) as Found[]
  }
  const read = async <Found extends object>(statement: Fragment) => {
    const limit = limitStatements(db, leftMs(), { joinsMany: true })
    const [, rows] = await Promise.all([limit, run<Found>(db, statement, false)])
    return rows
  }
  return {
    async prepare(selection, { roles = [], breakdown: source } = {}) {
      await stayAwake()
      const { project, where, persons = { passing: undefined, tolerant: undefined } } = selection
      const trees = [where, ...roles.map((role) => role.where)].filter(isAsked)
      const elsewhere = await askElsewhere(ask, project, trees)
      const tests: Fragment[] = []
      for (const [node, isTolerant] of [
        [persons.passing, false],
        [persons.tolerant, true],
      ] as const) {
        if (node !== undefined) tests.push(await personsPassing(ask, project, node, isTolerant))
      }
      const breakdown = source && (await askBreakdown(ask, project, source))
      return { from: fromSelection(selection, elsewhere, tests, breakdown), elsewhere, breakdown }
    },
    rows: (statement) => readRows(store, statement, leftMs(), ending),
  }
}

/**
 * @param timeoutMs is rounded up to seconds.
 * @throws {AppError} `deadline_exceeded` when the time is up, `cancelled` when `signal` has ended it.
 */
export async function readRows(
  store: ColumnStore,
  statement: Fragment,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { sql, parameters } = toStatement(statement)
  const settings = {
    max_execution_time: Math.ceil(timeoutMs / 1_000),
    max_query_size: COLUMN_QUERY_BYTES_MAX,
    // Neither items nor numbers of persons have more digits than a double.
    output_format_json_quote_64bit_integers: 0,
    precise_float_parsing: 1,
    // A failure comes in place of an answer, never in the middle of one.
    wait_end_of_query: 1,
  }
  try {
    return await store.rows(sql, parameters, { settings, signal })
  } catch (cause) {
    if (signal.aborted) throw new AppError('cancelled', 'the caller has gone', { cause })
    if (!isCut(cause)) throw cause
    throw new AppError('deadline_exceeded', 'ClickHouse has cut a statement', { cause })
  }
}

function isAsked(node: FilterNode | undefined): node is FilterNode {
  return node !== undefined
}

function isCut(error: unknown): boolean {
  return error instanceof ColumnError && error.message.includes('TIMEOUT_EXCEEDED')
}
