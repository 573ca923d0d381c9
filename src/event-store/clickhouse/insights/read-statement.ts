/** Reads what a statement of a question finds in ClickHouse, within the time that is left. */

import type { Parameters } from '../../../clickhouse/address.ts'
import { ColumnError } from '../../../clickhouse/column-error.ts'
import type { ColumnStore, ReadOptions, Row } from '../../../clickhouse/connect.ts'
import { type NumberLists, numberListsIn } from '../../../clickhouse/number-lists.ts'
import { AppError } from '../../../core/code.ts'
import { COLUMN_QUERY_BYTES_MAX } from '../../../core/limits/limits-replica.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { toStatement } from '../renderer/statement.ts'

export type StatementTime = {
  /** Milliseconds, rounded up to seconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * @throws {AppError} `deadline_exceeded` when the time is up, `cancelled` when `signal` has ended it.
 */
export async function readRows(
  store: ColumnStore,
  statement: Fragment,
  time: StatementTime,
): Promise<readonly Row[]> {
  return await within(time, statement, (...asked) => store.rows(...asked))
}

/** @param statement selects one column `Array(Float64)`. @throws {AppError} as `readRows`. */
export async function readNumberLists(
  store: ColumnStore,
  statement: Fragment,
  time: StatementTime,
): Promise<NumberLists> {
  const inBinary = fragment`${statement} format RowBinary`
  return numberListsIn(await within(time, inBinary, (...asked) => store.bytes(...asked)))
}

async function within<T>(
  { timeoutMs, signal }: StatementTime,
  statement: Fragment,
  read: (sql: string, parameters: Parameters, options: ReadOptions) => Promise<T>,
): Promise<T> {
  const { sql, parameters } = toStatement(statement)
  const settings = {
    max_execution_time: Math.ceil(timeoutMs / 1_000),
    max_query_size: COLUMN_QUERY_BYTES_MAX,
    // Neither items nor numbers of persons have more digits than a double.
    output_format_json_quote_64bit_integers: 0,
    precise_float_parsing: 1,
    // Others may take the events for the smaller side, and fill a table with them: twice the time.
    join_algorithm: 'hash',
    // A failure replaces the whole answer and never ends one in the middle.
    wait_end_of_query: 1,
  }
  try {
    return await read(sql, parameters, { settings, signal })
  } catch (cause) {
    if (signal.aborted) throw new AppError('cancelled', 'the caller has gone', { cause })
    if (!isCut(cause)) throw cause
    throw new AppError('deadline_exceeded', 'ClickHouse has cut a statement', { cause })
  }
}

function isCut(error: unknown): boolean {
  return error instanceof ColumnError && error.message.includes('TIMEOUT_EXCEEDED')
}
